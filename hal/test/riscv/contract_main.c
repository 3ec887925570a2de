/* SPDX-License-Identifier: MIT */
/* The main of a contract test on bare metal, on the computer that runs QEMU: one machine for each
 * case. The functions of the test are linked in, but only `adapt` and `good` run here. */
#include "../contract.h"

#include <hal/hosted.h>

#include "qemu.h"

bool contract_modelled(void)
{
    return false;
}

static void run(unsigned i)
{
    const struct contract_case *c = &contract_cases[i];
    struct hal_machine m;
    char why[256];
    const char *text;
    if (hal_machine_load("mini", &m, why, sizeof why) != 0) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    if (c->adapt)
        c->adapt(&m);
    int status = qemu_run(&m, i, &text);
    bool good = c->status == CONTRACT_FAILS ? status != 0 : status == c->status;
    if (!good) {
        fprintf(stderr, "case %u ended with status %d, should be %d; its console:\n%s", i, status,
                c->status, text);
        exit(1);
    }
    CHECK(!c->good || c->good(text));
}

int main(void)
{
    for (unsigned i = 0; i < contract_case_count; i++)
        run(i);
    return 0;
}
