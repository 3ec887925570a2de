/* SPDX-License-Identifier: MIT */
/* hal/page.h where a process is a cluster: a fault that nobody serves, cores that reserve and
 * release at once. */
#define _GNU_SOURCE
#include "contract_run.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

#include <hal/page.h>

enum { FILLERS = 1900, CORES = 4, ROUNDS = 30000 / SLOWER };

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

/* What one core releases another one may be given at once, far behind in the table. */
static void *reserve_and_release(void *arg)
{
    (void)arg;
    size_t page = hal_page_size();
    for (int i = 0; i < ROUNDS; i++) {
        void *p;
        unsigned char in_memory;
        CHECK_EQ(hal_page_reserve(page, &p), 0);
        for (int look = 0; look < 4; look++)
            CHECK_EQ(mincore(p, page, &in_memory), 0);
        hal_page_release(p, page);
    }
    return NULL;
}

static void test_cores(void)
{
    pthread_t other[CORES];
    void *p;
    for (int i = 0; i < FILLERS; i++)
        CHECK_EQ(hal_page_reserve(hal_page_size(), &p), 0);
    for (int i = 0; i < CORES; i++)
        CHECK_EQ(pthread_create(&other[i], NULL, reserve_and_release, NULL), 0);
    for (int i = 0; i < CORES; i++)
        CHECK_EQ(pthread_join(other[i], NULL), 0);
}

int main(void)
{
    if (hal_page_size() > 0) {
        test_cores();
        signal(SIGSEGV, SIG_DFL); /* not a sanitizer's */
        CHECK_EQ(contract_run(boot_refused), 128 + SIGSEGV);
    }
    return 0;
}
