/* SPDX-License-Identifier: MIT */
/* What an ELF file says about MPI and about variables that ranks of one process would share. The
 * file is input from outside: every piece is copied out of it by load(), which checks offset and
 * size; every index is checked. */
#include <elf.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <hal/virt.h>
#include <launcher/copies.h>

#include "program.h"

#define PIECE_MAX   (256u << 20) /* bytes of one piece of a file that is worth reading */
#define NAMES_SHOWN 3

struct elf {
    int fd;
    uint64_t size;
    Elf64_Ehdr head;
    Elf64_Phdr *segment; /* head.e_phnum */
    Elf64_Shdr *section; /* head.e_shnum */
    char *names;         /* of sections; names_size bytes, NUL terminated by load */
    uint64_t names_size;
    uint64_t *copied; /* addresses of variables of libraries that were copied here, sorted */
    size_t copies;
    uint64_t copied_bytes;
    bool once;       /* the process has it once: at a fixed address, or a library */
    bool exceptions; /* it needs C++'s library: one more word of .data is the compiler's */
};

/* A copy of n bytes at `offset`, one NUL behind them; NULL if they are not all there. */
static void *load(const struct elf *e, uint64_t offset, uint64_t n)
{
    if (offset > e->size || n > e->size - offset || n > PIECE_MAX)
        return NULL;
    char *p = malloc(n + 1);
    if (!p)
        return NULL;
    if (pread(e->fd, p, n, (off_t)offset) != (ssize_t)n) {
        free(p);
        return NULL;
    }
    p[n] = '\0';
    return p;
}

static void *load_section(const struct elf *e, const Elf64_Shdr *s)
{
    return s->sh_type == SHT_NOBITS ? NULL : load(e, s->sh_offset, s->sh_size);
}

static const Elf64_Phdr *segment(const struct elf *e, uint32_t type)
{
    for (int i = 0; i < e->head.e_phnum; i++)
        if (e->segment[i].p_type == type)
            return &e->segment[i];
    return NULL;
}

static const Elf64_Shdr *section(const struct elf *e, uint32_t type)
{
    for (int i = 0; i < e->head.e_shnum; i++)
        if (e->section[i].sh_type == type)
            return &e->section[i];
    return NULL;
}

static const char *section_name(const struct elf *e, const Elf64_Shdr *s)
{
    return e->names && s->sh_name < e->names_size ? e->names + s->sh_name : "";
}

static bool open_elf(struct elf *e, const char *path)
{
    struct stat st;
    *e = (struct elf){.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (e->fd < 0 || fstat(e->fd, &st) < 0 || !S_ISREG(st.st_mode))
        return false;
    e->size = (uint64_t)st.st_size;
    if (pread(e->fd, &e->head, sizeof e->head, 0) != (ssize_t)sizeof e->head)
        return false;
    const Elf64_Ehdr *h = &e->head;
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_ident[EI_CLASS] != ELFCLASS64 ||
        h->e_ident[EI_DATA] != ELFDATA2LSB || h->e_phentsize != sizeof *e->segment)
        return false;
    e->segment = load(e, h->e_phoff, (uint64_t)h->e_phnum * sizeof *e->segment);
    if (!e->segment)
        return false;
    if (h->e_shentsize == sizeof *e->section)
        e->section = load(e, h->e_shoff, (uint64_t)h->e_shnum * sizeof *e->section);
    if (!e->section)
        e->head.e_shnum = 0;
    if (h->e_shstrndx < e->head.e_shnum) {
        e->names = load_section(e, &e->section[h->e_shstrndx]);
        e->names_size = e->section[h->e_shstrndx].sh_size;
    }
    return true;
}

static void close_elf(struct elf *e)
{
    if (e->fd >= 0)
        close(e->fd);
    free(e->segment);
    free(e->section);
    free(e->names);
    free(e->copied);
}

/* File offset of an address, UINT64_MAX if no segment holds it. */
static uint64_t offset_of(const struct elf *e, uint64_t address)
{
    for (int i = 0; i < e->head.e_phnum; i++) {
        const Elf64_Phdr *p = &e->segment[i];
        if (p->p_type == PT_LOAD && address >= p->p_vaddr && address - p->p_vaddr < p->p_filesz)
            return p->p_offset + (address - p->p_vaddr);
    }
    return UINT64_MAX;
}

/* Those of the C library and of compilers, which call no MPI. */
static bool of_system(const char *name)
{
    static const char *const all[] = {"libc.so",      "libm.so",        "libgcc_s.so",
                                      "libstdc++.so", "libgfortran.so", "libpthread.so",
                                      "ld-linux"};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strncmp(name, all[i], strlen(all[i])) == 0)
            return true;
    return false;
}

static void read_needed(struct elf *e, struct program *p)
{
    const Elf64_Phdr *dynamic = segment(e, PT_DYNAMIC);
    if (!dynamic)
        return;
    size_t n = dynamic->p_filesz / sizeof(Elf64_Dyn);
    Elf64_Dyn *d = load(e, dynamic->p_offset, n * sizeof *d);
    uint64_t address = 0, size = 0;
    for (size_t i = 0; d && i < n && d[i].d_tag != DT_NULL; i++) {
        if (d[i].d_tag == DT_STRTAB)
            address = d[i].d_un.d_ptr;
        if (d[i].d_tag == DT_STRSZ)
            size = d[i].d_un.d_val;
    }
    char *names = d ? load(e, offset_of(e, address), size) : NULL;
    for (size_t i = 0; names && i < n && d[i].d_tag != DT_NULL; i++) {
        if (d[i].d_tag != DT_NEEDED || d[i].d_un.d_val >= size)
            continue;
        const char *name = names + d[i].d_un.d_val;
        if (strcmp(name, "libmpi_abi.so.1") == 0)
            p->needs_mpi = true;
        else if (strncmp(name, "libmpi.so", 9) == 0 || strncmp(name, "libmpich.so", 11) == 0)
            snprintf(p->other, sizeof p->other, "%s", name);
        else if (!of_system(name))
            p->needs_others = true;
        if (strncmp(name, "libstdc++.so", 12) == 0)
            e->exceptions = true;
    }
    free(names);
    free(d);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Variables of libraries (stdout, environ) that the linker copied into the program: not its own. */
static void read_copies(struct elf *e)
{
    uint32_t type = copy_relocation(e->head.e_machine);
    const Elf64_Shdr *symbols = section(e, SHT_DYNSYM);
    size_t count = symbols ? symbols->sh_size / sizeof(Elf64_Sym) : 0;
    Elf64_Sym *symbol = symbols ? load_section(e, symbols) : NULL;
    for (int i = 0; symbol && i < e->head.e_shnum; i++) {
        if (e->section[i].sh_type != SHT_RELA)
            continue;
        size_t n = e->section[i].sh_size / sizeof(Elf64_Rela);
        Elf64_Rela *r = load_section(e, &e->section[i]);
        uint64_t *more = r ? realloc(e->copied, (e->copies + n + 1) * sizeof *more) : NULL;
        if (more)
            e->copied = more;
        for (size_t k = 0; more && k < n; k++) {
            uint64_t s = ELF64_R_SYM(r[k].r_info);
            if (ELF64_R_TYPE(r[k].r_info) != type || s >= count)
                continue;
            e->copied[e->copies++] = r[k].r_offset;
            e->copied_bytes += symbol[s].st_size;
        }
        free(r);
    }
    free(symbol);
    if (e->copies > 0)
        qsort(e->copied, e->copies, sizeof *e->copied, by_value);
}

/* Constant after the dynamic linker's work: pointers to be relocated, in the RELRO segment. */
static bool constant_section(const struct elf *e, const Elf64_Shdr *s)
{
    const Elf64_Phdr *relro = segment(e, PT_GNU_RELRO);
    if (strncmp(section_name(e, s), ".data.rel.ro", 12) == 0)
        return true;
    return relro && s->sh_addr >= relro->p_vaddr && s->sh_addr - relro->p_vaddr < relro->p_memsz;
}

/* Names of the compiler, its start-up code and our Fortran bindings; "__m_MOD_x" is variable x of a
 * Fortran module. */
static bool internal_name(const char *name)
{
    static const char *const prefixes[] = {"DW.ref.", "_ZGV", "_ZStL8__ioinit", "_IO_stdin_used",
                                           "mpif_"};
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return *name == '\0' || (strncmp(name, "__", 2) == 0 && !strstr(name, "_MOD_"));
}

static bool own_variable(const struct elf *e, const Elf64_Sym *s, const char *name)
{
    int type = ELF64_ST_TYPE(s->st_info);
    if ((type != STT_OBJECT && type != STT_TLS) || s->st_size == 0 || s->st_shndx == SHN_UNDEF ||
        s->st_shndx >= e->head.e_shnum || internal_name(name))
        return false;
    const Elf64_Shdr *in = &e->section[s->st_shndx];
    if (!(in->sh_flags & SHF_WRITE))
        return false;
    return e->once && !constant_section(e, in) &&
           (e->copies == 0 ||
            !bsearch(&s->st_value, e->copied, e->copies, sizeof *e->copied, by_value));
}

static void add_name(struct program *p, const char *name)
{
    size_t used = strlen(p->names);
    int length = (int)strcspn(name, "."); /* "count.0": a static of a function */
    if (p->globals < NAMES_SHOWN)
        snprintf(p->names + used, sizeof p->names - used, "%s%.*s", used > 0 ? ", " : "",
                 length > 32 ? 32 : length, name);
    p->globals++;
}

static void count_symbols(const struct elf *e, const Elf64_Shdr *table, struct program *p)
{
    bool start_code = false; /* local symbols that follow belong to the compiler's crtstuff.c */
    size_t n = table->sh_size / sizeof(Elf64_Sym);
    const Elf64_Shdr *strings =
        table->sh_link < e->head.e_shnum ? &e->section[table->sh_link] : NULL;
    Elf64_Sym *symbol = load_section(e, table);
    char *text = strings ? load_section(e, strings) : NULL;
    for (size_t i = 0; symbol && text && i < n; i++) {
        const char *name = symbol[i].st_name < strings->sh_size ? text + symbol[i].st_name : "";
        if (ELF64_ST_TYPE(symbol[i].st_info) == STT_FILE)
            start_code = strcmp(name, "crtstuff.c") == 0;
        else if (start_code && ELF64_ST_BIND(symbol[i].st_info) == STB_LOCAL)
            continue;
        else if (own_variable(e, &symbol[i], name))
            add_name(p, name);
    }
    free(text);
    free(symbol);
}

/* Without symbols only sizes speak. A program without globals has 16 bytes of .data and 8 of .bss
 * (or up to 16 and an alignment below 4) from its start-up code. */
static void measure_sections(const struct elf *e, struct program *p)
{
    if (!e->once)
        return;
    uint64_t slack = e->copies * 32;
    for (int i = 0; i < e->head.e_shnum; i++) {
        const Elf64_Shdr *s = &e->section[i];
        const char *name = section_name(e, s);
        if (strcmp(name, ".tdata") == 0 || strcmp(name, ".tbss") == 0)
            p->globals = -1;
        if (strcmp(name, ".data") == 0 && s->sh_size > (e->exceptions ? 32 : 16))
            p->globals = -1;
        if (strcmp(name, ".bss") == 0 &&
            (s->sh_size > 16 + e->copied_bytes + slack || (e->copies == 0 && s->sh_addralign >= 4)))
            p->globals = -1;
    }
}

static void count_globals(const struct elf *e, struct program *p)
{
    const Elf64_Shdr *symbols = section(e, SHT_SYMTAB);
    if (symbols)
        count_symbols(e, symbols, p);
    else
        measure_sections(e, p);
}

/* Was the library linked into it? Then it is its own business what it needs. */
static bool carries_library(const struct elf *e)
{
    for (int i = 0; i < e->head.e_shnum; i++)
        if (strcmp(section_name(e, &e->section[i]), ".lwmpi") == 0)
            return true;
    return false;
}

void program_inspect(struct program *p)
{
    struct elf e;
    p->image = hal_virt_emulator(p->path) != NULL;
    if (open_elf(&e, p->path)) {
        const Elf64_Phdr *interp = segment(&e, PT_INTERP);
        char *linker = interp ? load(&e, interp->p_offset, interp->p_filesz) : NULL;
        if (linker && !carries_library(&e)) {
            p->elf = true;
            p->fixed = e.once = e.head.e_type == ET_EXEC;
            snprintf(p->interpreter, sizeof p->interpreter, "%s", linker);
            read_needed(&e, p);
            read_copies(&e);
            count_globals(&e, p);
        }
        free(linker);
    }
    close_elf(&e);
}

void program_inspect_library(struct program *l)
{
    struct elf e;
    if (open_elf(&e, l->path)) {
        e.once = true;
        read_needed(&e, l);
        if (l->needs_mpi)
            count_globals(&e, l);
    }
    close_elf(&e);
}
