/* SPDX-License-Identifier: MIT */
/* Shared memory: names, permissions, life of regions; litmus programs and random programs on all
 * clusters, by calls and by addresses; pages that are taken back really are. */
#include <svc/shm.h>

#include "memory.h"

enum {
    LINES = 3,
    PAGES = 5,
    REGIONS = 4,
    WORDS = SVC_PAGE / 4,
    PHASES = 4,
    TURNS = 5,
    PARTNERS = 4
};

static const struct svc_rmem_form *form; /* constant while clusters run */

struct place {
    struct svc_shm *s;
    struct svc_client *c;
    struct svc_shm_region g;
    volatile uint32_t *seen; /* the region at addresses */
    int me, n;
    bool mapped; /* by addresses, else by calls */
};

static uint32_t load(struct place *p, size_t word)
{
    uint32_t v = 0;
    if (p->mapped)
        return p->seen[word];
    CHECK_EQ(svc_shm_read(p->s, &p->g, word * 4, &v, sizeof v), 0);
    return v;
}

static void store(struct place *p, size_t word, uint32_t v)
{
    if (p->mapped)
        p->seen[word] = v;
    else
        CHECK_EQ(svc_shm_write(p->s, &p->g, word * 4, &v, sizeof v), 0);
}

/* Litmus --------------------------------------------------------------------------------------- */

/* Words that lie on pages of their own, or beside each other. */
static size_t word_of(int i, int apart)
{
    return (size_t)i * (apart ? WORDS : 1);
}

static void clear(struct place *p)
{
    world_meet(p->n);
    for (size_t i = 0; p->me == 0 && i < 4; i++) {
        store(p, word_of((int)i, 0), 0);
        store(p, word_of((int)i, 1), 0);
    }
    world_meet(p->n);
}

/* Message passing: who sees the flag sees the data. */
static void check_message(struct place *p, int apart)
{
    for (uint32_t turn = 1; turn <= TURNS; turn++) {
        if (p->me == 0) {
            store(p, word_of(1, apart), turn * 10);
            store(p, word_of(2, apart), turn);
        } else {
            uint32_t flag = load(p, word_of(2, apart)), data = load(p, word_of(1, apart));
            CHECK(data >= flag * 10);
        }
    }
}

/* Store buffering: of two that both write and then look, one sees the other. IRIW: two that look
 * at two independent writes do not see them in different orders. */
static void check_buffering(struct place *p, int apart, uint32_t *saw)
{
    for (int turn = 0; turn < TURNS; turn++) {
        clear(p);
        saw[turn] = 2;
        if (p->me < 2) {
            store(p, word_of(p->me, apart), 1);
            saw[turn] = load(p, word_of(1 - p->me, apart));
        }
        world_meet(p->n);
        store(p, word_of(4 + p->me, 0), saw[turn]);
        world_meet(p->n);
        CHECK(load(p, word_of(4, 0)) + load(p, word_of(5, 0)) > 0);
    }
}

static void check_orders(struct place *p, int apart)
{
    for (int turn = 0; turn < TURNS; turn++) {
        clear(p);
        int a = p->me % 2, b = 1 - a;
        uint32_t first = 0, second = 0;
        if (p->me < 2)
            store(p, word_of(p->me, apart), 1);
        first = load(p, word_of(a, apart));
        second = load(p, word_of(b, apart));
        /* 2: this cluster saw the write of 0 before that of 1; 3: the other way round. */
        uint32_t order = first == 1 && second == 0 ? 2 + (uint32_t)a : 0;
        world_meet(p->n);
        store(p, word_of(8 + p->me, 0), order);
        world_meet(p->n);
        bool both[2] = {false, false};
        for (int i = 0; i < p->n; i++) {
            uint32_t o = load(p, word_of(8 + i, 0));
            both[0] = both[0] || o == 2;
            both[1] = both[1] || o == 3;
        }
        CHECK(!(both[0] && both[1]));
    }
}

/* Each cluster counts in a word of its own, all on one page, without any order among them. */
static void check_neighbours(struct place *p)
{
    size_t mine = 100 + (size_t)p->me;
    store(p, mine, 0);
    for (uint32_t i = 1; i <= 2 * TURNS; i++)
        store(p, mine, load(p, mine) + 1);
    world_meet(p->n);
    for (int i = 0; i < p->n; i++)
        CHECK_EQ(load(p, 100 + (size_t)i), 2 * TURNS);
}

/* Random programs without races: in each phase a word belongs to one cluster, which changes it; all
 * others look at it in the next. More pages than lines. */
static void check_random(struct place *p, uint32_t seed)
{
    uint64_t all = seed, mine = seed + (uint64_t)p->me + 1;
    uint32_t model[40] = {0};
    for (int i = 0; i < 40; i++)
        if (i % p->n == p->me)
            store(p, (size_t)i * (PAGES * WORDS / 40), 0);
    world_meet(p->n);
    for (int phase = 0; phase < PHASES; phase++) {
        for (int i = 0; i < 40; i++) {
            size_t word = (size_t)i * (PAGES * WORDS / 40);
            int owner = (int)(memory_random(&all) % (uint32_t)p->n);
            uint32_t v = memory_random(&all);
            if (owner == p->me) {
                CHECK_EQ(load(p, word), model[i]);
                store(p, word, v);
            }
            model[i] = v;
        }
        world_meet(p->n);
        for (int i = 0; i < 20; i++) {
            uint32_t at = memory_random(&mine) % 40;
            CHECK_EQ(load(p, (size_t)at * (PAGES * WORDS / 40)), model[at]);
        }
        world_meet(p->n);
    }
}

static void check_litmus(struct place *p)
{
    uint32_t saw[TURNS];
    for (int apart = 0; apart < 2; apart++) {
        clear(p);
        check_message(p, apart);
        check_buffering(p, apart, saw);
        check_orders(p, apart);
    }
    world_meet(p->n);
    check_neighbours(p);
    world_meet(p->n);
    check_random(p, 5);
}

/* Regions -------------------------------------------------------------------------------------- */

static void check_names(struct place *p)
{
    struct svc_shm_region g, h;
    struct svc_client *c = p->c;
    uint32_t v = 7;
    CHECK_EQ(svc_shm_open(c, "none", 0, 0, 0, &g), -B_ENOENT);
    CHECK_EQ(svc_shm_open(c, "", SVC_SHM_CREATE, 1, 0, &g), -B_EINVAL);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_CREATE, 0, 0, &g), -B_EINVAL);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_EXCLUSIVE, 1, 0, &g), -B_EINVAL);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_CREATE, (size_t)1 << 40, 0, &g), -B_ENOSPC);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_CREATE, MEMORY_BLOCKS * SVC_PAGE, 0, &g), -B_ENOSPC);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_CREATE, 5000, 0, &g), 0);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_CREATE | SVC_SHM_EXCLUSIVE, 1, 0, &h), -B_EEXIST);
    CHECK_EQ(svc_shm_open(c, "x", SVC_SHM_READ_ONLY, 0, 0, &h), 0);
    CHECK(h.size == 5000 && h.at == g.at && !h.writable);
    CHECK_EQ(svc_shm_write(p->s, &g, 4998, &v, 4), -B_ERANGE);
    CHECK_EQ(svc_shm_write(p->s, &g, 4996, &v, 4), 0);
    CHECK_EQ(svc_shm_write(p->s, &h, 0, &v, 4), -B_EPERM);
    CHECK_EQ(svc_shm_unlink(c, "x"), 0);
    CHECK_EQ(svc_shm_unlink(c, "x"), -B_ENOENT);
    CHECK_EQ(svc_shm_close(p->s, c, &g), 0);
    CHECK_EQ(svc_shm_read(p->s, &h, 4996, &v, 4), 0); /* it lives while it is open */
    CHECK_EQ(v, 7);
    CHECK_EQ(svc_shm_close(p->s, c, &h), 0);
    CHECK_EQ(svc_shm_close(p->s, c, &h), -B_EBADF);
    CHECK_EQ(svc_shm_read(p->s, &h, 0, &v, 4), -B_EFAULT);
    for (int i = 0; i < 3 * REGIONS; i++) { /* what ended is free again, and clear */
        CHECK_EQ(svc_shm_open(c, "y", SVC_SHM_CREATE, 2 * SVC_PAGE, 0, &g), 0);
        CHECK_EQ(svc_shm_read(p->s, &g, SVC_PAGE + 4, &v, 4), 0);
        CHECK_EQ(v, 0);
        v = 9;
        CHECK_EQ(svc_shm_write(p->s, &g, SVC_PAGE + 4, &v, 4), 0);
        CHECK_EQ(svc_shm_unlink(c, "y"), 0);
        CHECK_EQ(svc_shm_close(p->s, c, &g), 0);
        v = 1;
    }
}

static void check_permissions(struct place *p)
{
    struct svc_shm_region g, h;
    uint32_t v = 3;
    if (p->me == 0) {
        CHECK_EQ(svc_shm_open(p->c, "mine", SVC_SHM_CREATE, 4, 0, &g), 0);
        CHECK_EQ(svc_shm_open(p->c, "look", SVC_SHM_CREATE, 4, SVC_SHM_OTHERS_READ, &h), 0);
        CHECK_EQ(svc_shm_write(p->s, &h, 0, &v, 4), 0);
    }
    world_meet(p->n);
    if (p->me == 1) {
        CHECK_EQ(svc_shm_open(p->c, "mine", SVC_SHM_READ_ONLY, 0, 0, &g), -B_EPERM);
        CHECK_EQ(svc_shm_open(p->c, "look", 0, 0, 0, &h), -B_EPERM);
        CHECK_EQ(svc_shm_open(p->c, "look", SVC_SHM_READ_ONLY, 0, 0, &h), 0);
        CHECK_EQ(svc_shm_read(p->s, &h, 0, &v, 4), 0);
        CHECK_EQ(v, 3);
        h.writable = true; /* lying to the own library does not help */
        CHECK_EQ(svc_shm_write(p->s, &h, 0, &v, 4), -B_EPERM);
        CHECK_EQ(svc_shm_unlink(p->c, "look"), -B_EPERM);
        CHECK_EQ(svc_shm_close(p->s, p->c, &h), 0);
    }
    world_meet(p->n);
    if (p->me == 0) {
        CHECK_EQ(svc_shm_unlink(p->c, "mine"), 0);
        CHECK_EQ(svc_shm_unlink(p->c, "look"), 0);
        CHECK_EQ(svc_shm_close(p->s, p->c, &g), 0);
        CHECK_EQ(svc_shm_close(p->s, p->c, &h), 0);
    }
    world_meet(p->n);
}

/* An invalidation is over when all others have lost the page: they fetch it again. */
static void check_invalidation(struct place *p)
{
    struct svc_rmem_stat before, after;
    uint64_t recalls = p->s->state.recalls;
    CHECK_EQ(load(p, 0), load(p, 0));
    world_meet(p->n);
    svc_rmem_stat(&p->s->memory, &before);
    world_meet(p->n);
    if (p->me == 0) {
        CHECK_EQ(svc_shm_invalidate(p->c, &p->g, p->g.size), -B_ERANGE);
        CHECK_EQ(svc_shm_invalidate(p->c, &p->g, 8), 0);
    }
    world_meet(p->n);
    CHECK(p->me == 0 || p->s->state.recalls > recalls);
    load(p, 0);
    svc_rmem_stat(&p->s->memory, &after);
    CHECK_EQ(after.misses - before.misses, p->me != 0);
    world_meet(p->n);
}

/* ---------------------------------------------------------------------------------------------- */

static void check_all(struct place *p)
{
    void *at;
    unsigned flags = SVC_SHM_CREATE, mode = SVC_SHM_OTHERS_READ | SVC_SHM_OTHERS_WRITE;
    if (p->me == 1)
        check_names(p);
    world_meet(p->n);
    check_permissions(p);
    CHECK_EQ(svc_shm_open(p->c, "all", flags, PAGES * SVC_PAGE, mode, &p->g), 0); /* all at once */
    check_litmus(p);
    world_meet(p->n);
    check_invalidation(p);
    CHECK_EQ(svc_shm_map(p->s, &p->g, &at), 0);
    p->seen = at;
    p->mapped = true;
    check_litmus(p);
    world_meet(p->n);
    CHECK_EQ(svc_shm_unmap(p->s, at), 0);
    CHECK_EQ(svc_shm_close(p->s, p->c, &p->g), 0);
    world_meet(p->n);
    if (p->me == 0)
        svc_shm_unlink(p->c, "all"); /* whoever was first made it */
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int n = world_info().clusters;
    bool home = world_me() == svc_home();
    CHECK_EQ(svc_client_open(&c), 0);
    const struct svc_form *daemons = form == &svc_rmem_by_tasks ? &svc_by_tasks : &svc_by_thread;
    struct memory_server m = memory_start(daemons);
    struct svc_daemon *server = NULL;
    size_t bytes = svc_shm_server_bytes(REGIONS, 2 * MEMORY_BLOCKS);
    void *state = NULL;
    if (home) {
        state = world_pages(bytes);
        svc_shm_server_init(state, REGIONS, 2 * MEMORY_BLOCKS);
        server = world_start(daemons, &svc_shm_server, state);
    }
    world_meet(n);
    struct svc_shm *s = world_pages(sizeof *s);
    struct svc_rmem_attr how = {.form = form, .lines = LINES, .space = 8 * SVC_PAGE};
    CHECK_EQ(svc_shm_start(s, &c, &how), 0);
    struct place p = {.s = s, .c = &c, .me = world_me(), .n = n < PARTNERS ? n : PARTNERS};
    world_meet(n);
    if (p.me < p.n)
        check_all(&p);
    world_meet(n);
    CHECK_EQ(svc_shm_stop(s, &c), 0);
    CHECK_EQ(k_page_free(s, sizeof *s), 0);
    world_meet(n);
    if (home) {
        world_stop(server, &c);
        CHECK_EQ(k_page_free(state, bytes), 0);
    }
    memory_stop(&m, &c);
    svc_client_close(&c);
    return 0;
}

int main(void)
{
    static const struct svc_rmem_form *const forms[] = {&svc_rmem_by_thread, &svc_rmem_by_tasks};
    for (int i = 0; i < 2; i++) {
        form = forms[i];
        CHECK_EQ(world_run(body, NULL), 0);
    }
    return 0;
}
