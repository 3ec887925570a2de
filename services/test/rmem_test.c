/* SPDX-License-Identifier: MIT */
/* Remote memory against flat memory: random programs in all clusters, with each policy, mode and
 * form; what others see; errors; and the ways in which a cache can lose or revive bytes. */
#include <svc/rmem.h>

#include "memory.h"

enum { PAGES = 6, STEPS = 150, LINES = 3 };

static const struct svc_rmem_attr variants[] = {
    {.policy = &svc_rmem_fifo, .mode = &svc_rmem_back, .form = &svc_rmem_by_thread, .lines = LINES},
    {.policy = &svc_rmem_lru, .mode = &svc_rmem_back, .form = &svc_rmem_by_tasks, .lines = LINES},
    {.policy = &svc_rmem_nfu,
     .mode = &svc_rmem_through,
     .form = &svc_rmem_by_tasks,
     .lines = LINES},
    {.policy = &svc_rmem_aging, .mode = &svc_rmem_back, .form = &svc_rmem_by_tasks, .lines = 1},
    {.policy = &svc_rmem_lru,
     .mode = &svc_rmem_through,
     .form = &svc_rmem_by_thread,
     .lines = LINES},
    {.policy = &svc_rmem_bypass, .mode = &svc_rmem_back, .form = &svc_rmem_by_tasks, .lines = 0},
    {.protocol = &svc_rmem_paper, .form = &svc_rmem_by_thread, .lines = LINES},
    {.protocol = &svc_rmem_paper, .form = &svc_rmem_by_tasks, .lines = LINES},
    {.policy = &svc_rmem_bypass,
     .mode = &svc_rmem_through,
     .form = &svc_rmem_by_thread,
     .lines = 0},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* Random programs ------------------------------------------------------------------------------ */

struct program {
    struct svc_rmem *r;
    uint64_t at; /* PAGES of remote memory */
    uint8_t *model, *buf;
    uint64_t x;
};

static void random_step(struct program *p)
{
    size_t size = PAGES * SVC_PAGE, n = memory_random(&p->x) % 3 == 0
                                            ? memory_random(&p->x) % (2 * SVC_PAGE) + 1
                                            : memory_random(&p->x) % 100 + 1;
    size_t from = memory_random(&p->x) % (size - n + 1);
    uint32_t what = memory_random(&p->x) % 16;
    if (what < 7) {
        for (size_t i = 0; i < n; i++)
            p->buf[i] = (uint8_t)memory_random(&p->x);
        memcpy(p->model + from, p->buf, n);
        CHECK_EQ(svc_rmem_write(p->r, p->at + from, p->buf, n), 0);
    } else if (what < 14) {
        memset(p->buf, 0xee, n);
        CHECK_EQ(svc_rmem_read(p->r, p->at + from, p->buf, n), 0);
        CHECK(memcmp(p->buf, p->model + from, n) == 0);
    } else if (what == 14) {
        CHECK_EQ(svc_rmem_clean(p->r, p->at + from, n), 0);
    } else {
        CHECK_EQ(svc_rmem_drop(p->r, p->at + from, n), 0);
    }
}

static void random_program(struct svc_client *c, const struct svc_rmem_attr *how, uint64_t seed)
{
    struct svc_rmem *r = world_pages(sizeof *r), *direct = world_pages(sizeof *direct);
    struct svc_rmem_stat stat;
    struct program p = {.r = r, .x = seed};
    size_t size = PAGES * SVC_PAGE;
    CHECK_EQ(svc_rmem_start(r, c, how), 0);
    CHECK_EQ(svc_rmem_alloc(c, size - 1, 0, &p.at), 0);
    CHECK(p.at != 0 && p.at % SVC_PAGE == 0);
    p.model = world_pages(size);
    p.buf = world_pages(2 * SVC_PAGE);
    for (int i = 0; i < STEPS; i++)
        random_step(&p);
    svc_rmem_stat(r, &stat);
    CHECK_EQ(stat.gets, stat.hits + stat.misses);
    CHECK(r->how.lines == 0 || (stat.hits > 0 && stat.misses > 0));
    CHECK_EQ(svc_rmem_stop(r), 0);
    /* All of it is at the server now. */
    CHECK_EQ(svc_rmem_start(direct, c, &(struct svc_rmem_attr){.policy = &svc_rmem_bypass}), 0);
    for (size_t i = 0; i < size; i += SVC_PAGE) {
        CHECK_EQ(svc_rmem_read(direct, p.at + i, p.buf, SVC_PAGE), 0);
        CHECK(memcmp(p.buf, p.model + i, SVC_PAGE) == 0);
    }
    CHECK_EQ(svc_rmem_stop(direct), 0);
    CHECK_EQ(svc_rmem_free(c, p.at, size), 0);
    CHECK_EQ(k_page_free(p.buf, 2 * SVC_PAGE), 0);
    CHECK_EQ(k_page_free(p.model, size), 0);
    CHECK_EQ(k_page_free(r, sizeof *r), 0);
    CHECK_EQ(k_page_free(direct, sizeof *direct), 0);
}

/* A cache must not lose or revive bytes -------------------------------------------------------- */

/* A page that nobody uses at the moment is still found: there is one line for it, and what goes to
 * the server last is what was written last. */
static void check_stale(struct svc_rmem *r, struct svc_client *c)
{
    struct svc_rmem_stat before, after;
    uint64_t at;
    uint32_t v;
    CHECK_EQ(svc_rmem_alloc(c, (LINES + 2) * SVC_PAGE, 0, &at), 0);
    svc_rmem_stat(r, &before);
    for (uint32_t i = 1; i <= 3; i++)
        CHECK_EQ(svc_rmem_write(r, at, &i, sizeof i), 0);
    svc_rmem_stat(r, &after);
    CHECK_EQ(after.misses - before.misses, 1);
    CHECK_EQ(after.hits - before.hits, 2);
    for (uint32_t i = 1; i <= LINES + 1; i++) { /* drives it out, and whatever else it left */
        CHECK_EQ(svc_rmem_read(r, at + i * SVC_PAGE, &v, sizeof v), 0);
        CHECK_EQ(v, 0);
    }
    svc_rmem_stat(r, &before);
    CHECK_EQ(before.written - after.written, 1);
    CHECK_EQ(svc_rmem_read(r, at, &v, sizeof v), 0);
    CHECK_EQ(v, 3);
    /* Freed pages are not written back into what the next one allocates there. */
    v = 77;
    CHECK_EQ(svc_rmem_write(r, at, &v, sizeof v), 0);
    CHECK_EQ(svc_rmem_discard(r, at, (LINES + 2) * SVC_PAGE), 0);
    CHECK_EQ(svc_rmem_free(c, at, (LINES + 2) * SVC_PAGE), 0);
    svc_rmem_stat(r, &before);
    CHECK_EQ(svc_rmem_clean(r, 0, SIZE_MAX), 0);
    svc_rmem_stat(r, &after);
    CHECK_EQ(after.written, before.written);
    uint64_t again;
    CHECK_EQ(svc_rmem_alloc(c, (LINES + 2) * SVC_PAGE, 0, &again), 0);
    for (uint32_t i = 0; i < LINES + 2; i++) {
        CHECK_EQ(svc_rmem_read(r, again + i * SVC_PAGE, &v, sizeof v), 0);
        CHECK_EQ(v, 0);
    }
    CHECK_EQ(svc_rmem_discard(r, again, (LINES + 2) * SVC_PAGE), 0);
    CHECK_EQ(svc_rmem_free(c, again, (LINES + 2) * SVC_PAGE), 0);
}

static void check_errors(struct svc_rmem *r, struct svc_client *c)
{
    uint64_t at, big;
    char byte = 1;
    CHECK_EQ(svc_rmem_alloc(c, 0, 0, &at), -B_EINVAL);
    CHECK_EQ(svc_rmem_alloc(c, SVC_PAGE, 8, &at), -B_EINVAL);
    CHECK_EQ(svc_rmem_alloc(c, (size_t)MEMORY_BLOCKS * SVC_PAGE, 0, &big), -B_ENOSPC);
    /* Of an address of remote memory a server has 40 bits: more than some size_t. */
    CHECK_EQ(svc_rmem_alloc(c, SIZE_MAX, 0, &big),
             SIZE_MAX >> 20 >> 20 > 0 ? -B_EINVAL : -B_ENOSPC);
    CHECK_EQ(svc_rmem_alloc(c, 2 * SVC_PAGE, 0, &at), 0);
    CHECK_EQ(svc_rmem_free(c, at + SVC_PAGE, SVC_PAGE), -B_EFAULT);
    CHECK_EQ(svc_rmem_free(c, at, SVC_PAGE), -B_EFAULT);
    CHECK_EQ(svc_rmem_free(c, at + 1, 2 * SVC_PAGE), -B_EFAULT);
    CHECK_EQ(svc_rmem_read(r, 0, &byte, 1), -B_EFAULT);
    CHECK_EQ(svc_rmem_write(r, UINT64_MAX, &byte, 1), -B_EFAULT);
    CHECK_EQ(svc_rmem_read(r, at, &byte, 1), 0); /* and it goes on */
    CHECK_EQ(byte, 0);
    CHECK_EQ(svc_rmem_discard(r, at, 2 * SVC_PAGE), 0);
    CHECK_EQ(svc_rmem_free(c, at, 2 * SVC_PAGE), 0);
    CHECK_EQ(svc_rmem_free(c, at, 2 * SVC_PAGE), -B_EFAULT);
    CHECK_EQ(svc_rmem_read(r, at, &byte, 1), -B_EFAULT);
}

/* What clusters see of each other -------------------------------------------------------------- */

static void check_others(struct svc_rmem *r, struct svc_client *c, int n)
{
    uint64_t at[2] = {0, 0};
    int me = world_me();
    char text[] = "from 0";
    if (me == 0) {
        CHECK_EQ(svc_rmem_alloc(c, SVC_PAGE, SVC_RMEM_SHARED, &at[0]), 0);
        CHECK_EQ(svc_rmem_alloc(c, SVC_PAGE, 0, &at[1]), 0);
        CHECK_EQ(svc_rmem_write(r, at[0] + 100, text, sizeof text), 0);
        CHECK_EQ(svc_rmem_clean(r, at[0], 1), 0);
    }
    memory_tell(at, sizeof at, n);
    if (me == 1) {
        char got[sizeof text];
        CHECK_EQ(svc_rmem_read(r, at[0] + 100, got, sizeof got), 0);
        CHECK(memcmp(got, text, sizeof got) == 0);
        CHECK_EQ(svc_rmem_read(r, at[1], got, 1), -B_EPERM);
        CHECK_EQ(svc_rmem_free(c, at[0], SVC_PAGE), -B_EPERM);
        got[5] = '1';
        CHECK_EQ(svc_rmem_write(r, at[0] + 100, got, sizeof got), 0);
        CHECK_EQ(svc_rmem_drop(r, 0, SIZE_MAX), 0);
    }
    world_meet(n);
    if (me == 0) {
        CHECK_EQ(svc_rmem_read(r, at[0] + 100, text, sizeof text), 0);
        CHECK_EQ(text[5], '0'); /* nobody keeps caches alike */
        CHECK_EQ(svc_rmem_drop(r, at[0] + 100, 1), 0);
        CHECK_EQ(svc_rmem_read(r, at[0] + 100, text, sizeof text), 0);
        CHECK_EQ(text[5], '1');
        CHECK_EQ(svc_rmem_discard(r, 0, SIZE_MAX), 0);
        CHECK_EQ(svc_rmem_free(c, at[0], SVC_PAGE), 0);
        CHECK_EQ(svc_rmem_free(c, at[1], SVC_PAGE), 0);
    }
    world_meet(n);
}

/* The servers end while a cluster has a page that it changed: what needs them fails, what does not
 * goes on, and the change stays. */
static void check_gone(struct svc_client *c, struct memory_server *m, int n, int form)
{
    struct svc_rmem *r = world_pages(sizeof *r);
    struct svc_rmem_attr how = {.form = form == 0 ? &svc_rmem_by_thread : &svc_rmem_by_tasks,
                                .lines = 1};
    uint64_t at;
    uint32_t v = 5;
    int me = world_me();
    CHECK_EQ(svc_rmem_start(r, c, &how), 0);
    if (me == 0) {
        CHECK_EQ(svc_rmem_alloc(c, 2 * SVC_PAGE, 0, &at), 0);
        CHECK_EQ(svc_rmem_write(r, at + 8, &v, sizeof v), 0);
    }
    world_meet(n);
    memory_stop(m, c);
    world_meet(n);
    if (me == 0) {
        CHECK_EQ(svc_rmem_clean(r, at, 1), -B_ENOTCONN);
        CHECK_EQ(svc_rmem_read(r, at + SVC_PAGE, &v, sizeof v), -B_ENOTCONN); /* no free line */
        v = 0;
        CHECK_EQ(svc_rmem_read(r, at + 8, &v, sizeof v), 0);
        CHECK_EQ(v, 5);
        CHECK_EQ(svc_rmem_alloc(c, SVC_PAGE, 0, &at), -B_ENOTCONN);
        CHECK_EQ(svc_rmem_stop(r), -B_ENOTCONN);
        CHECK_EQ(svc_rmem_start(r, c, &how), -B_ENOTCONN);
    } else {
        CHECK_EQ(svc_rmem_stop(r), 0);
    }
    CHECK_EQ(k_page_free(r, sizeof *r), 0);
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me(), n = world_info().clusters;
    CHECK_EQ(svc_client_open(&c), 0);
    for (int form = 0; form < 2; form++) {
        struct memory_server m = memory_start(form == 0 ? &svc_by_thread : &svc_by_tasks);
        world_meet(n);
        struct svc_rmem *r = world_pages(sizeof *r);
        struct svc_rmem_attr how = {.form = form == 0 ? &svc_rmem_by_thread : &svc_rmem_by_tasks,
                                    .lines = LINES};
        CHECK_EQ(svc_rmem_start(r, &c, &how), 0);
        if (me == 0) {
            check_stale(r, &c);
            check_errors(r, &c);
        }
        world_meet(n);
        check_others(r, &c, n);
        CHECK_EQ(svc_rmem_stop(r), 0);
        CHECK_EQ(k_page_free(r, sizeof *r), 0);
        for (int i = form; me < 2 && i < VARIANTS; i += 2)
            random_program(&c, &variants[i], (uint64_t)(100 * me + i));
        world_meet(n);
        check_gone(&c, &m, n, form);
        world_meet(n);
    }
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    return world_run(body, NULL);
}
