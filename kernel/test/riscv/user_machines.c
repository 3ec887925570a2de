/* SPDX-License-Identifier: MIT */
/* hal/hosted.h and kernel/boot.h as a test sees them that is a program in user mode: as inside any
 * image (hal/test/riscv/machines_image.c), but the kernel runs already, and main is in it. */
#include <hal/hosted.h>
#include <kernel/boot.h>
#include <sys/k_info.h>
#include <test/bare.h>

const char hal_port_name[] = "riscv";

int main(void);
int user_main(void *arg);

const struct hal_machine *hal_machine(void)
{
    return bare_machine();
}

const char *bare_console(void)
{
    return NULL;
}

int hal_machine_load(const char *name, struct hal_machine *m, char *why, size_t why_size)
{
    (void)name;
    (void)why;
    (void)why_size;
    *m = *hal_machine();
    return 0;
}

int hal_options_default(struct hal_options *o, char *why, size_t why_size)
{
    (void)why;
    (void)why_size;
    *o = (struct hal_options){.seed = 0};
    return 0;
}

void hal_result(struct hal_result *r)
{
    *r = (struct hal_result){.cycles = 0};
}

int hal_run(const struct hal_machine *m, const struct hal_options *o, void (*boot)(void *arg),
            void *arg)
{
    static unsigned runs;
    (void)m;
    (void)o;
    if (runs < bare_argument()) {
        return bare_earlier(runs++);
    }
    boot(arg);
    k_power_off(0);
}

_Noreturn void kern_boot(int (*body)(void *arg), void *arg)
{
    k_power_off(body(arg) & 255);
}

int user_main(void *arg)
{
    (void)arg;
    main();
    k_abort(1, "the machine that was asked for was never started");
}
