/* SPDX-License-Identifier: MIT */
/* The gate of user mode: a call's arguments are checked here, by what sys/syscalls.def says of
 * them, so what lies behind the gate is the same as for callers that are trusted.
 *
 * Other threads of the program may write while the kernel reads. So what the kernel judges is
 * copied first; what it only moves, as data of messages, is not. NULL goes through: each call knows
 * it, as callers in the kernel's mode may give it, too. */
#include "user.h"

#include <base/error.h>
#include <base/fmt.h>
#include <base/mem.h>
#include <hal/power.h>
#include <hal/user.h>
#include <kernel/cluster.h>
#include <sys/k_bell.h>
#include <sys/k_crowd.h>
#include <sys/k_fault.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_thread.h>
#include <sys/k_types.h>

#include "../thread/sched.h"
#include "gate.h"

enum { TEXT_MAX = 160, NODES_MAX = 64 };

static const char arguments[K_CALLS][HAL_USER_ARGUMENTS + 1] = {
#define K_CALL(name, class, arguments) arguments,
#include <sys/syscalls.def>
#undef K_CALL
};

/* The arguments of a call, and where copies of what they pointed at go. */
struct checked {
    long a[HAL_USER_ARGUMENTS];
    struct k_source source;
    void *copy; /* of the argument of a call with copies, as below */
    char *text; /* TEXT_MAX */
};

/* All of a record of the program's, aligned. */
static bool holds(long at, size_t n, size_t align, bool written)
{
    return (uintptr_t)at % align == 0 && hal_user_memory((void *)at, n, written);
}

#define HOLDS(at, type, written) holds(at, sizeof(type), _Alignof(type), written)

static int copy(struct checked *c, int i, void *to, size_t n, size_t align)
{
    if (!holds(c->a[i], n, align, false))
        return -B_EFAULT;
    memcpy(to, (const void *)c->a[i], n);
    c->a[i] = (long)to;
    return 0;
}

static int text(char *to, size_t size, const char *from)
{
    for (size_t n = 0; n < size - 1; n++) {
        if (!hal_user_memory(from + n, 1, false))
            return -B_EFAULT;
        to[n] = from[n];
        to[n + 1] = '\0';
        if (to[n] == '\0')
            break;
    }
    return 0;
}

static int copy_text(struct checked *c, long *at)
{
    int error = text(c->text, TEXT_MAX, (const char *)*at);
    *at = (long)c->text;
    return error;
}

static int copy_nodes(struct checked *c, int i)
{
    long n = c->a[i + 1];
    if (n < 1 || n > NODES_MAX)
        return -B_EINVAL;
    return copy(c, i, c->copy, (size_t)n * sizeof(int), _Alignof(int));
}

static int copy_attr(struct checked *c, int i)
{
    struct k_thread_attr *attr = c->copy;
    int error = copy(c, i, attr, sizeof *attr, _Alignof(struct k_thread_attr));
    if (error != 0 || !hal_user_code((const void *)attr->entry))
        return -B_EFAULT;
    long name = (long)attr->name;
    if (name != 0 && (error = copy_text(c, &name)) == 0)
        attr->name = (const char *)name;
    return error;
}

static int check_bytes(long at, long n, bool written)
{
    if (n < 0)
        return -B_EINVAL;
    return hal_user_memory((void *)at, (size_t)n, written) ? 0 : -B_EFAULT;
}

static int copy_pieces(struct checked *c, int i)
{
    long n = c->a[i + 1];
    if (n < 0 || n > K_COPY_PIECES)
        return -B_EINVAL;
    const struct b_piece *pieces = c->copy;
    int error = copy(c, i, c->copy, (size_t)n * sizeof *pieces, _Alignof(struct b_piece));
    for (long k = 0; k < n && error == 0; k++) {
        const struct b_piece *p = &pieces[k];
        error = p->to ? check_bytes((long)p->to, (long)p->n, true) : 0;
        if (error == 0 && p->from)
            error = check_bytes((long)p->from, (long)p->n, false);
    }
    return error;
}

static bool good(long at, char letter)
{
    switch (letter) {
    case 'w':
        return HOLDS(at, uintptr_t, true);
    case 'W':
    case 'c':
        return HOLDS(at, uint64_t, true);
    case 'S':
        return HOLDS(at, struct k_source, true);
    case 'i':
        return HOLDS(at, struct k_info, true);
    case 'q':
        return HOLDS(at, struct k_wait, true);
    case 'b':
        return HOLDS(at, struct k_bell, true);
    case 'g':
        return HOLDS(at, struct k_crowd, true);
    case 'm':
        return HOLDS(at, struct k_mail, true);
    case 'h':
        return HOLDS(at, struct k_hold, true);
    default:
        return false;
    }
}

static int check(struct checked *c, int i, char letter)
{
    bool number = letter == '.' || (letter == 'c' && c->a[1] != K_CONTROL_STAT);
    if (number || (c->a[i] == 0 && letter != '<' && letter != '>'))
        return 0;
    switch (letter) {
    case '<':
    case '>':
        return c->a[i] != 0 || c->a[i + 1] < 0 ? check_bytes(c->a[i], c->a[i + 1], letter == '>')
                                               : 0;
    case 'p':
        return copy_pieces(c, i);
    case '0':
        return -B_ENOSYS;
    case 's':
        return copy(c, i, &c->source, sizeof c->source, _Alignof(struct k_source));
    case 'n':
        return copy_nodes(c, i);
    case 't':
        return copy_text(c, &c->a[i]);
    case 'a':
        return copy_attr(c, i);
    default:
        return good(c->a[i], letter) ? 0 : -B_EFAULT;
    }
}

static __attribute__((noinline)) int check_all(long number, struct checked *c)
{
    int error = 0;
    for (int i = 0; i < HAL_USER_ARGUMENTS && error == 0; i++)
        error = check(c, i, arguments[number][i]);
    return error;
}

/* Stacks in the kernel are small. So what checks is on them no more when the call begins, and
 * copies, which are kept until it is over, are those of functions of their own: most calls make
 * none, and no call that waits has the largest. */
static long go_on(long number, struct checked *c)
{
    int error = check_all(number, c);
    return error != 0 ? error : k_call((int)number, c->a[0], c->a[1], c->a[2], c->a[3], c->a[4]);
}

static __attribute__((noinline)) long with_pieces(long number, struct checked *c)
{
    struct b_piece pieces[K_COPY_PIECES];
    c->copy = pieces;
    return go_on(number, c);
}

static __attribute__((noinline)) long with_copies(long number, struct checked *c)
{
    union {
        int nodes[NODES_MAX];
        struct {
            struct k_thread_attr attr;
            char text[TEXT_MAX];
        } record;
    } room;
    c->copy = &room;
    c->text = room.record.text;
    return go_on(number, c);
}

static long call(long number, const long given[HAL_USER_ARGUMENTS])
{
    struct checked c;
    if (number < 0 || number >= K_CALLS || arguments[number][0] == '\0')
        return -B_ENOSYS;
    memcpy(c.a, given, sizeof c.a);
    for (int i = 0; i < HAL_USER_ARGUMENTS; i++) {
        char letter = arguments[number][i];
        if (letter == 'p')
            return with_pieces(number, &c);
        if (letter == 'n' || letter == 'a' || letter == 't')
            return with_copies(number, &c);
    }
    return go_on(number, &c);
}

/* A thread that holds its core is told that a tick came, and lets others run when it releases. Its
 * word was checked when it was named, and what is the program's memory stays so. */
static bool holds_core(const struct kern_thread *t)
{
    struct k_hold *h = t->hold;
    if (!h || atomic_load_explicit(&h->held, memory_order_relaxed) == 0)
        return false;
    atomic_store_explicit(&h->late, 1, memory_order_relaxed);
    return true;
}

/* What a thread that computes keeps from running: timers, the network, tasks, other threads. */
static void tick(void)
{
    struct kern_core *core = kern_core();
    kern_poll(core);
    if (!holds_core(core->current))
        kern_yield(core, false);
}

static void fault(const char *what)
{
    const struct kern_thread *t = kern_current();
    char text[256];
    b_fmt(text, sizeof text, "thread %d '%s' in user mode: %s", t->id, t->name, what);
    hal_abort(K_FAULT_STATUS, text);
}

static void init(struct cluster *c)
{
    static const struct hal_user_kernel kernel = {call, tick, fault};
    hal_user_init(&kernel, c->frames.base);
}

const struct kern_user kern_user = {
    .init = init,
    .text = text,
    .code = hal_user_code,
    .stack = hal_user_stack,
    .run = hal_user_run,
    .lend = kern_user_lend,
    .returned = kern_user_returned,
    .leave = kern_user_leave,
    .rung = kern_user_bell_rung,
    .ring = kern_user_bell_ring,
    .wait = kern_user_bell_wait,
    .release = kern_user_crowd_release,
};
