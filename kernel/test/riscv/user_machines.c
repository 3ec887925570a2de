/* SPDX-License-Identifier: MIT */
/* The main of a test that is a program in user mode: the kernel runs already, and main is in it. */
#include <hal/machine.h>
#include <kernel/boot.h>
#include <test/bare.h>

int user_main(void *arg);

const struct hal_machine *hal_machine(void)
{
    return bare_machine();
}

const char *bare_console(void)
{
    return NULL;
}

_Noreturn void kern_boot(int (*body)(void *arg), void *arg)
{
    bare_end(body(arg) & 255);
}

int user_main(void *arg)
{
    (void)arg;
    bare_main();
}
