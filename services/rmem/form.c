/* SPDX-License-Identifier: MIT */
/* Who makes the steps of the flow: a thread, or a graph of tasks.
 *
 * The graph. An arc for each entry of svc_rmem_next; besides,
 *
 *     completion at a mailbox or portal --signal--> event --waited for--> flushed, fetched, find
 *     kick --signal--> find
 *     flush --throw--> flushed --throw--> fetch --throw--> fetched --catch--> failed
 *
 * so an error of any exchange passes through the rest of the flow, which forgets what it had
 * pending, and releases the one task that cares. */
#include "rmem/flow.h"

#include <base/error.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

/* By a thread ---------------------------------------------------------------------------------- */

static int conclusion(int c)
{
    return c == K_USER0 ? 0 : c == K_USER1 ? 1 : 2;
}

static void run(struct svc_rmem_flow *f)
{
    uint8_t step = f->phase;
    while (step != RMEM_REST) {
        int c = svc_rmem_steps[step](f);
        step = c < 0 ? (uint8_t)SVC_STEP_FAILED : svc_rmem_next[step][conclusion(c)];
    }
}

/* Completions of the flow's exchanges tell the bell, the task, or nobody. */
static int attach(struct svc_rmem_flow *f, struct k_bell *bell, struct k_task *task)
{
    const int mailbox[] = {f->mail_in, f->mail_out}, portal[] = {f->portal_in, f->portal_out};
    int e = 0;
    for (int i = 0; i < 4; i++) {
        enum k_facility facility = i < 2 ? K_MAILBOX : K_PORTAL;
        int id = i < 2 ? mailbox[i] : portal[i - 2];
        e = e < 0  ? e
            : task ? k_ikc_attach_task(facility, id, task)
                   : k_ikc_attach(facility, id, bell);
    }
    return e;
}

static int attach_all(struct svc_rmem *r)
{
    int e = k_bell_init(&r->ring, "remote memory flow");
    for (int i = 0; i < r->flows; i++)
        e = e < 0 ? e : attach(&r->flow[i], &r->ring, NULL);
    return e < 0 ? e : svc_rmem_space_attach(r, &r->ring, NULL);
}

/* The bell is the thread's, so it attaches itself. */
static void thread_main(void *arg)
{
    struct svc_rmem *r = arg;
    r->begin = attach_all(r);
    bool over = r->begin < 0;
    k_sem_up(&r->begun);
    while (!over) {
        for (int i = 0; i < r->flows; i++)
            run(&r->flow[i]);
        k_wait_lock(&r->bell);
        over = r->over;
        k_wait_unlock(&r->bell);
        if (!over)
            k_bell_wait(&r->ring, K_FOREVER);
        k_bell_take(&r->ring);
    }
}

static int thread_begin(struct svc_rmem *r)
{
    k_sem_init(&r->begun, 0);
    r->thread = k_thread_create(
        &(struct k_thread_attr){.entry = thread_main, .arg = r, .name = "pages", .core = K_ANY});
    if (r->thread < 0)
        return r->thread;
    k_sem_down(&r->begun, K_FOREVER);
    if (r->begin < 0)
        k_thread_join(r->thread, NULL);
    return r->begin;
}

static void thread_kick(struct svc_rmem_flow *f)
{
    k_bell_ring(&f->r->ring, K_BELL_FIRST);
}

static void thread_end(struct svc_rmem *r)
{
    k_wait_lock(&r->bell);
    r->over = true;
    k_wait_unlock(&r->bell);
    thread_kick(&r->flow[0]);
    k_thread_join(r->thread, NULL);
}

const struct svc_rmem_form svc_rmem_by_thread = {"thread", thread_begin, thread_end, thread_kick};

/* By tasks ------------------------------------------------------------------------------------- */

static int make_step(long self, long step, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    return svc_rmem_steps[step]((struct svc_rmem_flow *)self);
}

/* Something that the flow may wait for has happened. */
static int event(long self, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    const struct svc_rmem_flow *f = (const struct svc_rmem_flow *)self;
    return f->phase == SVC_STEP_FLUSHED   ? K_USER0
           : f->phase == SVC_STEP_FETCHED ? K_USER1
                                          : K_USER2;
}

static int make_task(struct k_task *t, k_task_fn *fn, struct svc_rmem_flow *f, int step)
{
    struct k_task_attr attr = {
        .fn = fn, .priority = K_TASK_HIGH, .core = K_ANY, .releases = K_THROW};
    int e = k_task_create(t, &attr);
    e = e < 0 ? e : k_task_set(t, K_TASK_ARG0, (long)f);
    return e < 0 ? e : k_task_set(t, (enum k_task_field)(K_TASK_ARG0 + 1), step);
}

static int connect(struct svc_rmem_flow *f, int *arcs, struct k_task *from, int to,
                   unsigned conditions)
{
    return k_task_connect(&f->arc[(*arcs)++], from, &f->step[to], K_FLOW | K_PERSISTENT,
                          conditions);
}

static int make_graph(struct svc_rmem_flow *f)
{
    static const unsigned user[] = {K_USER0, K_USER1, K_USER2};
    static const uint8_t woken[] = {SVC_STEP_FLUSHED, SVC_STEP_FETCHED, SVC_STEP_FIND};
    static const struct {
        uint8_t from, to;
        unsigned condition;
    } error[] = {{SVC_STEP_FLUSH, SVC_STEP_FLUSHED, K_THROW},
                 {SVC_STEP_FLUSHED, SVC_STEP_FETCH, K_THROW},
                 {SVC_STEP_FETCH, SVC_STEP_FETCHED, K_THROW},
                 {SVC_STEP_FETCHED, SVC_STEP_FAILED, K_CATCH}};
    int e = make_task(&f->event, event, f, 0), arcs = 0;
    for (int i = 0; i < SVC_STEPS; i++)
        e = e < 0 ? e : make_task(&f->step[i], make_step, f, i);
    for (int i = 0; i < SVC_STEPS * 3; i++) {
        int to = svc_rmem_next[i / 3][i % 3];
        e = e < 0 || to == RMEM_REST ? e : connect(f, &arcs, &f->step[i / 3], to, user[i % 3]);
    }
    for (int i = 0; i < 3; i++)
        e = e < 0 ? e : connect(f, &arcs, &f->event, woken[i], user[i]);
    for (size_t i = 0; i < sizeof error / sizeof error[0]; i++) {
        struct k_task *from = &f->step[error[i].from];
        e = e < 0 ? e : connect(f, &arcs, from, error[i].to, error[i].condition);
    }
    return e;
}

/* Releases that are still under way make empty steps first. */
static void forget(struct svc_rmem_flow *f)
{
    struct k_info info;
    k_info(&info);
    for (size_t i = 0; i < sizeof f->arc / sizeof f->arc[0]; i++)
        k_task_disconnect(&f->arc[i]);
    for (int i = 0; i <= SVC_STEPS; i++) {
        struct k_task *t = i < SVC_STEPS ? &f->step[i] : &f->event;
        while (k_task_unlink(t) == -B_EBUSY)
            k_thread_sleep(info.hz / 100000);
    }
}

static void tasks_end(struct svc_rmem *r)
{
    for (int i = 0; i < r->flows; i++) {
        attach(&r->flow[i], NULL, NULL);
        forget(&r->flow[i]);
    }
}

static int tasks_begin(struct svc_rmem *r)
{
    int e = 0;
    for (int i = 0; i < r->flows; i++) {
        struct svc_rmem_flow *f = &r->flow[i];
        e = e < 0 ? e : make_graph(f);
        e = e < 0 ? e : attach(f, NULL, &f->event);
    }
    e = e < 0 ? e : svc_rmem_space_attach(r, NULL, &r->flow[0].event);
    if (e < 0)
        tasks_end(r);
    return e;
}

static void tasks_kick(struct svc_rmem_flow *f)
{
    k_task_signal(&f->step[SVC_STEP_FIND]);
}

const struct svc_rmem_form svc_rmem_by_tasks = {"tasks", tasks_begin, tasks_end, tasks_kick};
