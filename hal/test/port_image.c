/* SPDX-License-Identifier: MIT */
/* The contract tests on a port that is being written (docs/porting.md), inside the image: the case
 * runs whose number whoever started the machine left in memory. */
#include "contract.h"

extern const volatile uint32_t port_case; /* boot/image.ld of the port */

void port_main(void);

bool contract_modelled(void)
{
    return false;
}

void port_main(void)
{
    uint32_t number = port_case;
    CHECK(number < contract_case_count);
    contract_cases[number].boot(NULL);
    hal_power_off(0);
}
