/* SPDX-License-Identifier: MIT */
/* An image is linked for one place, and its loader copies it: all of it to each cluster's cage, and
 * in that the program once more for each rank (docs/riscv.md, Boot, Programs). A pc tells which
 * copy it is of, so the address for which the same instruction was linked can be computed: by
 * symbols of the linker's script, which are in the table that has the functions, too. The file is
 * input from outside: what is read of it lies in it, or is 0. */
#include "where.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hal/site.h>
#include <hal/virt.h>

/* Where an ELF file has what, by its width. */
struct layout {
    unsigned word, sections, section_count;                   /* in the head */
    unsigned section, type, offset, bytes, link;              /* in the head of a section */
    unsigned symbol, symbol_info, symbol_value, symbol_bytes; /* in a symbol, whose name is first */
};
static const struct layout of_32 = {.word = 4,
                                    .sections = offsetof(Elf32_Ehdr, e_shoff),
                                    .section_count = offsetof(Elf32_Ehdr, e_shnum),
                                    .section = sizeof(Elf32_Shdr),
                                    .type = offsetof(Elf32_Shdr, sh_type),
                                    .offset = offsetof(Elf32_Shdr, sh_offset),
                                    .bytes = offsetof(Elf32_Shdr, sh_size),
                                    .link = offsetof(Elf32_Shdr, sh_link),
                                    .symbol = sizeof(Elf32_Sym),
                                    .symbol_info = offsetof(Elf32_Sym, st_info),
                                    .symbol_value = offsetof(Elf32_Sym, st_value),
                                    .symbol_bytes = offsetof(Elf32_Sym, st_size)};
static const struct layout of_64 = {.word = 8,
                                    .sections = offsetof(Elf64_Ehdr, e_shoff),
                                    .section_count = offsetof(Elf64_Ehdr, e_shnum),
                                    .section = sizeof(Elf64_Shdr),
                                    .type = offsetof(Elf64_Shdr, sh_type),
                                    .offset = offsetof(Elf64_Shdr, sh_offset),
                                    .bytes = offsetof(Elf64_Shdr, sh_size),
                                    .link = offsetof(Elf64_Shdr, sh_link),
                                    .symbol = sizeof(Elf64_Sym),
                                    .symbol_info = offsetof(Elf64_Sym, st_info),
                                    .symbol_value = offsetof(Elf64_Sym, st_value),
                                    .symbol_bytes = offsetof(Elf64_Sym, st_size)};

static struct {
    char *path;
    const unsigned char *bytes;
    uint64_t size;
    const struct layout *l;
    uint64_t symbols, symbols_end, names, names_end; /* in the file */
} elf;
static const struct svc_job *job;
static int job_clusters;

static uint64_t number_at(uint64_t at, unsigned width)
{
    uint64_t value = 0;
    if (at > elf.size || width > elf.size - at)
        return 0;
    for (unsigned i = 0; i < width; i++)
        value |= (uint64_t)elf.bytes[at + i] << 8 * i;
    return value;
}

/* What a section has, as far as it lies in the file. */
static void extent(uint64_t head, uint64_t *begin, uint64_t *end)
{
    uint64_t at = number_at(head + elf.l->offset, elf.l->word);
    uint64_t n = number_at(head + elf.l->bytes, elf.l->word);
    *begin = at < elf.size ? at : elf.size;
    *end = n < elf.size - *begin ? *begin + n : elf.size;
}

static void find_tables(void)
{
    uint64_t first = number_at(elf.l->sections, elf.l->word);
    uint64_t count = number_at(elf.l->section_count, 2);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t head = first + i * elf.l->section;
        if (number_at(head + elf.l->type, 4) != SHT_SYMTAB)
            continue;
        extent(head, &elf.symbols, &elf.symbols_end);
        extent(first + number_at(head + elf.l->link, 4) * elf.l->section, &elf.names,
               &elf.names_end);
    }
}

void where_of(const char *image, const struct svc_job *of, int clusters)
{
    struct stat s;
    job = of;
    job_clusters = clusters;
    if (asprintf(&elf.path, "%s.elf", image) < 0)
        return;
    int fd = open(elf.path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    void *bytes = fstat(fd, &s) == 0 && s.st_size > EI_NIDENT
                      ? mmap(NULL, (size_t)s.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                      : MAP_FAILED;
    close(fd);
    if (bytes == MAP_FAILED)
        return;
    elf.bytes = bytes;
    elf.size = (uint64_t)s.st_size;
    elf.l = memcmp(bytes, ELFMAG, SELFMAG) != 0 ? NULL
            : elf.bytes[EI_CLASS] == ELFCLASS64 ? &of_64
            : elf.bytes[EI_CLASS] == ELFCLASS32 ? &of_32
                                                : NULL;
    if (elf.l)
        find_tables();
}

static const char *name_of(uint64_t symbol)
{
    uint64_t at = elf.names + number_at(symbol, 4);
    bool whole = at < elf.names_end && memchr(elf.bytes + at, 0, elf.names_end - at);
    return whole ? (const char *)elf.bytes + at : "";
}

static uint64_t value_of(uint64_t symbol)
{
    return number_at(symbol + elf.l->symbol_value, elf.l->word);
}

/* The address of a name that is there once; 0: it is not. */
static uint64_t address_of(const char *name)
{
    for (uint64_t s = elf.symbols; s < elf.symbols_end; s += elf.l->symbol)
        if (strcmp(name_of(s), name) == 0)
            return value_of(s);
    return 0;
}

/* The function that an address lies in: the last of those that begin at or before it, unless that
 * ends before. A function of assembly does not tell its size: it may go on to where the system's
 * text ends. */
static uint64_t function_at(uint64_t address)
{
    uint64_t found = 0;
    for (uint64_t s = elf.symbols; s < elf.symbols_end; s += elf.l->symbol) {
        uint64_t begin = value_of(s);
        bool function = ELF32_ST_TYPE(number_at(s + elf.l->symbol_info, 1)) == STT_FUNC;
        if (function && begin <= address && (found == 0 || begin >= value_of(found)))
            found = s;
    }
    uint64_t n = found != 0 ? number_at(found + elf.l->symbol_bytes, elf.l->word) : 0;
    bool in = n != 0 ? address - value_of(found) < n : address < address_of("rv_text_end");
    return in ? found : 0;
}

/* For which address an instruction was linked that lies at pc, 0: no text is there; *copy: of the
 * program, -1 it is the system's; *cluster. */
static uint64_t linked_at(uint64_t pc, int *cluster, int *copy)
{
    uint64_t image = address_of("rv_image"), program = address_of("rv_program");
    uint64_t bytes = address_of("rv_image_end") - program;
    *copy = -1;
    *cluster = 0;
    if (pc < HAL_VIRT_CAGES)
        return pc; /* the loader, where it was linked */
    uint64_t cage = (pc - HAL_VIRT_CAGES) / HAL_VIRT_CAGE_BYTES;
    uint64_t at = (pc - HAL_VIRT_CAGES) % HAL_VIRT_CAGE_BYTES;
    if (cage >= (uint64_t)job_clusters)
        return 0;
    *cluster = (int)cage;
    if (at < program - image)
        return image + at;
    at -= program - image;
    if (bytes == 0 || at / bytes >= (uint64_t)svc_spawn_count(job, *cluster, job_clusters))
        return 0;
    *copy = (int)(at / bytes);
    return address_of("rv_program_linked") + at % bytes;
}

bool where_named(const char *line, size_t n, char *text, size_t size)
{
    static const char mark[] = ", pc 0x";
    const char *pc = memmem(line, n, mark, sizeof mark - 1);
    char place[512] = "", of[32] = "", digits[17] = "";
    int cluster, copy;
    if (elf.symbols == elf.symbols_end || !pc)
        return false;
    pc += sizeof mark - 1;
    size_t left = n - (size_t)(pc - line);
    memcpy(digits, pc, left < sizeof digits - 1 ? left : sizeof digits - 1);
    uint64_t address = linked_at(strtoull(digits, NULL, 16), &cluster, &copy);
    uint64_t function = function_at(address);
    if (function == 0)
        return false;
    if (copy >= 0)
        snprintf(of, sizeof of, " of rank %d", svc_spawn_rank(job, cluster, copy, job_clusters));
    bool known = hal_line_name(elf.path, address, place, sizeof place);
    snprintf(text, size, ", in %s+0x%" PRIx64 "%s%s%s%s", name_of(function),
             address - value_of(function), known ? " (" : "", known ? place : "", known ? ")" : "",
             of);
    return true;
}
