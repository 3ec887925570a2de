/* SPDX-License-Identifier: MIT */
/* The main of a contract test on a hosted port: all its machines one after the other, in this
 * process unless their console is looked at. */
#include "contract_run.h"

#include <sys/wait.h>

static const struct contract_case *now;

static void load(struct hal_machine *m, struct hal_options *o)
{
    contract_load("mini", m, o);
    if (now->adapt)
        now->adapt(m);
}

static int run(void)
{
    struct hal_machine m;
    struct hal_options o;
    load(&m, &o);
    o.timeout_ns = now->stuck ? SECOND / 2 : o.timeout_ns;
    return hal_run(&m, &o, now->boot, NULL);
}

static void run_and_exit(void)
{
    exit(run());
}

/* As a shell shows it, also where a signal ended it. */
static int exit_status(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int run_watched(void)
{
    int status;
    const char *text = now->stuck ? contract_capture_stuck(now->boot, now->good, &status)
                                  : contract_capture(run_and_exit, &status);
    CHECK(now->good(text));
    return exit_status(status);
}

bool contract_modelled(void)
{
    return strcmp(hal_port_name, "sim") == 0;
}

int main(void)
{
    for (size_t i = 0; i < contract_case_count; i++) {
        now = &contract_cases[i];
        int status = now->good ? run_watched() : run();
        if (now->status == CONTRACT_FAILS)
            CHECK(status != 0);
        else
            CHECK_EQ(status, now->status);
    }
    return 0;
}
