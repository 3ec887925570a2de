/* SPDX-License-Identifier: MIT */
/* The kernel's mailbox, one way, between two processes on two processors, both awake, against the
 * cost of moving one cache line between the same processors, measured in turns in the same run. A
 * write is complete when the receiving kernel has stored the message. "blocking" waits for that
 * before it reads the answer; "overlapped" starts the write, reads, and then takes the
 * completion; "streamed" posts mails, waits for none of them, and looks for the answer itself, as
 * MPI does. */
#include <stdio.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <kernel/boot.h>
#include <sys/k_ikc.h>
#include <sys/k_mailbox.h>
#include <sys/k_thread.h>

#include "linux_pair.h"

#define TURNS  21
#define ROUNDS 3000
#define PORT   3

static int in, named, out; /* named: to the other one, out: to whomever a call names */

static void ping(char *data, size_t n, bool overlapped)
{
    if (overlapped)
        k_mailbox_awrite(named, K_ANY, K_ANY, data, n);
    else
        k_mailbox_write(named, data, n);
}

static double mail_ns(int me, size_t n, bool overlapped)
{
    char data[HAL_MAIL_DATA] = {0};
    uint64_t start = hal_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0)
            ping(data, n, overlapped);
        k_mailbox_read(in, data, sizeof data, NULL);
        if (me == 1)
            ping(data, n, overlapped);
        if (overlapped)
            k_ikc_wait(K_MAILBOX, named, K_FOREVER);
    }
    return (double)(hal_clock_ns() - start) / (2.0 * ROUNDS);
}

static double blocking_ns(int me, size_t n)
{
    return mail_ns(me, n, false);
}

static double overlapped_ns(int me, size_t n)
{
    return mail_ns(me, n, true);
}

static void post(int to, size_t n)
{
    static struct k_mail mail[8];
    static unsigned next;
    struct k_mail *m = &mail[next++ % (sizeof mail / sizeof mail[0])];
    m->size = (uint32_t)n;
    while (k_mailbox_post(out, to, PORT, m) == -B_EBUSY)
        k_thread_yield();
}

static double streamed_ns(int me, size_t n)
{
    char data[HAL_MAIL_DATA];
    uint64_t start = hal_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0)
            post(1, n);
        k_mailbox_read(in, data, sizeof data, NULL);
        if (me == 1)
            post(0, n);
    }
    return (double)(hal_clock_ns() - start) / (2.0 * ROUNDS);
}

static int program(void *arg)
{
    static const struct {
        const char *name, *target;
        double (*measure)(int me, size_t n);
        size_t n;
    } kinds[] = {{"blocking 8 B", "", blocking_ns, 8},
                 {"overlapped 8 B", "<= 2", overlapped_ns, 8},
                 {"overlapped 128 B", "", overlapped_ns, HAL_MAIL_DATA},
                 {"streamed 8 B", "<= 2", streamed_ns, 8},
                 {"streamed 128 B", "", streamed_ns, HAL_MAIL_DATA}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    (void)arg;
    int me = hal_cluster();
    double line[TURNS], mail[KINDS][TURNS], ratio[KINDS][TURNS];
    in = k_mailbox_create(PORT);
    named = k_mailbox_open(1 - me, PORT);
    out = k_mailbox_open(K_ANY, K_ANY);
    if (in < 0 || named < 0 || out < 0) {
        fprintf(stderr, "no mailbox: %d %d %d\n", in, named, out);
        return 1;
    }
    pair_line_ns(me, 1); /* both ports are there */
    for (int t = 0; t < TURNS; t++) {
        line[t] = pair_line_ns(me, ROUNDS);
        for (int k = 0; k < KINDS; k++)
            mail[k][t] = kinds[k].measure(me, kinds[k].n);
        line[t] = (line[t] + pair_line_ns(me, ROUNDS)) / 2;
        for (int k = 0; k < KINDS; k++)
            ratio[k][t] = mail[k][t] / line[t];
    }
    if (me == 0) {
        for (int k = 0; k < KINDS; k++) {
            printf("linux k_mailbox one way %s,%.1f,ns,\n", kinds[k].name,
                   bench_median(mail[k], TURNS));
            printf("linux k_mailbox / cache line %s,%.2f,x,%s\n", kinds[k].name,
                   bench_median(ratio[k], TURNS), kinds[k].target);
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
