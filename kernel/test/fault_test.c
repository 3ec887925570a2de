/* SPDX-License-Identifier: MIT */
/* Exceptions of memory: threads that fault wait until the pager has made their page good, whether
 * that is a thread or a graph of tasks; others run meanwhile; an error reaches the one task that
 * catches, and ends the machine. The hardware's part is played by calling kern_fault. */
#include <kernel/fault.h>

#include <sys/k_bell.h>
#include <sys/k_fault.h>
#include <sys/k_info.h>
#include <sys/k_task.h>
#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

enum { PAGES = 16, PAGE = 64, THREADS = 6, BAD = PAGES - 1 };

static char memory[PAGES * PAGE];
static _Atomic(int) present[PAGES]; /* who touches a page that is not has to fault */
static _Atomic(int) taken, fetched, ran, stop, pages;

static int page_of(const void *address)
{
    return (int)(((const char *)address - memory) / PAGE);
}

/* As a processor does it: until the page is there. */
static void touch(int page, enum k_access access)
{
    while (!present[page])
        CHECK(kern_fault(memory + page * PAGE + 5, access));
}

/* The first page stays away until others ran while somebody waited for it. */
static bool too_early(void)
{
    return fetched == 0 && ran == 0;
}

static void check_taken(const struct k_fault *f, int page)
{
    taken = 1;
    CHECK(page >= 0 && page < PAGES);
    CHECK(f->address == memory + page * PAGE + 5 && f->thread >= 0);
    CHECK_EQ(f->access, page % 2 ? K_ACCESS_WRITE : K_ACCESS_READ);
}

/* A thread as pager ---------------------------------------------------------------------------- */

static void serve(struct k_bell *bell)
{
    struct k_fault f;
    while (!stop || k_fault_take(&f) == 0) {
        CHECK_EQ(k_bell_wait(bell, K_FOREVER), 0);
        k_bell_take(bell);
        while (k_fault_take(&f) == 0) {
            check_taken(&f, page_of(f.address));
            CHECK_EQ(k_fault_resolve(f.thread + 1000, 0), -B_ENOENT);
            do {
                k_thread_sleep(100);
            } while (too_early());
            fetched++;
            present[page_of(f.address)] = 1;
            CHECK_EQ(k_fault_resolve(f.thread, 0), 0);
            CHECK_EQ(k_fault_resolve(f.thread, 0), -B_ENOENT);
        }
    }
}

static void pager(int me, void *arg)
{
    (void)me;
    CHECK_EQ(k_bell_init(arg, "pager"), 0);
    CHECK_EQ(k_fault_attach(memory, sizeof memory, arg, NULL), 0);
    pages = 1;
    serve(arg);
}

/* A graph as pager: take -> fetch -> give, and one task that catches. -------------------------- */

static struct {
    struct k_task take, fetch, give, sorry;
    struct k_arc fetch_it, give_it, more, fetch_failed;
    struct k_fault fault;
    int busy;
} g;

static int take(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    if (g.busy || k_fault_take(&g.fault) != 0)
        return K_USER1; /* the flow under way comes here again */
    g.busy = 1;
    check_taken(&g.fault, page_of(g.fault.address));
    return K_USER0;
}

static int fetch(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    return page_of(g.fault.address) == BAD ? -B_EIO : too_early() ? K_AGAIN : K_USER0;
}

static int give(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    fetched++;
    g.busy = 0;
    present[page_of(g.fault.address)] = 1;
    CHECK_EQ(k_fault_resolve(g.fault.thread, 0), 0);
    return K_USER0;
}

static int sorry(long a0, long a1, long a2, long a3, long a4)
{
    (void)a0, (void)a1, (void)a2, (void)a3, (void)a4;
    long error = 0;
    CHECK_EQ(k_task_get(&g.sorry, K_TASK_VALUE, &error), 0);
    CHECK_EQ(error, -B_EIO);
    return k_fault_resolve(g.fault.thread, (int)error);
}

static void graph_create(void)
{
    static const struct {
        struct k_task *task;
        k_task_fn *fn;
    } tasks[] = {{&g.take, take}, {&g.fetch, fetch}, {&g.give, give}, {&g.sorry, sorry}};
    memset(&g, 0, sizeof g);
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(
            k_task_create(tasks[i].task, &(struct k_task_attr){.fn = tasks[i].fn, .core = K_ANY}),
            0);
    }
    CHECK_EQ(k_task_connect(&g.fetch_it, &g.take, &g.fetch, K_FLOW, K_USER0), 0);
    CHECK_EQ(k_task_connect(&g.give_it, &g.fetch, &g.give, K_FLOW, K_USER0), 0);
    CHECK_EQ(k_task_connect(&g.more, &g.give, &g.take, K_FLOW, K_USER0), 0);
    CHECK_EQ(k_task_connect(&g.fetch_failed, &g.fetch, &g.sorry, K_FLOW, K_CATCH), 0);
}

/* Nothing of it may be left to run. */
static void graph_end(void)
{
    struct k_arc *arcs[] = {&g.fetch_it, &g.give_it, &g.more, &g.fetch_failed};
    struct k_task *tasks[] = {&g.take, &g.fetch, &g.give, &g.sorry};
    for (int i = 0; i < 4; i++) {
        while (k_task_unlink(tasks[i]) == -B_EBUSY) {
            CHECK(k_task_disconnect(arcs[i]) == 0 || k_task_disconnect(arcs[i]) == -B_ENOENT);
            k_thread_sleep(10);
            for (int j = 0; j < 4; j++)
                k_task_disconnect(arcs[j]);
        }
    }
}

/* Threads that fault --------------------------------------------------------------------------- */

static void faulter(int me, void *arg)
{
    (void)arg;
    for (int i = 0; i < BAD; i++) {
        int page = (i + 3 * me) % BAD;
        touch(page, page % 2 ? K_ACCESS_WRITE : K_ACCESS_READ);
    }
}

static void bystander(int me, void *arg)
{
    (void)me, (void)arg;
    while (fetched < BAD) {
        ran += taken;
        k_thread_sleep(10);
    }
}

static void run_crew(void)
{
    struct crew_member crew[THREADS], other;
    struct k_info info;
    k_info(&info);
    memset(present, 0, sizeof present);
    taken = fetched = ran = 0;
    crew_start(&other, 1, info.user_core, bystander, NULL);
    crew_start(crew, THREADS, -1, faulter, NULL);
    crew_join(crew, THREADS);
    crew_join(&other, 1);
    CHECK(fetched >= BAD && ran > 0);
}

static void check_arguments(void)
{
    struct k_bell bell = {0};
    struct k_fault f;
    CHECK_EQ(k_fault_attach(memory, sizeof memory, &bell, NULL), -B_EINVAL); /* nobody's */
    CHECK_EQ(k_fault_attach(memory, sizeof memory, (void *)((char *)&bell + 1), NULL), -B_EFAULT);
    CHECK_EQ(k_bell_init(&bell, "pager"), 0);
    CHECK_EQ(k_fault_detach(), -B_ENOENT);
    CHECK_EQ(k_fault_attach(memory, sizeof memory, NULL, NULL), -B_EINVAL);
    CHECK_EQ(k_fault_attach(memory, sizeof memory, &bell, &g.take), -B_EINVAL);
    CHECK_EQ(k_fault_attach(memory, 0, &bell, NULL), -B_EINVAL);
    CHECK_EQ(k_fault_attach(memory, (size_t)-1, &bell, NULL), -B_EINVAL);
    CHECK_EQ(k_fault_take(NULL), -B_EFAULT);
    CHECK_EQ(k_fault_take(&f), -B_EAGAIN);
    CHECK_EQ(k_fault_resolve(k_thread_self(), 0), -B_ENOENT);
    CHECK_EQ(k_fault_resolve(k_thread_self(), 1), -B_EINVAL);
    CHECK(!kern_fault(memory, K_ACCESS_READ)); /* nobody pages */
    CHECK_EQ(k_fault_attach(memory, sizeof memory, &bell, NULL), 0);
    CHECK_EQ(k_fault_attach(memory, sizeof memory, &bell, NULL), -B_EBUSY);
    CHECK(!kern_fault((void *)((uintptr_t)memory - 1), K_ACCESS_READ));
    CHECK(!kern_fault(memory + sizeof memory, K_ACCESS_WRITE));
    CHECK_EQ(k_fault_detach(), 0);
}

static void check_thread(void)
{
    struct crew_member server;
    struct k_bell bell;
    stop = pages = 0;
    crew_start(&server, 1, -1, pager, &bell);
    while (!pages)
        k_thread_yield();
    run_crew();
    stop = 1;
    CHECK_EQ(k_bell_ring(&bell, K_BELL_FIRST), 0);
    crew_join(&server, 1);
    CHECK_EQ(k_fault_detach(), 0);
}

static void check_graph(void)
{
    graph_create();
    CHECK_EQ(k_fault_attach(memory, sizeof memory, NULL, &g.take), 0);
    run_crew();
    CHECK_EQ(k_fault_detach(), 0);
    graph_end();
}

static int body(void *arg)
{
    (void)arg;
    check_arguments();
    check_thread();
    check_graph();
    return 0;
}

/* A page that nobody can fetch. */
static int hopeless(void *arg)
{
    (void)arg;
    graph_create();
    memset(present, 0, sizeof present);
    CHECK_EQ(k_fault_attach(memory, sizeof memory, NULL, &g.take), 0);
    touch(BAD, K_ACCESS_WRITE);
    return 0;
}

int main(void)
{
    CHECK_EQ(on_machines(body), 0);
    struct hal_machine m;
    for (int asymmetric = 0; asymmetric < 2; asymmetric++) {
        one_cluster("mini", asymmetric != 0, &m);
        CHECK_EQ(on_machine(&m, hopeless, NULL), K_FAULT_STATUS);
    }
    return 0;
}
