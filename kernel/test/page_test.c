/* SPDX-License-Identifier: MIT */
/* Page frames: zeroed, contiguous, from a budget that is shared with stacks; only what was given
 * can be given back, once and whole. Ends with a random walk against a model. */
#include <sys/k_info.h>

#include <test/crew.h>
#include <test/on_machine.h>

static size_t used(void)
{
    size_t u;
    k_memory(&u, NULL, NULL);
    return u;
}

static void check_bad(size_t page)
{
    size_t before = used();
    void *p, *q;
    CHECK_EQ(k_page_alloc(0, &p), -B_EINVAL);
    CHECK_EQ(k_page_alloc(page, NULL), -B_EFAULT);
    CHECK_EQ(k_page_alloc((size_t)-1, &p), -B_ENOMEM);
    CHECK_EQ(k_page_alloc(2 * page, &p), 0);
    CHECK_EQ(k_page_alloc(2 * page, &q), 0);
    CHECK_EQ(used(), before + 4 * page);
    CHECK_EQ(k_page_free(NULL, page), -B_EINVAL);
    CHECK_EQ(k_page_free(&before, page), -B_EINVAL);
    CHECK_EQ(k_page_free((char *)p + 1, 2 * page), -B_EINVAL);
    CHECK_EQ(k_page_free((char *)p + page, page), -B_EINVAL); /* the tail of one */
    CHECK_EQ(k_page_free(p, page), -B_EINVAL);                /* the head of one */
    CHECK_EQ(k_page_free(p, 4 * page), -B_EINVAL);            /* two at once */
    CHECK_EQ(k_page_free(p, 0), -B_EINVAL);
    CHECK_EQ(k_page_free(p, (size_t)-1), -B_EINVAL);
    CHECK_EQ(used(), before + 4 * page);
    CHECK_EQ(k_page_free(p, 2 * page - 1), 0);     /* rounded like the allocation */
    CHECK_EQ(k_page_free(p, 2 * page), -B_EINVAL); /* twice */
    CHECK_EQ(k_page_free(q, 2 * page), 0);
    CHECK_EQ(used(), before);
}

static void check_zeroed(size_t page)
{
    for (int round = 0; round < 3; round++) {
        unsigned char *p;
        CHECK_EQ(k_page_alloc(3 * page, (void **)&p), 0);
        for (size_t i = 0; i < 3 * page; i++)
            CHECK(p[i] == 0);
        memset(p, 0xa5, 3 * page);
        CHECK_EQ(k_page_free(p, 3 * page), 0);
        CHECK_EQ(k_page_take(3 * page, (void **)&p), 0);
        memset(p, 0x5a, 3 * page);
        CHECK_EQ(k_page_free(p, 3 * page), 0);
    }
}

/* One page at a time until the end; then the whole as one piece again. */
static void check_exhaustion(size_t page)
{
    enum { MOST = 8192 };
    void **p;
    size_t before = used(), high, limit;
    k_memory(NULL, NULL, &limit);
    CHECK_EQ(k_page_alloc(MOST * sizeof *p, (void **)&p), 0);
    int n = 0, error;
    while ((error = k_page_alloc(page, &p[n])) == 0)
        CHECK(++n < MOST);
    CHECK_EQ(error, -B_ENOMEM);
    CHECK_EQ(used(), limit);
    for (int first = 1; first >= 0; first--) /* leaves holes, then fills them */
        for (int i = first; i < n; i += 2)
            CHECK_EQ(k_page_free(p[i], page), 0);
    void *big;
    CHECK_EQ(k_page_free(p, MOST * sizeof *p), 0);
    CHECK_EQ(used(), before);
    CHECK_EQ(k_page_alloc(limit - before, &big), 0);
    CHECK_EQ(k_page_free(big, limit - before), 0);
    k_memory(NULL, &high, NULL);
    CHECK_EQ(high, limit);
}

static void nothing(int me, void *arg)
{
    (void)me, (void)arg;
}

static void note(int me, void *arg)
{
    (void)me;
    *(size_t *)arg = used();
}

/* Stacks come from the same budget: no page left, no thread; and back. Where they lie beside the
 * window (hal/mem.h) a thread takes nothing of it, and needs nothing. */
static void check_stacks_share(void)
{
    size_t limit, before = used(), with_one = 0;
    void *all;
    struct crew_member m;
    crew_start(&m, 1, -1, note, &with_one);
    crew_join(&m, 1);
    k_memory(NULL, NULL, &limit);
    size_t rest = limit - used();
    CHECK_EQ(k_page_alloc(rest, &all), 0);
    m = (struct crew_member){nothing, NULL, 0, -1};
    int id =
        k_thread_create(&(struct k_thread_attr){.entry = crew_enter, .arg = &m, .core = K_ANY});
    CHECK(with_one > before ? id == -B_ENOMEM : id >= 0 && k_thread_join(id, NULL) == 0);
    CHECK_EQ(k_page_free(all, rest), 0);
    crew_start(&m, 1, -1, nothing, NULL);
    crew_join(&m, 1);
}

/* All cores allocate, fill, check and free at random. */
static void walk(int me, void *arg)
{
    size_t page = *(size_t *)arg;
    enum { KEEP = 6 };
    unsigned char *p[KEEP] = {NULL};
    size_t n[KEEP];
    uint32_t x = (uint32_t)me * 2654435761u + 1;
    for (int i = 0; i < 300; i++) {
        x = x * 1664525u + 1013904223u;
        int k = (int)(x >> 16) % KEEP;
        if (!p[k]) {
            n[k] = (x >> 24) % 3 * page + 1;
            if (k_page_alloc(n[k], (void **)&p[k]) == 0)
                memset(p[k], me + 1, n[k]);
        } else {
            for (size_t at = 0; at < n[k]; at += 64)
                CHECK_EQ(p[k][at], me + 1);
            CHECK_EQ(k_page_free(p[k], n[k]), 0);
            p[k] = NULL;
        }
    }
    for (int k = 0; k < KEEP; k++)
        CHECK(!p[k] || k_page_free(p[k], n[k]) == 0);
}

static int body(void *arg)
{
    (void)arg;
    size_t page = hal_machine()->page_size, before = used();
    check_bad(page);
    check_zeroed(page);
    check_stacks_share();
    check_exhaustion(page);
    struct crew_member m[6];
    crew_start(m, 6, -1, walk, &page);
    crew_join(m, 6);
    CHECK_EQ(used(), before);
    return 0;
}

int main(void)
{
    return on_machines(body);
}
