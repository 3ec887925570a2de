/* SPDX-License-Identifier: MIT */
/* Bells: wrong use; what is rung before, during and after a wait, on the owner's core and on
 * others; that no ring is lost or invented whatever races with time-outs; and watches. */
#include <stdatomic.h>

#include <sys/k_bell.h>

#include <test/crew.h>
#include <test/on_machine.h>

#define A K_BELL_FIRST
#define B (K_BELL_FIRST << 1)

/* A thread that does not own it. */
static void stranger(int me, void *arg)
{
    (void)me;
    CHECK_EQ(k_bell_wait(arg, K_FOREVER), -B_EPERM);
    CHECK_EQ(k_bell_work(arg, 1000), 0);
}

static void ring_later(int me, void *arg)
{
    (void)me;
    k_thread_sleep(20000);
    CHECK_EQ(k_bell_ring(arg, B), 0);
}

/* Work is done in full, whatever interrupts it, and none of it twice. */
static void check_work(void)
{
    enum { CYCLES = 100000 };
    struct k_bell s;
    struct crew_member m;
    struct k_info info;
    k_info(&info);
    bool modelled = strcmp(hal_port_name, "sim") == 0;
    CHECK_EQ(k_bell_init(&s, "work"), 0);
    CHECK_EQ(k_bell_ring(&s, A), 0);
    CHECK_EQ(k_bell_work(&s, CYCLES), CYCLES);
    CHECK_EQ(k_bell_take(&s), A);
    crew_start(&m, 1, info.cores - 1, ring_later, &s);
    uint64_t begin = k_time_cycles(), left = k_bell_work(&s, CYCLES);
    uint32_t bits = k_bell_take(&s);
    CHECK(!modelled || (left > 0 && left < CYCLES && bits == B));
    left = modelled ? k_bell_work(&s, left) : 0;
    uint64_t took = k_time_cycles() - begin;
    CHECK_EQ(left, 0);
    CHECK(!modelled || (took >= CYCLES && took < CYCLES + 2000));
    crew_join(&m, 1);
    k_bell_take(&s);
}

static void check_bad(void)
{
    struct k_bell s;
    struct crew_member m;
    struct k_bell none = {0};
    CHECK_EQ(k_bell_init(NULL, "bad"), -B_EFAULT);
    CHECK_EQ(k_bell_init((struct k_bell *)((char *)&s + 1), "bad"), -B_EFAULT);
    CHECK_EQ(k_bell_init(&s, "bad"), 0);
    CHECK_EQ(k_bell_ring(NULL, A), -B_EFAULT);
    CHECK_EQ(k_bell_ring(&s, 0), -B_EINVAL);
    CHECK_EQ(k_bell_ring(&none, A), -B_EINVAL);
    CHECK_EQ(k_bell_wait(NULL, 0), -B_EFAULT);
    crew_start(&m, 1, -1, stranger, &s);
    crew_join(&m, 1);
    CHECK_EQ(k_bell_wait(&s, 0), -B_ETIMEDOUT);
    uint64_t begin = k_time_cycles();
    CHECK_EQ(k_bell_wait(&s, 5000), -B_ETIMEDOUT);
    CHECK(k_time_cycles() - begin >= 5000);
    CHECK_EQ(k_bell_take(&s), 0);
    CHECK_EQ(k_bell_ring(&s, A), 0);
    CHECK_EQ(k_bell_ring(&s, B), 0);
    CHECK_EQ(k_bell_wait(&s, K_FOREVER), 0);
    CHECK_EQ(k_bell_take(&s), A | B);
    CHECK_EQ(k_bell_take(&s), 0);
}

/* Each of `ringers` hands over tokens, one ring each, to one owner that counts them. */
enum { RINGERS = 6, TOKENS = 150 };

struct tower {
    struct k_bell bell;
    atomic_bool open;
    uint64_t timeout;
    atomic_int token[RINGERS];
    int taken;
};

static void ringer(int me, void *arg)
{
    struct tower *t = arg;
    while (!atomic_load(&t->open))
        k_thread_yield();
    for (int i = 0; i < TOKENS; i++) {
        atomic_fetch_add(&t->token[me], 1);
        CHECK_EQ(k_bell_ring(&t->bell, A << me), 0);
        if (i % 3 == me % 3)
            k_thread_yield();
    }
}

/* A bit says that its ringer has left something, and nobody is believed without his bit. */
static void owner(int me, void *arg)
{
    struct tower *t = arg;
    (void)me;
    CHECK_EQ(k_bell_init(&t->bell, "tower"), 0);
    atomic_store(&t->open, true);
    while (t->taken < RINGERS * TOKENS) {
        int rc = k_bell_wait(&t->bell, t->timeout);
        CHECK(rc == 0 || (rc == -B_ETIMEDOUT && t->timeout != K_FOREVER));
        uint32_t bits = k_bell_take(&t->bell);
        CHECK(rc != 0 || bits != 0);
        for (int i = 0; i < RINGERS; i++) {
            int n = (bits & A << i) != 0 ? atomic_exchange(&t->token[i], 0) : 0;
            t->taken += n;
        }
    }
}

/* core < 0: owner and ringers on all cores. */
static void check_tower(int core, uint64_t timeout)
{
    struct tower t = {.timeout = timeout};
    struct crew_member first, m[RINGERS];
    crew_start(&first, 1, core, owner, &t);
    crew_start(m, RINGERS, core, ringer, &t);
    crew_join(m, RINGERS);
    crew_join(&first, 1);
    CHECK_EQ(t.taken, RINGERS * TOKENS);
}

/* Two threads on two cores hand a ball over by writing a word that the other's core watches. Each
 * has a neighbour on its core that waits for its end, on whose stack the core rests at times. The
 * bells and watches stay until the cluster ends. */
enum { PASSES = 3000 };

struct player {
    _Alignas(KERN_LINE) _Atomic(uint32_t) ball;
    struct k_bell bell;
    struct b_watch watch;
};
static struct player players[2];
static atomic_int ready;

static void init_watching(struct player *p)
{
    static struct b_watch other = {.word = &players[0].ball, .value = 1};
    CHECK_EQ(k_bell_watch(NULL, "ball", &p->watch), -B_EFAULT);
    CHECK_EQ(k_bell_watch(&p->bell, "ball", NULL), -B_EFAULT);
    CHECK_EQ(k_bell_watch(&p->bell, "ball", (struct b_watch *)((char *)&p->watch + 8)), -B_EFAULT);
    CHECK_EQ(k_bell_watch(&p->bell, "ball", &p->watch), 0);
    CHECK_EQ(k_bell_watch(&p->bell, "ball", &other), -B_EINVAL);
    CHECK_EQ(k_bell_watch(&p->bell, "ball", &p->watch), 0); /* once more */
}

static void give(struct player *to, uint32_t ball)
{
    atomic_store(&to->ball, ball);
    if (b_watch_asleep(&to->watch))
        CHECK_EQ(k_bell_ring(&to->bell, A), 0);
}

static void play(int me, void *arg)
{
    struct player *p = &players[me], *other = &players[1 - me];
    (void)arg;
    p->watch.word = &p->ball;
    p->watch.value = 1;
    init_watching(p);
    atomic_fetch_add(&ready, 1);
    while (atomic_load(&ready) < 2)
        k_thread_yield();
    for (uint32_t i = 1; i <= PASSES; i++) {
        p->watch.value = i;
        if (me == 0)
            give(other, i);
        while (atomic_load(&p->ball) != i) {
            CHECK_EQ(k_bell_wait(&p->bell, i % 2 != 0 ? K_FOREVER : 1000000000), 0);
            CHECK((k_bell_take(&p->bell) & ~(A | (uint32_t)K_BELL_WATCH)) == 0);
        }
        if (me == 1)
            give(other, i);
    }
}

static void bystander(int me, void *arg)
{
    struct crew_member *m = arg;
    crew_join(&m[me], 1);
}

static void check_watch(const struct k_info *info)
{
    struct crew_member m[2], by[2];
    char *nowhere = (char *)&players[0].watch + 8;
    if (k_bell_watch(&players[0].bell, "ball", (struct b_watch *)nowhere) == -B_ENOSYS)
        return; /* a program in user mode */
    for (int i = 0; i < 2; i++) {
        m[i] = (struct crew_member){play, NULL, i, -1};
        by[i] = (struct crew_member){bystander, m, i, -1};
        m[i].id = k_thread_create(&(struct k_thread_attr){
            .entry = crew_enter, .arg = &m[i], .name = "player", .core = info->user_core + i});
        by[i].id = k_thread_create(&(struct k_thread_attr){
            .entry = crew_enter, .arg = &by[i], .name = "bystander", .core = info->user_core + i});
        CHECK(m[i].id >= 0 && by[i].id >= 0);
    }
    crew_join(by, 2);
}

static int body(void *arg)
{
    struct k_info info;
    (void)arg;
    k_info(&info);
    check_bad();
    check_work();
    check_tower(info.user_core, K_FOREVER);
    check_tower(-1, K_FOREVER);
    check_tower(info.user_core, 700);
    check_tower(-1, 700);
    check_watch(&info);
    return 0;
}

int main(void)
{
    return on_machines(body);
}
