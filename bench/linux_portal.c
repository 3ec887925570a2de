/* SPDX-License-Identifier: MIT */
/* Portal, 1 MB between two processes: from allow to completion at the receiver, with a waiting
 * sender, against one memcpy of 1 MB in the same run. "used": before each transfer the sender
 * writes its buffer and the receiver has read the last data; "hot": nobody touches the data in
 * between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/mem.h>
#include <hal/portal.h>
#include <hal/power.h>
#include <hal/sync.h>

#include "linux_pair.h"

#define SIZE   ((size_t)1 << 20)
#define ROUNDS 101

static unsigned sink;

static void must(bool holds, const char *what)
{
    if (!holds)
        hal_abort(1, what);
}

static void touch(char *p, bool write, int round)
{
    unsigned sum = 0;
    if (write) {
        memset(p, round, SIZE);
        return;
    }
    for (size_t i = 0; i < SIZE; i += 64)
        sum += (unsigned char)p[i];
    sink += sum;
}

static void signal_word(void)
{
    while (hal_sync_signal(1, 1) == -B_EAGAIN)
        hal_event_wait(HAL_NEVER);
}

static void await_word(void)
{
    int from;
    uint64_t word;
    while (hal_sync_peek(&from, &word) != 0)
        hal_event_wait(HAL_NEVER);
    hal_sync_release(from);
}

static void sender(char *buf, bool used)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct hal_grant g;
        int handle;
        if (used)
            touch(buf, true, i);
        signal_word();
        while (hal_portal_grant(&g) != 0)
            hal_event_wait(HAL_NEVER);
        must(hal_portal_put(&g, 0, buf, SIZE, HAL_PORTAL_DMA, &handle) == 0,
             "linux_portal: put was refused");
        while (hal_portal_sent(handle) == -B_EAGAIN)
            hal_event_wait(HAL_NEVER);
    }
}

static double receiver(char *buf, bool used)
{
    double us[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        size_t n;
        uint32_t cookie;
        await_word();
        uint64_t start = hal_clock_cycles();
        must(hal_portal_allow(0, 0, 0, buf, SIZE) == 0, "linux_portal: allow was refused");
        while (hal_portal_received(0, &n, &cookie) == -B_EAGAIN)
            hal_event_wait(HAL_NEVER);
        us[i] = (double)(hal_clock_cycles() - start) * 1e6 / (double)hal_clock_hz();
        if (used)
            touch(buf, false, i);
    }
    return bench_median(us, ROUNDS);
}

static double copy(char *to, char *from, bool used)
{
    double us[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        if (used)
            touch(from, true, i);
        uint64_t start = hal_clock_cycles();
        memcpy(to, from, SIZE);
        us[i] = (double)(hal_clock_cycles() - start) * 1e6 / (double)hal_clock_hz();
        if (used)
            touch(to, false, i);
    }
    return bench_median(us, ROUNDS);
}

static void boot(void *arg)
{
    static const struct {
        const char *name, *target;
        bool window, used;
    } kinds[] = {{"window hot", ">= 0.8", true, false},
                 {"window used", ">= 0.8", true, true},
                 {"heap hot", "", false, false},
                 {"heap used", "", false, true}};
    (void)arg;
    void *window;
    size_t size;
    char *heap = malloc(2 * SIZE);
    must(heap != NULL, "linux_portal: no memory");
    hal_mem_window(&window, &size);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        char *buf = kinds[k].window ? window : heap;
        memset(buf, 1, 2 * SIZE);
        if (hal_cluster() == 0) {
            sender(buf, kinds[k].used);
            continue;
        }
        double portal = receiver(buf, kinds[k].used);
        double memory = copy(buf, buf + SIZE, kinds[k].used);
        printf("linux hal portal 1 MB %s,%.1f,us,\n", kinds[k].name, portal);
        printf("linux memcpy 1 MB %s,%.1f,us,\n", kinds[k].name, memory);
        printf("linux hal portal / memcpy speed %s,%.2f,x,%s\n", kinds[k].name, memory / portal,
               kinds[k].target);
    }
    free(heap);
}

int main(void)
{
    return pair_run("linux", 4 * SIZE, boot);
}
