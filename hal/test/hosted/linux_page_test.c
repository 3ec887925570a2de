/* SPDX-License-Identifier: MIT */
/* hal/page.h where a process is a cluster: a fault that nobody serves. */
#include "contract_run.h"

#include <signal.h>

#include <hal/page.h>

static bool refuse(void *address, bool write)
{
    (void)address;
    (void)write;
    return false;
}

/* A fault that nobody serves is the signal that it always was. */
static void boot_refused(void *arg)
{
    (void)arg;
    void *p;
    hal_page_handler(refuse);
    CHECK_EQ(hal_page_reserve(hal_page_size(), &p), 0);
    *(volatile char *)p = 1;
}

int main(void)
{
    if (hal_page_size() > 0) {
        signal(SIGSEGV, SIG_DFL); /* not a sanitizer's */
        CHECK_EQ(contract_run(boot_refused), 128 + SIGSEGV);
    }
    return 0;
}
