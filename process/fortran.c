/* SPDX-License-Identifier: MIT */
/* Fortran's run-time library writes its units 0 and 6 to the descriptors by itself, past stdio.
 * Where ranks share a process these writes come here and go the way of stdout and stderr, so that
 * lines stay whole, get labels, and reach the files of their ranks.
 *
 * Fortran's names of MPI's functions are linked into each program (fortran/place.c). */
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/site.h>
#include <process/image.h>

#include "behind.h"
#include "fortran.h"

/* Where the code of that library lies; 0, 0: it is not loaded. Found before ranks run. */
static uintptr_t low, high;

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    if (!strstr(info->dlpi_name, "/libgfortran.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        if (p->p_type == PT_LOAD && (p->p_flags & PF_X) != 0) {
            low = info->dlpi_addr + p->p_vaddr;
            high = low + p->p_memsz;
        }
    }
    return 1;
}

void image_fortran_find(void)
{
    dl_iterate_phdr(look, NULL);
}

bool image_is_fortran(const void *code)
{
    return (uintptr_t)code >= low && (uintptr_t)code < high;
}

EXPORT atomic_bool image_fortran;

/* Each copy of the program says so of its own. */
EXPORT void image_fortran_begins(const void *begin, const void *end, void (*crash)(int))
{
    hal_site_skip((uintptr_t)begin, (uintptr_t)end);
    atomic_store_explicit(&image_fortran, true, memory_order_relaxed);
    if (crash)
        hal_site_skip((uintptr_t)crash, (uintptr_t)crash + 1);
}

EXPORT const void *image_fortran_site(void *const *frame)
{
    return hal_site_skips((uintptr_t)frame[1]) ? ((void *const *)frame[0])[1] : frame[1];
}

typedef ssize_t write_function(int fd, const void *text, size_t n);
typedef ssize_t writev_function(int fd, const struct iovec *pieces, int count);

EXPORT ssize_t write(int fd, const void *text, size_t n)
{
    static _Atomic(write_function *) known; /* several threads may find it at once */
    if (image_is_fortran(__builtin_return_address(0)) && image_output_write(fd, text, n))
        return (ssize_t)n;
    write_function *next = atomic_load_explicit(&known, memory_order_relaxed);
    if (!next) {
        *(void **)&next = image_behind("write");
        atomic_store_explicit(&known, next, memory_order_relaxed);
    }
    return next(fd, text, n);
}

EXPORT ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    static _Atomic(writev_function *) known;
    ssize_t n = 0;
    int i = image_is_fortran(__builtin_return_address(0)) ? 0 : count;
    while (i < count && image_output_write(fd, pieces[i].iov_base, pieces[i].iov_len))
        n += (ssize_t)pieces[i++].iov_len;
    if (n > 0)
        return n;
    writev_function *next = atomic_load_explicit(&known, memory_order_relaxed);
    if (!next) {
        *(void **)&next = image_behind("writev");
        atomic_store_explicit(&known, next, memory_order_relaxed);
    }
    return next(fd, pieces, count);
}
