/* SPDX-License-Identifier: MIT */
/* Call chains by frame pointers: all of this project is compiled with them; a chain ends where other
 * code has none. */
#include "chain.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <hal/console.h>

#include "cpu/cpu.h"

#define DEPTH 24
#define REACH ((uintptr_t)64 * 1024 * 1024) /* bound of a stack that is not known */

/* Reads a frame's two words; false where no memory is: a chain may be broken. */
static bool read_frame(uintptr_t frame, uintptr_t words[2])
{
    struct iovec to = {words, 2 * sizeof words[0]}, from = {(void *)frame, 2 * sizeof words[0]};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)(2 * sizeof words[0]);
}

static void print_function(const void *address)
{
    char line[512];
    Dl_info info;
    int n;
    if (dladdr(address, &info) != 0 && info.dli_fname != NULL) {
        const char *slash = strrchr(info.dli_fname, '/');
        const char *file = slash == NULL ? info.dli_fname : slash + 1;
        unsigned long offset = (unsigned long)((uintptr_t)address - (uintptr_t)info.dli_fbase);
        n = info.dli_sname == NULL ? snprintf(line, sizeof line, "      %s+0x%lx\n", file, offset)
                                   : snprintf(line, sizeof line, "      %s (%s+0x%lx)\n",
                                              info.dli_sname, file, offset);
    } else {
        n = snprintf(line, sizeof line, "      %p\n", address);
    }
    hal_console_write(line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

static void follow(uintptr_t frame, uintptr_t low, uintptr_t high)
{
    for (int depth = 0; depth < DEPTH; depth++) {
        bool plausible =
            frame > low && frame + 2 * sizeof(uintptr_t) <= high && frame % sizeof(uintptr_t) == 0;
        uintptr_t words[2];
        if (!plausible || !read_frame(frame, words) || words[1] == 0) {
            return;
        }
        print_function((const void *)words[1]);
        low = frame;
        frame = words[0];
    }
}

void sim_chain_print(const void *sp, const void *base, size_t size)
{
    if (sp == NULL) {
        return;
    }
    uintptr_t low = (uintptr_t)sp;
    print_function(hal_cpu_frame_resume(sp));
    follow((uintptr_t)hal_cpu_frame_pointer(sp), low,
           base == NULL ? low + REACH : (uintptr_t)base + size);
}

void sim_chain_print_here(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    follow(frame, frame - 1, frame + REACH);
}
