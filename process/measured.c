/* SPDX-License-Identifier: MIT */
/* Computation by the time that this computer needs for it. A thread's processor time is exact but
 * a call of the system, which costs as much as a short message; the clock on the wall is cheap but
 * runs on while others have the processor. So a short stretch is taken by the wall, and a longer
 * one is at most what the thread was charged with since it was last asked. */
#include <stdio.h>
#include <time.h>

#include <hal/machine.h>

#include <process/compute.h>
#include <process/image.h>
#include <process/threads.h>

#define SHORT_NS 20000 /* nobody is switched away from a processor and back in less */
#define ASK_NS   50000 /* the thread's time is asked for at most so often, for what is computed */

static struct {
    uint64_t left;         /* wall clock when a call came back last */
    uint64_t asked, used;  /* wall clock when the thread's time was asked for, and that time */
    uint64_t milli_per_us; /* thousandths of modelled cycles */
    uint64_t ns;           /* computed so far, by all ranks */
} state;

static uint64_t wall(void)
{
    return image_host_ns(CLOCK_MONOTONIC);
}

static void ask(uint64_t now)
{
    state.used = image_host_ns(CLOCK_THREAD_CPUTIME_ID);
    state.asked = now;
}

static void resume(void)
{
    state.left = wall();
    if (state.left - state.asked > ASK_NS)
        ask(state.left);
}

/* Of what the thread was charged with since the last question, what came before the stretch cannot
 * be more than its time on the wall. */
static uint64_t stretch(void)
{
    uint64_t now = wall(), passed = now - state.left;
    if (passed < SHORT_NS)
        return passed;
    uint64_t before = state.left - state.asked, used = state.used;
    ask(now);
    used = state.used - used;
    used = used > before ? used - before : 0;
    return used < passed ? used : passed;
}

static uint64_t take(struct image_rank *r)
{
    (void)r;
    uint64_t ns = stretch();
    state.ns += ns;
    return ns * state.milli_per_us / 1000;
}

/* --- the factor --- */

enum { NUMBERS = 256, ROUNDS = 400, TRIALS = 9 };

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

static bool begin(struct image *im, char *why, size_t size)
{
    static double a[NUMBERS], b[NUMBERS];
    static volatile double sink;
    uint64_t best = UINT64_MAX;
    (void)im, (void)why, (void)size;
    for (int i = 0; i < NUMBERS; i++)
        b[i] = 1.0 / (1 + i);
    for (int i = 0; i < TRIALS; i++) {
        uint64_t start = wall();
        sink = rounds(a, b);
        uint64_t took = wall() - start;
        best = took < best ? took : best;
    }
    (void)sink;
    state.milli_per_us = (uint64_t)NUMBERS * ROUNDS * round_milli() * 1000 / (best + 1);
    resume();
    image_threads = true;
    return true;
}

static void tell(char *text, size_t size)
{
    snprintf(text, size,
             "%.6f s of this computer's processor, taken for %.0f cycles each microsecond; other "
             "runs give other times, those of a program made by mpicc --count do not",
             (double)state.ns * 1e-9, (double)state.milli_per_us / 1000);
}

const struct image_gauge image_measured = {begin, resume, take, tell};
