/* SPDX-License-Identifier: MIT */
/* Call chains by frame pointers: all of this project is compiled with them; a chain ends where
 * other code has none. */
#include "chain.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include <hal/hosted.h>

#include "cpu/cpu.h"

#define DEPTH 24
#define REACH ((uintptr_t)64 * 1024 * 1024) /* bound of a stack that is not known */

/* What every blocked core has on top and at the bottom of its stack says nothing. */
static const char *const noise[] = {"hal_report_print",
                                    "report_print",
                                    "sim_report_deadlock",
                                    "sim_report_timeout",
                                    "sim_report_now",
                                    "sim_dispatch",
                                    "resume",
                                    "hal_context_switch",
                                    "sim_block",
                                    "core_main",
                                    "enter",
                                    "hal_cpu_start"};

static char text[1024];

static bool is_noise(const char *name)
{
    for (size_t i = 0; i < sizeof noise / sizeof noise[0]; i++)
        if (strcmp(name, noise[i]) == 0)
            return true;
    return false;
}

static void add(const void *address)
{
    char name[128];
    hal_function_name(address, name, sizeof name);
    size_t used = strlen(text);
    if (!is_noise(name))
        snprintf(text + used, sizeof text - used, "%s%s", used == 0 ? "" : " < ", name);
}

/* Reads a frame's two words; false where no memory is: a chain may be broken. */
static bool read_frame(uintptr_t frame, uintptr_t words[2])
{
    struct iovec to = {words, 2 * sizeof words[0]}, from = {(void *)frame, 2 * sizeof words[0]};
    return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)(2 * sizeof words[0]);
}

static void follow(uintptr_t frame, uintptr_t low, uintptr_t high)
{
    for (int depth = 0; depth < DEPTH; depth++) {
        bool plausible =
            frame > low && frame + 2 * sizeof(uintptr_t) <= high && frame % sizeof(uintptr_t) == 0;
        uintptr_t words[2];
        if (!plausible || !read_frame(frame, words) || words[1] == 0)
            return;
        add((const void *)words[1]);
        low = frame;
        frame = words[0];
    }
}

const char *sim_chain(const void *sp, const void *base, size_t size)
{
    text[0] = '\0';
    if (sp) {
        uintptr_t low = (uintptr_t)sp;
        add(hal_cpu_frame_resume(sp));
        follow((uintptr_t)hal_cpu_frame_pointer(sp), low,
               base ? (uintptr_t)base + size : low + REACH);
    }
    return text;
}

const char *sim_chain_here(void)
{
    uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    text[0] = '\0';
    follow(frame, frame - 1, frame + REACH);
    return text;
}

void sim_chain_end(void)
{
    hal_function_end();
}
