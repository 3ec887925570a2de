/* SPDX-License-Identifier: MIT */
/* The contract tests on bare metal, inside the image: the case that was asked for runs, with the C
 * library's streams on the console. */
#include "../contract.h"

#include <unistd.h>

#include <hal/console.h>

#include "../../riscv/riscv.h"

/* A line is written at once, so that it stays whole; of each cluster, as all that it writes here
 * comes from a test that fails. */
static int put(char c, FILE *file)
{
    static char line[256];
    static size_t used;
    (void)file;
    line[used++] = c;
    if (c == '\n' || used == sizeof line) {
        hal_console_write(line, used);
        used = 0;
    }
    return 0;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdin = &console;
FILE *const stdout = &console;
FILE *const stderr = &console;

_Noreturn void _exit(int status)
{
    hal_abort(status, NULL);
}

bool contract_modelled(void)
{
    return false;
}

void rv_main(void)
{
    CHECK(rv_board()->argument < contract_case_count);
    contract_cases[rv_board()->argument].boot(NULL);
}
