/* SPDX-License-Identifier: MIT */
/* To write: the numbers of the board, or what firmware says about it. Field by field they are
 * what a machine file says on the hosted ports (machines/mppa256.machine). The contract tests from
 * console (step 2) on want the machine that is described at port_board (boot/image.ld), but for its
 * hz, which is the clock's: a copy with that rate is right. */
#include <hal/machine.h>

static const struct hal_machine machine = {.name = "template",
                                           .hz = 1000000,
                                           .compute_clusters = 1,
                                           .compute_cores = 1,
                                           .page_size = 4096,
                                           .mail_slots = 1,
                                           .portal_channels = 1,
                                           .sync_slots = 1};

const struct hal_machine *hal_machine(void)
{
    return &machine;
}

int hal_node(void)
{
    return 0;
}

const char *hal_node_name(void)
{
    return machine.name;
}
