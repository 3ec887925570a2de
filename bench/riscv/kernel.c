/* SPDX-License-Identifier: MIT */
/* The kernel in instructions of bare metal: calls, switches, threads, tasks, mailboxes, portals;
 * and in bytes what a flow of control takes. A test, too, of what it measures. */
#include <hal/mem.h>
#include <hal/user.h>
#include <kernel/mem.h>
#include <kernel/thread.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_portal.h>
#include <sys/k_task.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>
#include <test/on_machine.h>

#include "marks.h"

enum { TIMES = 32, FLOWS = 21, LONG = 65536 };
enum { CORE_0 = 0, CORE_1 = 1 }; /* the master, and one of a program */

/* What is measured: its number, its parts, which instructions, its name. */
#define QUANTITIES(Q)                                                                              \
    Q(LOCAL_CALL, 1, MARK_OWN, "kernel call on the calling core")                                  \
    Q(REMOTE_CALL, 1, MARK_OWN, "kernel call that the master core answers")                        \
    Q(REMOTE_ALL, 1, MARK_ALL, "kernel call that the master core answers on all harts")            \
    Q(TASK_CALL, 1, MARK_OWN, "kernel call of a task on the master core")                          \
    Q(TASK_RUN, 1, MARK_OWN, "run of a task on the master core")                                   \
    Q(SWITCH, 2, MARK_OWN, "switch between two threads")                                           \
    Q(MAIL_WRITE, 1, MARK_OWN, "mailbox of 64 B: write")                                           \
    Q(MAIL_READ, 1, MARK_OWN, "mailbox of 64 B: read")                                             \
    Q(MAIL, 2, MARK_ALL, "mailbox of 64 B: one way on all harts")                                  \
    Q(SHORT_WRITE, 1, MARK_OWN, "portal of 1 KB: write")                                           \
    Q(SHORT_READ, 1, MARK_OWN, "portal of 1 KB: read")                                             \
    Q(SHORT, 2, MARK_ALL, "portal of 1 KB: one way on all harts")                                  \
    Q(LONG_WRITE, 1, MARK_OWN, "portal of 64 KB: write")                                           \
    Q(LONG_READ, 1, MARK_OWN, "portal of 64 KB: read")                                             \
    Q(LONG_BOTH, 2, MARK_ALL, "portal of 64 KB: one way on all harts")                             \
    Q(THREADS, 1, MARK_ALL, "21 flows: threads on all harts")                                      \
    Q(TASKS, 1, MARK_ALL, "21 flows: tasks on all harts")
#define NUMBER(id, parts, of, name) id,
enum { NOTHING, QUANTITIES(NUMBER) };
#define TELL(id, parts, of, name) mark_name(id, parts, of, name);

/* Of n flows of control, n constant: starts and joins of threads, dispatches of and waits for
 * tasks. */
#define FLOWS_MARK(n, what) (100 + 4 * (n) + (what))
enum { START, JOIN, DISPATCH, WAIT, WHATS };
static const char *const flows_name[WHATS] = {"start of a thread", "join of a thread",
                                              "dispatch of a task", "wait for a task"};
#define EACH(F)                                                                                    \
    F(1);                                                                                          \
    F(2);                                                                                          \
    F(3);                                                                                          \
    F(4);                                                                                          \
    F(5);                                                                                          \
    F(6);                                                                                          \
    F(7);                                                                                          \
    F(8);                                                                                          \
    F(9);                                                                                          \
    F(10);                                                                                         \
    F(11);                                                                                         \
    F(12);                                                                                         \
    F(13);                                                                                         \
    F(14);                                                                                         \
    F(15);                                                                                         \
    F(16);                                                                                         \
    F(17);                                                                                         \
    F(18);                                                                                         \
    F(19);                                                                                         \
    F(20);                                                                                         \
    F(21)

/* Refused, which takes the kernel next to nothing. */
static void call(void)
{
    CHECK(k_page_free(NULL, 1) < 0);
}

/* Yields to nobody on the calling core, and asks the master core. */
static void calls_of_thread(void *arg)
{
    (void)arg;
    for (int i = 0; i < TIMES; i++) {
        MEASURE(LOCAL_CALL, k_thread_yield());
        MARK(REMOTE_ALL);
        MEASURE(REMOTE_CALL, call());
        MARK(-REMOTE_ALL);
    }
}

static int call_by_task(long times, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    static long done;
    MEASURE(TASK_CALL, call());
    return ++done < times ? K_AGAIN : K_USER0;
}

/* From the end of a run to the beginning of the next: what the Dispatcher does for one. */
static int run_again(long times, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    static long done;
    if (done > 0)
        MARK(-TASK_RUN);
    if (++done > times)
        return K_USER0;
    MARK(TASK_RUN);
    return K_AGAIN;
}

static void run_on_master(int (*fn)(long a0, long a1, long a2, long a3, long a4))
{
    struct k_task task;
    CHECK_EQ(k_task_create(&task, &(struct k_task_attr){.fn = fn, .core = CORE_0}), 0);
    CHECK_EQ(k_task_dispatch(&task, (long[K_TASK_ARGS]){TIMES}), 0);
    CHECK_EQ(k_task_wait(&task, K_FOREVER, NULL), 0);
    k_task_unlink(&task);
}

static void calls(void)
{
    int id = k_thread_create(
        &(struct k_thread_attr){.entry = calls_of_thread, .name = "calls", .core = CORE_1});
    CHECK(id >= 0);
    CHECK_EQ(k_thread_join(id, NULL), 0);
    run_on_master(call_by_task);
    run_on_master(run_again);
}

static bool over;

static void yield_until_over(void *arg)
{
    (void)arg;
    while (!over)
        k_thread_yield();
}

static void yield_to_other(void *arg)
{
    (void)arg;
    int id = k_thread_create(
        &(struct k_thread_attr){.entry = yield_until_over, .name = "other", .core = CORE_1});
    CHECK(id >= 0);
    for (int i = 0; i < TIMES; i++)
        MEASURE(SWITCH, k_thread_yield());
    over = true;
    CHECK_EQ(k_thread_join(id, NULL), 0);
}

static void switches(void)
{
    int id = k_thread_create(
        &(struct k_thread_attr){.entry = yield_to_other, .name = "one", .core = CORE_1});
    CHECK(id >= 0);
    CHECK_EQ(k_thread_join(id, NULL), 0);
}

static int thread[FLOWS];
static struct k_task task[FLOWS];

static void end_at_once(void *arg)
{
    (void)arg;
}

static int nothing(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return 0;
}

static void start_threads(int n)
{
    for (int i = 0; i < n; i++) {
        thread[i] = k_thread_create(
            &(struct k_thread_attr){.entry = end_at_once, .name = "flow", .core = K_ANY});
        CHECK(thread[i] >= 0);
    }
}

static void join_threads(int n)
{
    for (int i = 0; i < n; i++)
        CHECK_EQ(k_thread_join(thread[i], NULL), 0);
}

static void dispatch_tasks(int n)
{
    for (int i = 0; i < n; i++) {
        CHECK_EQ(k_task_create(&task[i], &(struct k_task_attr){.fn = nothing, .core = K_ANY}), 0);
        CHECK_EQ(k_task_dispatch(&task[i], NULL), 0);
    }
}

static void wait_tasks(int n)
{
    for (int i = 0; i < n; i++)
        CHECK_EQ(k_task_wait(&task[i], K_FOREVER, NULL), 0);
}

#define MEASURE_FLOWS(n)                                                                           \
    MEASURE(FLOWS_MARK(n, START), start_threads(n));                                               \
    MEASURE(FLOWS_MARK(n, JOIN), join_threads(n));                                                 \
    MEASURE(FLOWS_MARK(n, DISPATCH), dispatch_tasks(n));                                           \
    MEASURE(FLOWS_MARK(n, WAIT), wait_tasks(n))

static void measure_flows(void)
{
    EACH(MEASURE_FLOWS);
}

static void by_threads(int n)
{
    start_threads(n);
    join_threads(n);
}

static void by_tasks(int n)
{
    dispatch_tasks(n);
    wait_tasks(n);
}

static void flows(void)
{
    for (int i = 0; i < TIMES; i++) {
        measure_flows();
        MEASURE(THREADS, by_threads(FLOWS));
        MEASURE(TASKS, by_tasks(FLOWS));
    }
    for (int n = 1; n <= FLOWS; n++) {
        for (int what = 0; what < WHATS; what++) {
            char name[64];
            snprintf(name, sizeof name, "%d flows: %s", n, flows_name[what]);
            mark_name(FLOWS_MARK(n, what), n, MARK_OWN, name);
        }
    }
}

/* A stack of so many bytes in the kernel, with its guard. */
static size_t stack_in_kernel(size_t n)
{
    void *first, *second;
    size_t got;
    CHECK_EQ(hal_stack_alloc(n, &first, &got), 0);
    CHECK_EQ(hal_stack_alloc(n, &second, &got), 0);
    hal_stack_free(first, got);
    hal_stack_free(second, got);
    return (size_t)labs((char *)first - (char *)second);
}

/* What one more flow takes of a cluster. In user mode a thread has, as in souto-2022, a page of
 * stack of its own, here with a guard below and its variables above, and a stack in the kernel; a
 * thread of the kernel has one stack, in a page with its guard. */
static void memory(void)
{
    enum { PAGE = 4096 };
    struct hal_machine m = *hal_machine();
    size_t pages = (hal_user_stack(PAGE) + PAGE - 1) / PAGE * PAGE;
    size_t slots = kern_cluster_size(&m, 0);
    m.threads -= 16;
    size_t slot = (slots - kern_cluster_size(&m, 0)) / 16;
    printf("bytes %zu memory of a thread in user mode\n",
           slot + stack_in_kernel(KERN_SHORT_STACK) + pages);
    printf("bytes %zu memory of a thread of the kernel\n", slot + stack_in_kernel(PAGE - 256));
    printf("bytes %zu memory of a task\n", PAGE / (PAGE / sizeof(struct k_task)));
}

/* Clusters 0 and 1, each on core 1 as a program would: there and back. */
static _Alignas(64) char data[LONG]; /* copied by words */
static int me;

static void write_mail(int out)
{
    CHECK_EQ(k_mailbox_write(out, data, 64), 64);
}

static void read_mail(int in)
{
    CHECK_EQ(k_mailbox_read(in, data, 64, NULL), 64);
}

static void mails(int in, int out)
{
    for (int i = 0; i < TIMES; i++) {
        if (me == 0) {
            MARK(MAIL);
            MEASURE(MAIL_WRITE, write_mail(out));
            read_mail(in);
            MARK(-MAIL);
        } else {
            MEASURE(MAIL_READ, read_mail(in));
            write_mail(out);
        }
    }
}

static void write_portal(int out, size_t n)
{
    CHECK_EQ(k_portal_write(out, data, n), (int)n);
}

static void read_portal(int in, size_t n)
{
    CHECK_EQ(k_portal_read(in, data, n, NULL), (int)n);
}

#define PORTALS(in, out, n, both, write, read)                                                     \
    for (int i = 0; i < TIMES; i++) {                                                              \
        if (me == 0) {                                                                             \
            MARK(both);                                                                            \
            MEASURE(write, write_portal(out, n));                                                  \
            read_portal(in, n);                                                                    \
            MARK(-(both));                                                                         \
        } else {                                                                                   \
            MEASURE(read, read_portal(in, n));                                                     \
            write_portal(out, n);                                                                  \
        }                                                                                          \
    }

static void messages(void *arg)
{
    (void)arg;
    /* Who gets the last mail writes to the portal at once. */
    int portal = k_portal_create(0), in = k_mailbox_create(0), out = k_mailbox_open(!me, 0);
    CHECK(portal >= 0 && in >= 0 && out >= 0);
    mails(in, out);
    in = portal;
    out = k_portal_open(!me, 0);
    CHECK(out >= 0);
    PORTALS(in, out, 1024, SHORT, SHORT_WRITE, SHORT_READ)
    PORTALS(in, out, LONG, LONG_BOTH, LONG_WRITE, LONG_READ)
}

static int body(void *arg)
{
    (void)arg;
    struct k_info info;
    k_info(&info);
    me = info.cluster;
    if (me > 1)
        return 0;
    if (me == 0) {
        calls();
        switches();
        flows();
        memory();
        QUANTITIES(TELL)
    }
    int id = k_thread_create(
        &(struct k_thread_attr){.entry = messages, .name = "messages", .core = CORE_1});
    CHECK(id >= 0);
    CHECK_EQ(k_thread_join(id, NULL), 0);
    return 0;
}

int main(void)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("riscv-mini", &m, why, sizeof why), 0);
    return on_machine(&m, body, NULL);
}
