/* SPDX-License-Identifier: MIT */
#include <test/bare.h>

#include "../../riscv/riscv.h"

unsigned bare_argument(void)
{
    return rv_board()->argument;
}

int bare_earlier(unsigned argument)
{
    return rv_board()->earlier[argument];
}

const struct hal_machine *bare_machine(void)
{
    return &rv_board()->machine;
}
