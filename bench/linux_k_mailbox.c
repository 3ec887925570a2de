/* SPDX-License-Identifier: MIT */
/* The kernel's mailbox, one way, between two processes on two processors, both awake, against the
 * cost of moving one cache line between the same processors, measured in turns in the same run. A
 * write is complete when the receiving kernel has stored the message. "blocking" waits for that
 * before it reads the answer; "overlapped" starts the write, reads, and then takes the
 * completion. */
#include <stdio.h>

#include <hal/clock.h>
#include <hal/core.h>
#include <kernel/boot.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>

#include "linux_pair.h"

#define TURNS  21
#define ROUNDS 3000
#define PORT   3

static int in, out;

static void ping(char *data, size_t n, bool overlapped)
{
    if (overlapped) {
        k_mailbox_awrite(out, K_ANY, K_ANY, data, n);
    } else {
        k_mailbox_write(out, data, n);
    }
}

static double mail_ns(int me, size_t n, bool overlapped)
{
    char data[HAL_MAIL_DATA] = {0};
    uint64_t start = hal_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0) {
            ping(data, n, overlapped);
        }
        k_mailbox_read(in, data, sizeof data, NULL);
        if (me == 1) {
            ping(data, n, overlapped);
        }
        if (overlapped) {
            k_ikc_wait(K_MAILBOX, out, K_FOREVER);
        }
    }
    return (double)(hal_clock_ns() - start) / (2.0 * ROUNDS);
}

static int program(void *arg)
{
    static const struct {
        const char *name, *target;
        size_t n;
        bool overlapped;
    } kinds[] = {{"blocking 8 B", "", 8, false},
                 {"overlapped 8 B", "<= 2", 8, true},
                 {"overlapped 128 B", "", HAL_MAIL_DATA, true}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    (void)arg;
    int me = hal_cluster();
    double line[TURNS], mail[KINDS][TURNS], ratio[KINDS][TURNS];
    in = k_mailbox_create(PORT);
    out = k_mailbox_open(1 - me, PORT);
    if (in < 0 || out < 0) {
        fprintf(stderr, "no mailbox: %d %d\n", in, out);
        return 1;
    }
    pair_line_ns(me, 1); /* both ports are there */
    for (int t = 0; t < TURNS; t++) {
        line[t] = pair_line_ns(me, ROUNDS);
        for (int k = 0; k < KINDS; k++) {
            mail[k][t] = mail_ns(me, kinds[k].n, kinds[k].overlapped);
        }
        line[t] = (line[t] + pair_line_ns(me, ROUNDS)) / 2;
        for (int k = 0; k < KINDS; k++) {
            ratio[k][t] = mail[k][t] / line[t];
        }
    }
    if (me == 0) {
        for (int k = 0; k < KINDS; k++) {
            printf("linux k_mailbox one way %s,%.1f,ns,\n", kinds[k].name,
                   pair_median(mail[k], TURNS));
            printf("linux k_mailbox / cache line %s,%.2f,x,%s\n", kinds[k].name,
                   pair_median(ratio[k], TURNS), kinds[k].target);
        }
    }
    return 0;
}

static void boot(void *arg)
{
    kern_boot(program, arg);
}

int main(void)
{
    return pair_run("linux", 0, boot);
}
