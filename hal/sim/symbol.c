/* SPDX-License-Identifier: MIT */
/* Names of functions out of the symbol table of the file that they were loaded from. dladdr knows
 * the file, but only the names that it exports, and most of this project's are hidden or static. */
#include <hal/hosted.h>

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
    const void *base; /* where it is loaded: which file this is */
    const char *text;
    size_t size;
    const ElfW(Sym) * symbols;
    size_t count;
    const char *names;
    size_t names_size;
    bool moved; /* addresses in the table are relative to base */
} file;

static bool inside(uint64_t offset, uint64_t size)
{
    return offset <= file.size && size <= file.size - offset;
}

/* Finds the symbol table; a file is input and may be damaged. */
static void read_sections(void)
{
    const ElfW(Ehdr) *head = (const void *)file.text;
    if (!inside(0, sizeof *head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)) ||
        !inside(head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr))))
        return;
    const ElfW(Shdr) *sections = (const void *)(file.text + head->e_shoff);
    for (int i = 0; i < head->e_shnum; i++) {
        const ElfW(Shdr) *s = &sections[i];
        if (s->sh_type != SHT_SYMTAB || s->sh_link >= head->e_shnum ||
            !inside(s->sh_offset, s->sh_size))
            continue;
        const ElfW(Shdr) *names = &sections[s->sh_link];
        if (!inside(names->sh_offset, names->sh_size) || names->sh_size == 0 ||
            file.text[names->sh_offset + names->sh_size - 1] != '\0')
            continue;
        file.symbols = (const void *)(file.text + s->sh_offset);
        file.count = s->sh_size / sizeof(ElfW(Sym));
        file.names = file.text + names->sh_offset;
        file.names_size = names->sh_size;
        file.moved = head->e_type == ET_DYN;
    }
}

void hal_function_end(void)
{
    if (file.text)
        munmap((void *)(uintptr_t)file.text, file.size);
    memset(&file, 0, sizeof file);
}

static void open_file(const char *path, const void *base)
{
    if (file.base == base)
        return;
    hal_function_end();
    file.base = base;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    if (fd >= 0 && fstat(fd, &about) == 0 && about.st_size > 0) {
        void *p = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (p != MAP_FAILED) {
            file.text = p;
            file.size = (size_t)about.st_size;
            read_sections();
        }
    }
    if (fd >= 0)
        close(fd);
}

static const char *find(uint64_t address)
{
    for (size_t i = 0; i < file.count; i++) {
        const ElfW(Sym) *s = &file.symbols[i];
        bool hit = (s->st_info & 15) == STT_FUNC && address >= s->st_value &&
                   address < s->st_value + s->st_size && s->st_name < file.names_size;
        if (hit)
            return file.names + s->st_name;
    }
    return NULL;
}

/* Is this line of a process's map about the address, and a file? Then which. */
static bool maps(const char *line, const void *address, char path[PATH_MAX], Dl_info *info)
{
    unsigned long low, high, offset;
    int at = 0; /* where the path begins, which may have blanks in it */
    if (sscanf(line, "%lx-%lx %*s %lx %*s %*s %n", &low, &high, &offset, &at) != 3 ||
        (uintptr_t)address - low >= high - low || at == 0 || line[at] != '/')
        return false;
    snprintf(path, PATH_MAX, "%s", line + at);
    *info = (Dl_info){.dli_fname = path, .dli_fbase = (void *)(low - offset)};
    return true;
}

/* Where code comes from that the dynamic linker does not know: ranks of a process run instances of
 * the program, mapped from its file once more. Code lies in a file at the offset that is its
 * address in the table. Streams of the C library would allocate. */
static bool mapped_from(const void *address, char path[PATH_MAX], Dl_info *info)
{
    char text[PATH_MAX + 512];
    int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    bool found = false;
    size_t has = 0;
    for (ssize_t n = 1; fd >= 0 && !found && n > 0 && has < sizeof text - 1;) {
        n = read(fd, text + has, sizeof text - 1 - has);
        has += n > 0 ? (size_t)n : 0;
        text[has] = '\0';
        char *line = text, *end;
        while (!found && (end = strchr(line, '\n'))) {
            *end = '\0';
            found = maps(line, address, path, info);
            line = end + 1;
        }
        has -= (size_t)(line - text);
        memmove(text, line, has);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

void hal_function_name(const void *address, char *name, size_t size)
{
    Dl_info info;
    char path[PATH_MAX];
    bool known = dladdr(address, &info) != 0 && info.dli_fname;
    if (!known && !mapped_from(address, path, &info)) {
        snprintf(name, size, "%p", address);
        return;
    }
    open_file(info.dli_fname, info.dli_fbase);
    uint64_t offset = (uint64_t)((uintptr_t)address - (uintptr_t)info.dli_fbase);
    /* A return address may lie one past a call that never returns, so look at the call. */
    const char *found = find((file.moved ? offset : (uint64_t)(uintptr_t)address) - 1);
    if (!found)
        found = info.dli_sname;
    if (found) {
        snprintf(name, size, "%s", found);
        return;
    }
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(name, size, "%s+0x%llx", slash ? slash + 1 : info.dli_fname,
             (unsigned long long)offset);
}
