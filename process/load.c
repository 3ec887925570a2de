/* SPDX-License-Identifier: MIT */
/* Another program in this process, for ranks that share it but do not run the same program.
 *
 * A program that could be placed anywhere is a shared library in all but name: one flag in its
 * dynamic section keeps the C library from loading it. A copy without the flag is loaded, and its
 * first instructions are run: they ask for __libc_start_main and hand it the program's main, which
 * is all that is wanted of them. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/error.h>
#include <process/image.h>

#include "object.h"
#include "template.h"

static struct image_program *learning; /* whose main is to be learned; NULL: none */
static jmp_buf learned;

void image_learn_main(image_main_function *main)
{
    if (!learning)
        return;
    learning->main = main;
    longjmp(learned, 1);
}

/* A private copy of the file; a descriptor, or -1 with errno set. */
static int copy(const char *path)
{
    struct stat st;
    int from = open(path, O_RDONLY | O_CLOEXEC);
    bool known = from >= 0 && fstat(from, &st) == 0;
    int to = known ? image_memory_file(path, (uint64_t)st.st_size) : -1;
    bool whole = to >= 0;
    for (off_t done = 0; whole && done < st.st_size;)
        whole = sendfile(to, from, &done, (size_t)(st.st_size - done)) > 0;
    if (from >= 0)
        close(from);
    if (whole || to < 0)
        return to;
    close(to);
    return -1;
}

static bool get(int fd, void *to, size_t n, uint64_t at)
{
    return pread(fd, to, n, (off_t)at) == (ssize_t)n;
}

/* Takes the flag away; NULL, or why this file cannot be loaded. */
static const char *unflag(int fd, ElfW(Addr) * entry)
{
    ElfW(Ehdr) head;
    if (!get(fd, &head, sizeof head, 0) || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_phentsize != sizeof(ElfW(Phdr)))
        return "it is no ELF file";
    if (head.e_type != ET_DYN)
        return "it is built for one fixed address (compile it with -fPIE, link it with -pie)";
    *entry = head.e_entry;
    ElfW(Phdr) dynamic = {0};
    for (int i = 0; i < head.e_phnum; i++) {
        ElfW(Phdr) p;
        if (!get(fd, &p, sizeof p, head.e_phoff + (uint64_t)i * sizeof p))
            return "it is damaged";
        if (p.p_type == PT_TLS)
            return "it has thread-local variables";
        if (p.p_type == PT_DYNAMIC)
            dynamic = p;
    }
    for (uint64_t at = 0; at + sizeof(ElfW(Dyn)) <= dynamic.p_filesz; at += sizeof(ElfW(Dyn))) {
        ElfW(Dyn) d;
        if (!get(fd, &d, sizeof d, dynamic.p_offset + at))
            return "it is damaged";
        if (d.d_tag != DT_FLAGS_1)
            continue;
        d.d_un.d_val &= ~(ElfW(Xword))DF_1_PIE;
        if (pwrite(fd, &d, sizeof d, (off_t)(dynamic.p_offset + at)) != (ssize_t)sizeof d)
            return "its copy cannot be written";
    }
    return dynamic.p_filesz == 0 ? "it is linked statically" : NULL;
}

/* The program may have a copy of each of these variables of the C library, made before the streams
 * of this process were put under the line discipline of output.c or after. */
static void give_streams(void *handle)
{
    FILE **copy_of_out = dlsym(handle, "stdout"), **copy_of_err = dlsym(handle, "stderr");
    if (copy_of_out)
        *copy_of_out = stdout;
    if (copy_of_err)
        *copy_of_err = stderr;
}

static void learn(struct image_program *p, ElfW(Addr) start)
{
    void (*entry)(void);
    memcpy(&entry, &start, sizeof entry);
    learning = p;
    if (setjmp(learned) == 0)
        entry();
    learning = NULL;
}

/* The descriptor stays open: the C library knows a loaded file by its name, which is the
 * descriptor's; and so does a debugger, to which it says whose. */
int image_program_load(struct image_program *p, char *why, size_t size)
{
    char name[64];
    ElfW(Addr) entry = 0;
    const char *path = p->argv[-1], *reason = NULL;
    struct link_map *map = NULL;
    int fd = copy(path);
    if (fd < 0)
        reason = strerror(errno);
    if (!reason)
        reason = unflag(fd, &entry);
    snprintf(name, sizeof name, "/proc/%d/fd/%d", (int)getpid(), fd);
    void *handle = reason ? NULL : dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!reason && (!handle || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0))
        reason = dlerror();
    if (reason) {
        snprintf(why, size,
                 "%.300s: cannot join this program to others in one process: %.200s; as a process "
                 "per rank on machine linux it can run",
                 path, reason);
        return -B_EINVAL;
    }
    give_streams(handle);
    image_fortran_find();
    learn(p, map->l_addr + entry);
    p->object = image_object_new(map->l_addr, fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (p->object) {
        p->object->joined = true;
        p->object->path = path;
    }
    return 0;
}
