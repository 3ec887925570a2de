/* SPDX-License-Identifier: MIT */
#include "riscv.h"

#include <base/fmt.h>

const struct hal_machine *hal_machine(void)
{
    return &rv_board()->machine;
}

int hal_node(void)
{
    return rv_cluster;
}

const char *hal_node_name(void)
{
    /* Programs read it. */
    static char name[HAL_MACHINE_NAME_MAX + 16] __attribute__((section(".user.data.name")));
    if (name[0] == '\0')
        b_fmt(name, sizeof name, "%s-%d", hal_machine()->name, rv_cluster);
    return name;
}
