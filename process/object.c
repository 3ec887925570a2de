/* SPDX-License-Identifier: MIT */
#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <launcher/copies.h>

#include "streams.h"
#include "template.h"

#define GOT_HEAD 3

/* The dynamic section, by tag. Pointers in it may or may not have been moved by the linker. */
struct dynamic {
    uint64_t rela, rela_size, jmprel, jmprel_size, relr, relr_size, symbols, strings, got;
};

static uintptr_t loaded(const struct image_object *o, uint64_t pointer)
{
    return pointer >= o->base ? pointer : o->base + pointer;
}

static int object_at(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size;
    struct image_object *o = arg;
    if (o->base != 0 && o->base != info->dlpi_addr)
        return 0;
    o->base = info->dlpi_addr; /* the first object is the program */
    o->segment = info->dlpi_phdr;
    o->segments = info->dlpi_phnum;
    return 1;
}

/* Is this the file that the segments in memory come from? A program can be started by an explicit
 * dynamic linker, or its file can have been replaced. */
static bool same_file(const struct image_object *o, int fd, uint16_t *machine)
{
    ElfW(Ehdr) head;
    size_t size = (size_t)o->segments * sizeof *o->segment;
    if (pread(fd, &head, sizeof head, 0) != (ssize_t)sizeof head || head.e_type != ET_DYN ||
        head.e_phentsize != sizeof *o->segment || head.e_phnum != o->segments)
        return false;
    *machine = head.e_machine;
    ElfW(Phdr) *there = malloc(size);
    bool same = there && pread(fd, there, size, (off_t)head.e_phoff) == (ssize_t)size &&
                memcmp(there, o->segment, size) == 0;
    free(there);
    return same;
}

static const ElfW(Phdr) * find(const struct image_object *o, uint32_t type)
{
    for (int i = 0; i < o->segments; i++)
        if (o->segment[i].p_type == type)
            return &o->segment[i];
    return NULL;
}

static void measure(struct image_object *o)
{
    uint64_t low = UINT64_MAX, high = 0;
    o->page = o->align = (uint64_t)sysconf(_SC_PAGESIZE);
    for (int i = 0; i < o->segments; i++) {
        const ElfW(Phdr) *s = &o->segment[i];
        if (s->p_type != PT_LOAD)
            continue;
        uint64_t end = s->p_vaddr + s->p_memsz;
        low = s->p_vaddr < low ? s->p_vaddr : low;
        high = end > high ? end : high;
        o->align = s->p_align > o->align ? s->p_align : o->align;
    }
    o->low = low / o->page * o->page;
    o->span = (high + o->page - 1) / o->page * o->page - o->low;
}

/* .eh_frame_hdr begins with version 1 and, as GNU's and LLVM's linkers write it, the distance of
 * .eh_frame from the field that holds the distance: encoding 0x1b. */
static uintptr_t find_frames(const struct image_object *o)
{
    const ElfW(Phdr) *s = find(o, PT_GNU_EH_FRAME);
    if (!s)
        return 0;
    const uint8_t *head = (const uint8_t *)(o->base + s->p_vaddr);
    int32_t distance;
    memcpy(&distance, head + 4, sizeof distance);
    return head[0] == 1 && head[1] == 0x1b ? (uintptr_t)head + 4 + (uintptr_t)(intptr_t)distance
                                           : 0;
}

static void read_dynamic(struct image_object *o, struct dynamic *d)
{
    const struct {
        ElfW(Sxword) tag;
        uint64_t *value;
    } wanted[] = {
        {DT_RELA, &d->rela},
        {DT_RELASZ, &d->rela_size},
        {DT_JMPREL, &d->jmprel},
        {DT_PLTRELSZ, &d->jmprel_size},
        {36 /* DT_RELR */, &d->relr},
        {35 /* DT_RELRSZ */, &d->relr_size},
        {DT_SYMTAB, &d->symbols},
        {DT_STRTAB, &d->strings},
        {DT_PLTGOT, &d->got},
        {DT_INIT, &o->init},
        {DT_INIT_ARRAY, &o->init_array},
        {DT_INIT_ARRAYSZ, &o->init_count},
        {DT_FINI, &o->fini},
        {DT_FINI_ARRAY, &o->fini_array},
        {DT_FINI_ARRAYSZ, &o->fini_count},
    };
    const ElfW(Phdr) *s = find(o, PT_DYNAMIC);
    const ElfW(Dyn) *e = s ? (const ElfW(Dyn) *)(o->base + s->p_vaddr) : NULL;
    for (; e && e->d_tag != DT_NULL; e++) {
        for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
            if (e->d_tag == wanted[i].tag)
                *wanted[i].value = e->d_un.d_val;
    }
    uint64_t *const pointers[] = {&o->init, &o->init_array, &o->fini, &o->fini_array};
    for (size_t i = 0; i < sizeof pointers / sizeof pointers[0]; i++)
        if (*pointers[i] >= o->base)
            *pointers[i] -= o->base;
    o->init_count /= sizeof(uintptr_t);
    o->fini_count /= sizeof(uintptr_t);
}

/* Any word of the program may be one, also between its variables, where a sanitizer watches. */
__attribute__((no_sanitize_address)) static void add_word(struct image_object *o, uint64_t at,
                                                          const char *name)
{
    struct image_word *w = &o->word[o->words++];
    *w = (struct image_word){.at = at, .name = name};
    const volatile uint8_t *from = (const volatile uint8_t *)(o->base + at);
    for (size_t i = 0; i < sizeof w->value; i++)
        ((uint8_t *)&w->value)[i] = from[i];
}

static void read_rela(struct image_object *o, const struct dynamic *d, uint64_t table,
                      uint64_t size, uint32_t copy)
{
    const ElfW(Rela) *r = (const ElfW(Rela) *)loaded(o, table);
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)loaded(o, d->symbols);
    const char *strings = (const char *)loaded(o, d->strings);
    for (size_t i = 0; table != 0 && i < size / sizeof *r; i++) {
        const ElfW(Sym) *s = &symbols[ELF64_R_SYM(r[i].r_info)];
        const char *name = strings + s->st_name;
        if (ELF64_R_TYPE(r[i].r_info) == copy)
            o->copy[o->copies++] = (struct image_copy){r[i].r_offset, s->st_size, name, NULL};
        else if (ELF64_R_TYPE(r[i].r_info) != 0)
            add_word(o, r[i].r_offset, name);
    }
}

/* DT_RELR: an address, then bit maps of the 63 words after it, and so on. Counts if !store. */
static size_t read_relr(struct image_object *o, const struct dynamic *d, bool store)
{
    const uint64_t *e = (const uint64_t *)loaded(o, d->relr);
    size_t n = 0;
    uint64_t next = 0;
    for (size_t i = 0; d->relr != 0 && i < d->relr_size / sizeof *e; i++) {
        uint64_t bits = e[i] & 1 ? e[i] >> 1 : 1;
        uint64_t at = e[i] & 1 ? next : e[i];
        next = e[i] & 1 ? next + 63 * sizeof *e : e[i] + sizeof *e;
        for (; bits != 0; bits >>= 1, at += sizeof *e) {
            if (!(bits & 1))
                continue;
            n++;
            if (store)
                add_word(o, at, "");
        }
    }
    return n;
}

/* The first words of the table of functions that are bound when they are first called lead to the
 * dynamic linker, which wrote them without being asked by a relocation. */
static void read_got(struct image_object *o, const struct dynamic *d)
{
    for (uint64_t i = 0; d->got != 0 && i < GOT_HEAD; i++)
        add_word(o, loaded(o, d->got) - o->base + i * sizeof(uint64_t), "");
}

static bool keep_copies(struct image_object *o)
{
    image_streams_make();
    for (size_t i = 0; i < o->copies; i++) {
        struct image_copy *c = &o->copy[i];
        c->value = malloc(c->size + 1);
        if (!c->value)
            return false;
        memcpy(c->value, (const void *)(o->base + c->at), c->size);
    }
    return true;
}

static void free_copies(struct image_object *o)
{
    for (size_t i = 0; i < o->copies; i++)
        free(o->copy[i].value);
    free(o->copy);
}

static bool read_relocations(struct image_object *o, uint16_t machine)
{
    struct dynamic d = {0};
    uint32_t copy = copy_relocation(machine);
    read_dynamic(o, &d);
    size_t rela = (d.rela_size + d.jmprel_size) / sizeof(ElfW(Rela));
    size_t most = rela + read_relr(o, &d, false) + GOT_HEAD;
    o->word = malloc(most * sizeof *o->word);
    o->copy = malloc((rela + 1) * sizeof *o->copy);
    if (!o->word || !o->copy || copy == UINT32_MAX)
        return false;
    read_rela(o, &d, d.rela, d.rela_size, copy);
    read_rela(o, &d, d.jmprel, d.jmprel_size, copy);
    read_relr(o, &d, true);
    read_got(o, &d);
    return keep_copies(o);
}

struct image_object *image_object_new(uintptr_t base, int fd)
{
    uint16_t machine;
    struct image_object *o = calloc(1, sizeof *o);
    if (o) {
        o->fd = fd;
        o->base = base;
        if (fd >= 0 && dl_iterate_phdr(object_at, o) != 0 && o->base != 0 &&
            same_file(o, fd, &machine)) {
            measure(o);
            o->relro = find(o, PT_GNU_RELRO);
            o->frames = find_frames(o);
            if (read_relocations(o, machine) && (o->template = image_template_new(o)) >= 0)
                return o;
        }
        free(o->word);
        free_copies(o);
        free(o);
    }
    if (fd >= 0)
        close(fd);
    return NULL;
}
