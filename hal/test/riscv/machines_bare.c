/* SPDX-License-Identifier: MIT */
/* hal/hosted.h as a test inside an image sees it: main runs on each cluster of one machine, and of
 * all machines that it would start, in order, the one whose number was asked for is this one. Those
 * before it were other runs of QEMU (machines_host.c), of which it is told how they ended. */
#include <hal/hosted.h>
#include <test/bare.h>

const char hal_port_name[] = "riscv";

int main(int argc, char **argv); /* or without */

int hal_machine_load(const char *name, struct hal_machine *m, char *why, size_t why_size)
{
    (void)name;
    (void)why;
    (void)why_size;
    *m = *bare_machine();
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
    if (runs < bare_argument())
        return bare_earlier(runs++);
    boot(arg);
    bare_end(0);
}

void bare_ask(bool may)
{
    (void)may;
}

/* A main that returns would have started fewer machines here than on the host. */
_Noreturn void bare_main(void)
{
    char name[] = "test";
    char *argv[] = {name, NULL};
    main(1, argv);
    bare_abort(1, "the machine that was asked for was never started");
}
