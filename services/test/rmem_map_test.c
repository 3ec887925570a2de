/* SPDX-License-Identifier: MIT */
/* Remote memory at addresses: threads that know nothing of it compute in more pages than the cache
 * has lines, each against a model of its own, while calls and cleaning go on beside them; what they
 * leave is at the server; a thread that faults gives up its core; what cannot be served ends the
 * machine. */
#include <svc/rmem.h>
#include <sys/k_fault.h>
#include <test/crew.h>

#include "memory.h"

enum {
    THREADS = 4,
    EACH = 2,
    PAGES = THREADS * EACH,
    LINES = 3,
    STEPS = 120,
    TOUCHES = 1000,
    WORDS = SVC_PAGE / 4
};
enum { BAD_NONE, BAD_OUTSIDE, BAD_READ_ONLY, BAD_KINDS };

static const struct svc_rmem_form *form; /* constant while clusters run */
static int bad;

struct job {
    struct svc_rmem *r;
    volatile uint32_t *seen; /* the map */
    uint64_t at;
    _Atomic(int) *counter;
};

/* Each thread has EACH pages, which lie between those of the others. */
static size_t word_of(int me, uint32_t i)
{
    return (size_t)(i / WORDS * THREADS + (uint32_t)me) * WORDS + i % WORDS;
}

static void compute(int me, void *arg)
{
    const struct job *j = arg;
    uint64_t x = (uint64_t)(me + 1) * 77;
    uint32_t *model = world_pages(EACH * SVC_PAGE);
    for (int s = 0; s < STEPS; s++) {
        uint32_t i = memory_random(&x) % (EACH * WORDS), v = memory_random(&x);
        size_t w = word_of(me, i);
        switch (memory_random(&x) % 8) {
        case 0: /* the same memory by a call */
            CHECK_EQ(svc_rmem_write(j->r, j->at + w * 4, &v, sizeof v), 0);
            model[i] = v;
            break;
        case 1:
            CHECK_EQ(svc_rmem_read(j->r, j->at + w * 4, &v, sizeof v), 0);
            CHECK_EQ(v, model[i]);
            break;
        case 2:
            CHECK_EQ(svc_rmem_clean(j->r, j->at + w * 4, 4), 0);
            break;
        case 3:
        case 4:
            CHECK_EQ(j->seen[w], model[i]);
            break;
        default:
            j->seen[w] = model[i] = v;
            break;
        }
    }
    for (uint32_t i = 0; i < EACH * WORDS; i++)
        CHECK_EQ(j->seen[word_of(me, i)], model[i]);
    CHECK_EQ(k_page_free(model, EACH * SVC_PAGE), 0);
}

/* Two threads of one core: while one waits for its page the other counts. The server has a core of
 * its own and may answer before the waiter gives up its core, so more pages than the cache has
 * lines are touched in turn until a wait was seen; that the core is never given up would show as
 * TOUCHES faults without one. */
static void pair(int me, void *arg)
{
    const struct job *j = arg;
    if (me == 0) {
        int before = *j->counter;
        for (int i = 0; *j->counter == before && i < TOUCHES; i++)
            CHECK_EQ(j->seen[(size_t)(i % PAGES) * WORDS], 0);
        CHECK(*j->counter > before);
        *j->counter = -1000000;
    }
    while (me == 1 && *j->counter >= 0) {
        (*j->counter)++;
        k_thread_yield();
    }
}

static void check_contents(struct svc_client *c, struct job *j, const uint32_t *last)
{
    struct svc_rmem *direct = world_pages(sizeof *direct);
    uint32_t *page = world_pages(SVC_PAGE);
    CHECK_EQ(svc_rmem_start(direct, c, &(struct svc_rmem_attr){.policy = &svc_rmem_bypass}), 0);
    for (int i = 0; i < PAGES; i++) {
        CHECK_EQ(svc_rmem_read(direct, j->at + (size_t)i * SVC_PAGE, page, SVC_PAGE), 0);
        CHECK_EQ(page[i], last[i]);
    }
    CHECK_EQ(svc_rmem_stop(direct), 0);
    CHECK_EQ(k_page_free(page, SVC_PAGE), 0);
    CHECK_EQ(k_page_free(direct, sizeof *direct), 0);
}

static void check_calls(struct svc_rmem *r, struct job *j)
{
    void *p;
    CHECK_EQ(svc_rmem_map(r, j->at + 1, SVC_PAGE, true, &p), -B_EINVAL);
    CHECK_EQ(svc_rmem_map(r, j->at + SVC_PAGE, 1, true, &p), -B_EEXIST);
    CHECK_EQ(svc_rmem_map(r, 0, 0, true, &p), -B_EINVAL);
    CHECK_EQ(svc_rmem_map(r, (uint64_t)1 << 30, 2 * PAGES * SVC_PAGE, true, &p), -B_ENOMEM);
    CHECK_EQ(svc_rmem_unmap(r, (char *)j->seen + 1), -B_EINVAL);
}

static void go_wrong(struct svc_rmem *r, struct job *j)
{
    if (bad == BAD_OUTSIDE) {
        j->seen[PAGES * WORDS] = 1; /* in the space, in no map */
    } else if (bad == BAD_READ_ONLY) {
        void *p = NULL;
        CHECK_EQ(svc_rmem_unmap(r, (void *)j->seen), 0);
        CHECK_EQ(svc_rmem_map(r, j->at, SVC_PAGE, false, &p), 0);
        CHECK_EQ(*(volatile uint32_t *)p, 0);
        *(volatile uint32_t *)p = 1;
    }
}

static void client(struct svc_client *c)
{
    struct svc_rmem *r = world_pages(sizeof *r);
    _Atomic(int) counter = 0;
    struct job j = {.r = r, .counter = &counter};
    struct crew_member crew[THREADS];
    uint32_t last[PAGES];
    void *p;
    struct svc_rmem_attr how = {.form = form, .lines = LINES, .space = 2 * PAGES * SVC_PAGE};
    CHECK_EQ(svc_rmem_start(r, c, &how), 0);
    CHECK_EQ(svc_rmem_alloc(c, PAGES * SVC_PAGE, 0, &j.at), 0);
    CHECK_EQ(svc_rmem_map(r, j.at, PAGES * SVC_PAGE, true, &p), 0);
    j.seen = p;
    go_wrong(r, &j);
    crew_start(crew, 2, world_info().user_core, pair, &j);
    crew_join(crew, 2);
    check_calls(r, &j);
    crew_start(crew, THREADS, -1, compute, &j);
    crew_join(crew, THREADS);
    for (int i = 0; i < PAGES; i++) {
        last[i] = j.seen[i * WORDS + i] + 1;
        j.seen[i * WORDS + i] = last[i];
    }
    struct svc_rmem_stat stat;
    svc_rmem_stat(r, &stat);
    CHECK(stat.faults > PAGES);
    CHECK_EQ(stat.gets, stat.hits + stat.misses);
    CHECK_EQ(svc_rmem_unmap(r, p), 0);
    check_contents(c, &j, last);
    CHECK_EQ(svc_rmem_stop(r), 0);
    CHECK_EQ(svc_rmem_free(c, j.at, PAGES * SVC_PAGE), 0);
    CHECK_EQ(k_page_free(r, sizeof *r), 0);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int n = world_info().clusters;
    CHECK_EQ(svc_client_open(&c), 0);
    struct memory_server m = memory_start(&svc_by_tasks);
    world_meet(n);
    if (world_me() < 2)
        client(&c);
    world_meet(n);
    memory_stop(&m, &c);
    svc_client_close(&c);
    return 0;
}

static int run(bool asymmetric)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
    m.asymmetric = asymmetric;
    return on_machine(&m, body, NULL);
}

int main(void)
{
    static const struct svc_rmem_form *const forms[] = {&svc_rmem_by_thread, &svc_rmem_by_tasks};
    for (int i = 0; i < 4; i++) {
        form = forms[i % 2];
        CHECK_EQ(run(i >= 2), 0);
    }
    for (bad = 1; bad < BAD_KINDS; bad++)
        CHECK_EQ(run(false), K_FAULT_STATUS);
    return 0;
}
