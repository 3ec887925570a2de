/* SPDX-License-Identifier: MIT */
/* Servers by tasks: the same rounds, made by a task that runs to its end each time, on the stack of
 * the Dispatcher.
 *
 *     completion at a mailbox --signal--> serve --deadline known: dispatch--> clock
 *                                           ^                                  | period passed
 *                                           +-------- strike: flow, user 0 <---+
 */
#include <svc/daemon.h>

#include <limits.h>

#include <base/error.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

/* Makes `clock` strike at `next`, or as late as a task's period allows: that round sets it again.
 * One that waits for a later instant strikes now: it releases one more round, which finds it at
 * rest and sets it anew. */
static void set_alarm(struct svc_daemon *d, uint64_t next, uint64_t now)
{
    long state = K_TASK_INVALID;
    k_task_get(&d->clock, K_TASK_STATE, &state);
    bool waits = state == K_TASK_PERIODIC;
    if (next == K_FOREVER || (waits && d->alarm <= next))
        return;
    if (waits) {
        k_task_complete(&d->clock, K_USER0, 0);
        return;
    }
    uint64_t period = next - now < LONG_MAX ? next - now : LONG_MAX;
    d->alarm = now + period;
    k_task_set(&d->clock, K_TASK_PERIOD, (long)period);
    k_task_dispatch(&d->clock, NULL);
}

static int serve(long self, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct svc_daemon *d = (struct svc_daemon *)self;
    uint64_t next = d->over ? 0 : svc_server_step(&d->server);
    if (next == 0) {
        if (!d->over)
            svc_server_close(&d->server);
        d->over = true;
        return K_USER1;
    }
    uint64_t now = k_time_cycles();
    if (next <= now)
        return K_AGAIN;
    set_alarm(d, next, now);
    return K_USER0;
}

static int strike(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return K_USER0;
}

static void forget(struct svc_daemon *d)
{
    k_task_disconnect(&d->strike);
    k_task_unlink(&d->clock);
    k_task_unlink(&d->serve);
}

static int begin(struct svc_daemon *d)
{
    struct svc_server *s = &d->server;
    d->over = false;
    d->alarm = K_FOREVER;
    d->serve.state = d->clock.state = K_TASK_INVALID;
    d->strike = (struct k_arc){0};
    struct k_task_attr round = {
        .fn = serve, .priority = K_TASK_LOW, .core = K_ANY, .releases = K_USER1 | K_THROW};
    struct k_task_attr clock = {
        .fn = strike, .criterion = K_TO_PERIODIC, .period = 1, .core = K_ANY};
    int r = k_task_create(&d->serve, &round);
    r = r < 0 ? r : k_task_create(&d->clock, &clock);
    r = r < 0 ? r
              : k_task_connect(&d->strike, &d->clock, &d->serve, K_FLOW | K_PERSISTENT, K_USER0);
    r = r < 0 ? r : k_task_set(&d->serve, K_TASK_ARG0, (long)d);
    r = r < 0 ? r : k_ikc_attach_task(K_MAILBOX, s->in, &d->serve);
    s->task = &d->serve;
    for (int i = 0; i < SVC_LINES; i++)
        r = r < 0 ? r : k_ikc_attach_task(K_MAILBOX, s->line[i], &d->serve);
    for (int i = 0; i < s->watches; i++)
        r = r < 0 ? r : k_ikc_attach_task(s->watched[i].facility, s->watched[i].id, &d->serve);
    r = r < 0 ? r : k_task_dispatch(&d->serve, NULL);
    if (r < 0)
        forget(d);
    return r;
}

/* Releases that were under way when the server ended make empty rounds first. */
static int end(struct svc_daemon *d)
{
    int r = k_task_wait(&d->serve, K_FOREVER, NULL);
    struct k_info info;
    k_info(&info);
    k_task_disconnect(&d->strike);
    while (k_task_unlink(&d->clock) == -B_EBUSY || k_task_unlink(&d->serve) == -B_EBUSY)
        k_thread_sleep(info.hz / 100000);
    return r;
}

const struct svc_form svc_by_tasks = {"tasks", begin, end};
