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

uintptr_t bare_at(enum bare_place place)
{
    static const uintptr_t at[] = {[BARE_FINISHER] = RV_FINISHER,
                                   [BARE_INTERRUPTS] = RV_CLINT,
                                   [BARE_SERIAL] = RV_UART,
                                   [BARE_IMAGE] = RV_BOOT,
                                   [BARE_NETWORK] = RV_NOC};
    return at[place];
}

uintptr_t bare_cage(int cluster)
{
    return rv_cage(cluster);
}

uintptr_t bare_cage_bytes(void)
{
    return RV_CAGE_BYTES;
}
