/* SPDX-License-Identifier: MIT */
/* A test that starts machines by hal_run, on a port that is being written: what test/bare.h says of
 * the run it is in stands at port_board. */
#include <hal/virt.h>
#include <test/bare.h>

extern const struct hal_virt port_board; /* boot/image.ld of the port */

void port_main(void);

unsigned bare_argument(void)
{
    return port_board.argument;
}

int bare_earlier(unsigned argument)
{
    return port_board.earlier[argument];
}

const struct hal_machine *bare_machine(void)
{
    return &port_board.machine;
}

void port_main(void)
{
    bare_main();
}
