/* SPDX-License-Identifier: MIT */
/* The machine that stands at port_board, with the rate of the clock that is there. A cluster's
 * first core asks for it before others run there. */
#include "port.h"

#include <hal/clock.h>
#include <hal/core.h>

const struct hal_machine *hal_machine(void)
{
    static struct hal_machine machine;
    static bool made;
    if (!made) {
        machine = port_board.machine;
        machine.hz = hal_clock_hz();
        made = true;
    }
    return &machine;
}

int hal_node(void)
{
    return hal_cluster();
}

const char *hal_node_name(void)
{
    return port_board.machine.name;
}
