/* SPDX-License-Identifier: MIT */
/* The contract tests on bare metal, inside the image: the case that was asked for runs. */
#include "../contract.h"

#include "../../riscv/riscv.h"

bool contract_modelled(void)
{
    return false;
}

void rv_main(void)
{
    CHECK(rv_board()->argument < contract_case_count);
    contract_cases[rv_board()->argument].boot(NULL);
}
