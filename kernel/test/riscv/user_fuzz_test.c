/* SPDX-License-Identifier: MIT */
/* Threads in user mode make random kernel calls with random arguments, half of them almost right.
 * The kernel survives, writes nothing but what it was given (it looks at a part of its own memory:
 * user_fuzz_image.c), and works afterwards. The other clusters do as well. */
#include <limits.h>

#include <sys/k_info.h>
#include <sys/k_thread.h>
#include <sys/k_types.h>
#include <sys/k_wait.h>
#include <test/bare.h>
#include <test/crew.h>

#include "../ikc.h"

enum { WHO = 1, THREADS = 3, CALLS = 17000, NUMBERS = 72, KEPT = 16 };

static _Alignas(64) unsigned char arena[16 * 1024]; /* what calls may be given */
static unsigned char before[4096], after[4096];     /* and may not */
static int answers[3];                              /* calls that succeeded, failed, were refused */

struct state {
    uint64_t x;
    long kept[KEPT]; /* answers of earlier calls: ids, pages */
};

static uint32_t next_random(struct state *s)
{
    s->x = s->x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(s->x >> 33);
}

/* In the cage, from kernel text to the kernel's state in the window, but not the program's data. */
static long kernel_place(struct state *s)
{
    struct k_info info;
    k_info(&info);
    uintptr_t cage = bare_cage(WHO), far = 256 * 1024;
    uintptr_t size = bare_cage_bytes() - info.compute_memory + 8192;
    uintptr_t at;
    do {
        at = cage + (uintptr_t)next_random(s) % size;
    } while (at > cage + far / 4 && at < (uintptr_t)arena + far / 4);
    return (long)(next_random(s) % 4 ? at & ~UINT64_C(7) : at);
}

static long own_place(struct state *s)
{
    uintptr_t at = (uintptr_t)arena + next_random(s) % (sizeof arena - 4096);
    return (long)(next_random(s) % 8 ? at & ~UINT64_C(63) : at);
}

static long any_place(struct state *s)
{
    static const long odd[] = {0, 1, 8, -1, -8, LONG_MAX, LONG_MIN, INT_MIN};
    switch (next_random(s) % 6) {
    case 0:
        return kernel_place(s);
    case 1:
        return (long)bare_at(next_random(s) % (BARE_NETWORK + 1)) + next_random(s) % 4096;
    case 2:
        return (long)bare_cage(next_random(s) % 4) - 4;
    case 3:
        return odd[next_random(s) % (sizeof odd / sizeof odd[0])];
    default:
        return own_place(s);
    }
}

static long any_number(struct state *s)
{
    switch (next_random(s) % 8) {
    case 0:
        return any_place(s);
    case 1:
        return s->kept[next_random(s) % KEPT];
    case 2:
        return (long)next_random(s) - (1 << 30);
    case 3:
        return next_random(s) % 4096;
    default:
        return (long)(next_random(s) % 6) - 1;
    }
}

static void ends(void *arg)
{
    (void)arg;
}

/* Something that calls may take for a record: pointers, small numbers, attributes of a thread. */
static void fill(struct state *s)
{
    long *at = (long *)(own_place(s) & ~7L);
    for (int i = 0; i < 8; i++)
        at[i] = next_random(s) % 2 ? any_place(s) : any_number(s);
    if (next_random(s) % 4 == 0) {
        *(struct k_thread_attr *)at =
            (struct k_thread_attr){ends, at, "ends", (int)(next_random(s) % 5) - 1, 0};
    }
}

/* What must not be called here: it would end the test or show what others call by mistake. */
static bool left_out(long number, const long *a)
{
    bool own = (uintptr_t)a[0] - (uintptr_t)arena < sizeof arena;
    bool waits = (uintptr_t)a[1] - (uintptr_t)arena < sizeof arena; /* perhaps for ever */
    return number == K_NR_power_off || number == K_NR_abort || number == K_NR_thread_exit ||
           (number == K_NR_console && own) || (number == K_NR_crowd && a[1] != 0 && waits);
}

/* Which argument is a time for which the call may wait; -1: none. */
static int timeout_of(long number)
{
    return number == K_NR_thread_sleep || number == K_NR_work   ? 0
           : number == K_NR_wait_on || number == K_NR_bell_wait ? 1
           : number == K_NR_ikc_wait                            ? 2
                                                                : -1;
}

/* What other calls have written may have changed the entry of a thread's attributes into another
 * place of the program's text, and whatever is run there may end the machine. */
static void keep_entry(long *attr, struct k_thread_attr *copy)
{
    const uintptr_t far = 64 * 1024, at = (uintptr_t)*attr;
    if (at - (uintptr_t)arena < sizeof arena - sizeof *copy &&
        at % _Alignof(struct k_thread_attr) == 0) {
        memcpy(copy, (const void *)at, sizeof *copy);
        bool code = (uintptr_t)copy->entry + far - (uintptr_t)ends < 2 * far;
        copy->entry = code ? ends : copy->entry;
        *attr = (long)copy;
    }
}

static void call(struct state *s)
{
    struct k_thread_attr attr;
    long a[5], number = (long)(next_random(s) % NUMBERS) - 1;
    for (int i = 0; i < 5; i++) {
        a[i] = next_random(s) % 2 ? any_place(s) : any_number(s);
        if (a[i] > 4096 && a[i] < (1 << 20))
            a[i] %= 4096; /* as a length: ends in the arena, or in nothing of the program's */
    }
    int timeout = timeout_of(number);
    if (timeout >= 0) {
        a[timeout] = next_random(s) % 1000;
        if (sizeof(long) < 8) /* its upper half (sys/k_call.h) */
            a[number == K_NR_work ? 2 : timeout + 1] = 0;
    }
    if (number == K_NR_thread_create)
        keep_entry(a, &attr);
    if (number == K_NR_thread_join && (int)a[0] >= 0 && (int)a[0] < 2 * THREADS)
        a[0] = 2 * THREADS; /* not those that run as long as this */
    if (left_out(number, a))
        return;
    long r = k_enter((int)number, a[0], a[1], a[2], a[3], a[4]);
    s->kept[next_random(s) % KEPT] = number == K_NR_page_alloc && r == 0 ? *(long *)a[1] : r;
    answers[r >= 0 ? 0 : r == -B_EFAULT ? 2 : 1]++;
}

static void fuzzes(int me, void *arg)
{
    struct state s = {.x = 1000 + (uint64_t)me};
    (void)arg;
    for (int i = 0; i < CALLS; i++) {
        if (next_random(&s) % 4 == 0)
            fill(&s);
        call(&s);
    }
}

/* What needs nothing that may be used up. */
static void check_works(void)
{
    struct k_mutex m;
    size_t used, high, limit;
    k_mutex_init(&m);
    CHECK_EQ(k_mutex_lock(&m), 0);
    CHECK_EQ(k_mutex_lock(&m), -B_EDEADLK);
    CHECK_EQ(k_mutex_unlock(&m), 0);
    k_memory(&used, &high, &limit);
    CHECK(used <= limit && high <= limit);
    uint64_t begin = k_time_cycles();
    k_thread_sleep(1000);
    CHECK(k_time_cycles() - begin >= 1000);
}

static int body(void *arg)
{
    struct crew_member crew[THREADS];
    struct k_info info;
    (void)arg;
    k_info(&info);
    memset(before, 0x5a, sizeof before);
    memset(after, 0x5a, sizeof after);
    if (info.cluster == WHO) {
        crew_start(crew, THREADS, -1, fuzzes, NULL);
        crew_join(crew, THREADS);
        CHECK(answers[0] > CALLS / 20 && answers[1] > CALLS / 20 && answers[2] > CALLS / 20);
    }
    for (size_t i = 0; i < sizeof before; i++)
        CHECK(before[i] == 0x5a && after[i] == 0x5a);
    check_works();
    return 0;
}

int main(void)
{
    return ikc_on_machines(body);
}
