/* SPDX-License-Identifier: MIT */
/* What a program has in user mode instead of the kernel's functions: where it begins, what belongs
 * to its threads, and functions that are no more than a call. */
#include <base/assert.h>
#include <base/fmt.h>
#include <sys/k_bell.h>
#include <sys/k_crowd.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

_Thread_local void **b_here;
static _Thread_local void *own;
static _Thread_local struct k_hold hold;
static _Thread_local bool known; /* the kernel knows where that is */
static void *_Atomic shared;

_Noreturn void k_start(int (*fn)(void *arg), void *arg, bool ends);

/* A thread's first instruction in user mode: the kernel knows it by its place, which is the first
 * of the program's text. */
__attribute__((section(".start"), used)) _Noreturn void k_start(int (*fn)(void *arg), void *arg,
                                                                bool ends)
{
    b_here = &own;
    int status = fn(arg);
    if (ends)
        k_power_off(status & 255);
    k_thread_exit(NULL);
}

void *k_thread_local_asked(void)
{
    return own;
}

void k_thread_local_set(void *p)
{
    own = p;
}

void *k_cluster_local(void)
{
    return atomic_load_explicit(&shared, memory_order_acquire);
}

void k_cluster_local_set(void *p)
{
    atomic_store_explicit(&shared, p, memory_order_release);
}

void k_thread_yield(void)
{
    k_call(K_NR_thread_yield, false, 0, 0, 0, 0);
}

void k_thread_pass(void)
{
    k_call(K_NR_thread_yield, true, 0, 0, 0, 0);
}

/* The tick that this races with comes on this core: the order is the compiler's to keep. */
void k_thread_hold(void)
{
    uint32_t held = atomic_load_explicit(&hold.held, memory_order_relaxed);
    atomic_store_explicit(&hold.held, held + 1, memory_order_relaxed);
    if (!known)
        known = k_call(K_NR_thread_hold, (long)&hold, 0, 0, 0, 0) == 0;
    atomic_signal_fence(memory_order_seq_cst);
}

void k_thread_release(void)
{
    atomic_signal_fence(memory_order_seq_cst);
    uint32_t held = atomic_load_explicit(&hold.held, memory_order_relaxed);
    atomic_store_explicit(&hold.held, held - 1, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    if (held == 1 && atomic_load_explicit(&hold.late, memory_order_relaxed) != 0) {
        atomic_store_explicit(&hold.late, 0, memory_order_relaxed);
        k_thread_yield();
    }
}

static int bell_wait(struct k_bell *b, uint64_t timeout)
{
    return (int)k_call(K_NR_bell_wait, (long)b, (long)timeout, k_high(timeout), 0, 0);
}

/* The kernel runs no function of the program's. So who has waited for long, or for all that others
 * do, says before it goes on to wait what for, where a report finds it. */
int k_bell_wait(struct k_bell *b, uint64_t timeout)
{
    enum { LONG = 10000 }; /* cycles: 1 ms */
    char text[96];
    int rc = bell_wait(b, timeout != K_FOREVER ? timeout : LONG);
    if (timeout != K_FOREVER || rc != -B_ETIMEDOUT)
        return rc;
    const char *what = b->what;
    if (b->describe) {
        b->describe(b, text, sizeof text);
        b->what = text;
    }
    rc = bell_wait(b, K_FOREVER);
    b->what = what;
    return rc;
}

int k_bell_ring(struct k_bell *b, uint32_t bits)
{
    return (int)k_call(K_NR_bell_ring, (long)b, (long)bits, 0, 0, 0);
}

int k_crowd_wait(struct k_crowd *c, struct k_bell *b)
{
    return b ? (int)k_call(K_NR_crowd, (long)c, (long)b, 0, 0, 0) : -B_EFAULT;
}

int k_crowd_release(struct k_crowd *c)
{
    return (int)k_call(K_NR_crowd, (long)c, 0, 0, 0, 0);
}

int k_thread_return(int value)
{
    return value;
}

_Noreturn void b_assert_failed(const char *condition, const char *file, int line)
{
    char text[160];
    b_fmt(text, sizeof text, "%s:%d: assertion failed: %s", file, line, condition);
    k_abort(134, text);
}
