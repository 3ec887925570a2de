/* SPDX-License-Identifier: MIT */
/* The gate into the kernel: unknown numbers, wrong pointers, no kernel yet; master calls of all
 * cores at once, each thread getting its own answer, none starved. */
#include <hal/core.h>
#include <sys/k_call.h>
#include <sys/k_info.h>
#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

static void check_numbers(void)
{
    static const int bad[] = {-1, K_CALLS, K_CALLS + 1, 1000, 0x7fffffff, -0x7fffffff - 1};
    for (int i = 0; i < (int)(sizeof bad / sizeof bad[0]); i++)
        CHECK_EQ(k_call(bad[i], 1, 2, 3, 4, 5), -B_ENOSYS);
}

static void check_pointers(void)
{
    char c = 0;
    CHECK_EQ(k_call(K_NR_info, 0, 0, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_console, 0, 5, 0, 0, 0), -B_EFAULT);
    struct b_piece pieces[] = {{&c, &c, 0}, {NULL, &c, 1}, {&c, NULL, 1}};
    CHECK_EQ(k_call(K_NR_copy, (long)pieces, 1, 0, 0, 0), 0);
    CHECK_EQ(k_call(K_NR_copy, (long)pieces, 2, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_copy, (long)&pieces[2], 1, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_copy, 0, 1, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_copy, (long)pieces, K_COPY_PIECES + 1, 0, 0, 0), -B_EINVAL);
    CHECK_EQ(k_call(K_NR_count, 0, 1, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_trace, K_TRACE_BEGIN, 0, (long)"x", 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_trace, K_TRACE_END, 0, 0, 0, 0), -B_EFAULT);
    k_memory(NULL, NULL, NULL);
}

static void check_info(void)
{
    struct k_info info;
    k_info(&info);
    const struct hal_machine *m = hal_machine();
    CHECK(strcmp(info.machine, m->name) == 0);
    CHECK_EQ(info.clusters, 1);
    CHECK_EQ(info.compute_clusters, 1);
    CHECK_EQ(info.cluster, 0);
    CHECK_EQ(info.node, hal_node());
    CHECK(strcmp(info.node_name, hal_node_name()) == 0);
    CHECK_EQ(info.cores, m->compute_cores);
    CHECK_EQ(info.user_core, m->asymmetric ? 1 : 0);
    CHECK_EQ(info.core, info.user_core);
    CHECK(info.hz > 0);
    uint64_t cycles = k_time_cycles(), ns = k_time_ns();
    k_thread_sleep(info.hz / 1000);
    CHECK(k_time_cycles() - cycles >= info.hz / 1000);
    CHECK(k_time_ns() - ns >= 999999);

    char from[100] = "a text", to[100] = "";
    k_copy(to, from, sizeof from);
    CHECK(strcmp(to, from) == 0);
    const struct b_piece pieces[] = {{to, "an", 2}, {to + 50, from, 7}, {to + 60, to, 7}};
    k_copy_pieces(pieces, 3);
    CHECK(strcmp(to + 50, "a text") == 0 && strcmp(to + 60, "antext") == 0);
    k_work(0);
    k_count("test.count", 3);
    struct k_span s;
    k_trace_begin(&s, "span");
    k_trace_end(&s);
}

/* The pointer of a thread is its own, that of the cluster is everybody's. */
static void own_pointer(int me, void *arg)
{
    CHECK(!k_thread_local());
    CHECK(k_cluster_local() == arg);
    for (int i = 0; i < 20; i++) {
        void *mine = (char *)arg + me * 100 + i;
        k_thread_local_set(mine);
        k_thread_yield();
        CHECK(k_thread_local() == mine);
    }
}

static void check_pointers_of_threads(void)
{
    struct crew_member m[6];
    char area[1000];
    CHECK(!k_cluster_local());
    k_cluster_local_set(area);
    crew_start(m, 6, -1, own_pointer, area);
    crew_join(m, 6);
    CHECK(!k_thread_local());
    k_cluster_local_set(NULL);
}

/* Several threads on each core make master calls. Each must see its own pages, so an answer that
 * went to the wrong thread, or was lost, shows. */
enum { CALLS = 60 };

static void call_master(int me, void *arg)
{
    (void)arg;
    size_t page = hal_machine()->page_size;
    for (int i = 0; i < CALLS; i++) {
        int *p;
        CHECK_EQ(k_page_alloc(page, (void **)&p), 0);
        CHECK_EQ(*p, 0);
        *p = me;
        k_thread_yield();
        CHECK_EQ(*p, me);
        CHECK_EQ(k_page_free(p, page), 0);
    }
}

static void check_master(void)
{
    struct crew_member m[12];
    crew_start(m, 12, -1, call_master, NULL);
    crew_join(m, 12);
}

/* Threads on the master core that only yield must not keep the others' calls waiting: not where
 * cores take turns either, of which each may last 0.1 s (docs/porting.md). */
static void yield_on_master(int me, void *arg)
{
    (void)me;
    while (__atomic_load_n((int *)arg, __ATOMIC_ACQUIRE) == 0)
        k_thread_yield();
}

static void check_busy_master(void)
{
    struct crew_member busy[2], m[3];
    int stop = 0;
    uint64_t begin = k_time_ns();
    crew_start(busy, 2, 0, yield_on_master, &stop);
    crew_start(m, 3, -1, call_master, NULL);
    crew_join(m, 3);
    __atomic_store_n(&stop, 1, __ATOMIC_RELEASE);
    crew_join(busy, 2);
    CHECK(k_time_ns() - begin < UINT64_C(5000000000));
}

static int body(void *arg)
{
    (void)arg;
    check_numbers();
    check_pointers();
    check_info();
    check_pointers_of_threads();
    check_master();
    check_busy_master();
    return 0;
}

int main(void)
{
    CHECK_EQ(k_call(K_NR_thread_self, 0, 0, 0, 0, 0), -B_EPERM); /* no kernel here */
    CHECK(!k_thread_local());
    return on_machines(body);
}
