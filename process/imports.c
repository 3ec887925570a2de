/* SPDX-License-Identifier: MIT */
/* Which functions of libraries a program names, from what the dynamic linker bound for it. */
#include <link.h>
#include <string.h>

#include <process/compute.h>
#include <process/image.h>
#include "object.h"

struct search {
    uintptr_t base;
    const char *const *names;
    bool found;
};

static int first_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = info->dlpi_addr; /* the first object is the program */
    return 1;
}

uintptr_t image_own_base(void)
{
    uintptr_t base = 0;
    dl_iterate_phdr(first_base, &base);
    return base;
}

static bool is_one(const char *const *names, const char *name)
{
    for (; *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* The linker may have moved the pointers of the dynamic section or not. */
static uintptr_t loaded(uintptr_t base, uint64_t pointer)
{
    return pointer >= base ? pointer : base + pointer;
}

static bool names_one(uintptr_t base, const ElfW(Dyn) * d, const char *const *names)
{
    uint64_t value[DT_NUM] = {0};
    for (; d->d_tag != DT_NULL; d++)
        if (d->d_tag > 0 && d->d_tag < DT_NUM)
            value[d->d_tag] = d->d_un.d_val;
    const ElfW(Sym) *symbols = (const ElfW(Sym) *)loaded(base, value[DT_SYMTAB]);
    const char *strings = (const char *)loaded(base, value[DT_STRTAB]);
    const struct {
        uint64_t at, size;
    } tables[] = {{value[DT_RELA], value[DT_RELASZ]}, {value[DT_JMPREL], value[DT_PLTRELSZ]}};
    for (size_t t = 0; t < 2; t++) {
        const ElfW(Rela) *r = (const ElfW(Rela) *)loaded(base, tables[t].at);
        for (size_t i = 0; tables[t].at != 0 && i < tables[t].size / sizeof *r; i++)
            if (is_one(names, strings + symbols[ELF64_R_SYM(r[i].r_info)].st_name))
                return true;
    }
    return false;
}

static int search(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct search *s = arg;
    (void)size;
    if (info->dlpi_addr != s->base)
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_DYNAMIC)
            s->found = names_one(s->base, (const ElfW(Dyn) *)(s->base + p->p_vaddr), s->names);
    }
    return 1;
}

bool image_programs_call(const struct image *im, const char *const *names)
{
    int programs = im->job.programs < 2 ? 1 : im->job.programs;
    for (int i = 0; i < programs; i++) {
        const struct image_program *p = &im->program[i];
        struct search s = {.names = names, .base = p->object ? p->object->base : image_own_base()};
        if (!p->main)
            continue;
        dl_iterate_phdr(search, &s);
        if (!s.found)
            return false;
    }
    return true;
}
