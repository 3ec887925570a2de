/* SPDX-License-Identifier: MIT */
/* Mailbox, one way, between two processes on two processors, both awake, against the cost of moving
 * one cache line between the same processors, measured in turns in the same run: the distance of
 * two processors of a virtual machine changes from minute to minute. */
#include <stdio.h>
#include <string.h>

#include <base/error.h>
#include <hal/core.h>
#include <hal/clock.h>
#include <hal/event.h>
#include <hal/mailbox.h>

#include "linux_pair.h"

#define TURNS  21
#define ROUNDS 3000

static void send(int to, const struct hal_mail *m, size_t used)
{
    while (hal_mailbox_send(to, m, used) == -B_EAGAIN)
        hal_mailbox_verdict(to);
}

static void receive(bool by_event)
{
    int from;
    while (!hal_mailbox_peek(&from))
        if (by_event)
            hal_event_wait(HAL_NEVER);
    hal_mailbox_release(from, 0);
}

static double mail_ns(int me, size_t used, bool by_event)
{
    struct hal_mail m;
    memset(&m, 1, sizeof m);
    uint64_t start = hal_clock_ns();
    for (int i = 0; i < ROUNDS; i++) {
        if (me == 0)
            send(1, &m, used);
        receive(by_event);
        if (me == 1)
            send(0, &m, used);
        hal_mailbox_verdict(1 - me);
    }
    return (double)(hal_clock_ns() - start) / (2.0 * ROUNDS);
}

static void boot(void *arg)
{
    static const struct {
        const char *name, *target;
        size_t used;
        bool by_event;
    } kinds[] = {{"poll 8 B", "<= 2", 8, false},
                 {"event 8 B", "<= 2", 8, true},
                 {"event 128 B", "", 128, true}};
    enum { KINDS = sizeof kinds / sizeof kinds[0] };
    (void)arg;
    int me = hal_cluster();
    double line[TURNS], mail[KINDS][TURNS], ratio[KINDS][TURNS];
    for (int t = 0; t < TURNS; t++) {
        line[t] = pair_line_ns(me, ROUNDS);
        for (int k = 0; k < KINDS; k++)
            mail[k][t] = mail_ns(me, kinds[k].used, kinds[k].by_event);
        line[t] = (line[t] + pair_line_ns(me, ROUNDS)) / 2;
        for (int k = 0; k < KINDS; k++)
            ratio[k][t] = mail[k][t] / line[t];
    }
    if (me == 0) {
        printf("linux cache line one way,%.1f,ns,\n", bench_median(line, TURNS));
        for (int k = 0; k < KINDS; k++) {
            printf("linux hal mailbox one way %s,%.1f,ns,\n", kinds[k].name,
                   bench_median(mail[k], TURNS));
            printf("linux hal mailbox / cache line %s,%.2f,x,%s\n", kinds[k].name,
                   bench_median(ratio[k], TURNS), kinds[k].target);
        }
    }
}

int main(void)
{
    return pair_run("linux", 0, boot);
}
