/* SPDX-License-Identifier: MIT */
/* A test's hal_run on the computer that runs QEMU: the linker puts it in place of the port's. The
 * same main runs here and inside the image; here it starts one QEMU for each machine. */
#include <stdio.h>

#include <hal/hosted.h>

#include <test/bare.h>

#include "qemu.h"

static const char *text;

int __wrap_hal_run(const struct hal_machine *m, const struct hal_options *o,
                   void (*boot)(void *arg), void *arg);

int __wrap_hal_run(const struct hal_machine *m, const struct hal_options *o,
                   void (*boot)(void *arg), void *arg)
{
    static unsigned runs;
    (void)o;
    (void)boot;
    (void)arg;
    int status = qemu_run(m, runs++, &text);
    fputs(text, status == 0 ? stdout : stderr);
    return status;
}

void bare_ask(bool may)
{
    qemu_ask(may);
}

const char *bare_console(void)
{
    return text;
}
