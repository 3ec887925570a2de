/* SPDX-License-Identifier: MIT */
/* Computation by the time that this computer needs for it. A thread's processor time is exact but
 * a call of the system, which costs as much as a short message; the clock on the wall is cheap but
 * runs on while others have the processor. So a short stretch is taken by the wall, and a longer
 * one is at most what the thread was charged with since it was last asked. */
#include <stdio.h>
#include <time.h>

#include <hal/hosted.h>
#include <hal/machine.h>
#include <hal/ticks.h>

#include <process/compute.h>
#include <process/image.h>
#include <process/threads.h>

#define SHORT_NS 20000  /* nobody is switched away from a processor and back in less */
#define ASK_NS   100000 /* the thread's time is asked for at most so often, for what is computed */
#define GRAIN_NS 250    /* less is kept for the next call: what is measured is no more exact */
#define COLD_NS  100    /* until this processor's caches, which others have used, are the rank's */

static struct {
    uint64_t left;         /* the clock when a call came back last */
    uint64_t asked, used;  /* the clock when the thread's time was asked for, and that time */
    uint64_t brief, often; /* SHORT_NS, ASK_NS */
    uint64_t empty;        /* a stretch in which nothing is computed: if the rank comes back */
    uint64_t cold;         /* ... from a call in which no other ran, and in which others did */
    struct image_rank *of; /* whose stretch this is */
    uint64_t idle;         /* `empty` or `cold`, of this one */
    double ns;             /* a tick of the clock, in nanoseconds */
    double milli;          /* ... and in thousandths of modelled cycles */
    uint64_t total;        /* ticks computed so far, by all ranks */
    bool by_system;        /* the processor has no counter to be read */
} state;

/* The clock. */
static inline uint64_t now(void)
{
    return state.by_system ? image_host_ns(CLOCK_MONOTONIC) : hal_host_ticks();
}

static void ask(uint64_t at)
{
    state.used = image_host_ns(CLOCK_THREAD_CPUTIME_ID);
    state.asked = at;
}

static void resume(struct image_rank *r)
{
    state.idle = r == state.of ? state.empty : state.cold;
    state.of = r;
    state.left = now();
    if (state.left - state.asked > state.often)
        ask(state.left);
}

/* The system was last asked for the thread's processor time before this stretch began. What it says
 * at the end includes the time before the stretch, which is at most what the clock says passed. */
static __attribute__((noinline)) uint64_t long_stretch(uint64_t end)
{
    uint64_t passed = end - state.left, before = state.left - state.asked, used = state.used;
    ask(end);
    double mine = (double)(state.used - used) / state.ns - (double)before;
    return mine < 0 ? 0 : mine < (double)passed ? (uint64_t)mine : passed;
}

/* Of the ticks since the last call came back. */
static uint64_t take(struct image_rank *r)
{
    (void)r;
    uint64_t end = now(), ticks = end - state.left;
    if (ticks <= state.idle)
        return 0;
    ticks = ticks < state.brief ? ticks - state.idle : long_stretch(end);
    state.total += ticks;
    return (uint64_t)((double)ticks * state.milli);
}

static uint64_t grain(void)
{
    return (uint64_t)(GRAIN_NS / state.ns * state.milli);
}

/* --- the factor --- */

enum { NUMBERS = 256, ROUNDS = 100, TRIALS = 7 };

#define PASSAGE_NS 10 /* from here back to the program and from it to here */

/* The operations of a round for each number: 2 loads, a store, a multiplication, 2 additions, of
 * integers one more and what a loop needs. What optimizers make of it is this computer's affair. */
static uint64_t round_milli(void)
{
    const struct hal_compute *c = &hal_machine()->compute;
    return 3ull * c->memory_milli + c->float_multiply_milli + 2ull * c->float_add_milli +
           3ull * c->integer_milli + c->branch_milli;
}

static __attribute__((noinline)) double rounds(double *a, const double *b)
{
    double sum = 0;
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 0; i < NUMBERS; i++) {
            a[i] = a[i] * 0.999 + b[(i + k) % NUMBERS];
            sum += a[i];
        }
    }
    return sum;
}

/* Ticks of the fastest of several trials. */
static uint64_t fastest(void)
{
    static double a[NUMBERS], b[NUMBERS];
    static volatile double sink;
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < NUMBERS; i++)
        b[i] = 1.0 / (1 + i);
    for (int i = 0; i < TRIALS; i++) {
        uint64_t start = now();
        sink = rounds(a, b);
        uint64_t took = now() - start;
        best = took < best ? took : best;
    }
    (void)sink;
    return best;
}

/* The processor's own counter, if it has one; the trials are long enough to compare it with the
 * system's clock. */
static void calibrate(void)
{
    state.by_system = hal_host_ticks() == 0;
    uint64_t ns = image_host_ns(CLOCK_MONOTONIC), ticks = now();
    uint64_t best = fastest();
    state.ns = (double)(image_host_ns(CLOCK_MONOTONIC) - ns) / (double)(now() - ticks);
    state.milli = (double)NUMBERS * ROUNDS * (double)round_milli() / (double)best;
}

static bool begin(struct image *im, char *why, size_t size)
{
    (void)im, (void)why, (void)size;
    calibrate();
    state.brief = (uint64_t)(SHORT_NS / state.ns);
    state.often = (uint64_t)(ASK_NS / state.ns);
    state.empty = UINT64_MAX;
    for (int i = 0; i < TRIALS; i++) {
        uint64_t passed = now();
        passed = now() - passed;
        state.empty = passed < state.empty ? passed : state.empty;
    }
    state.empty = 2 * state.empty + (uint64_t)(PASSAGE_NS / state.ns);
    state.cold = state.empty + (uint64_t)(COLD_NS / state.ns);
    ask(now());
    resume(NULL);
    image_threads = true;
    return true;
}

static void tell(char *text, size_t size)
{
    snprintf(text, size,
             "%.6f s of this computer's processor, taken for %.0f cycles each microsecond; other "
             "runs give other times, those of a program made by mpicc --count do not",
             (double)state.total * state.ns * 1e-9, state.milli / state.ns);
}

const struct image_gauge image_measured = {
    .begin = begin, .resume = resume, .take = take, .grain = grain, .tell = tell};
