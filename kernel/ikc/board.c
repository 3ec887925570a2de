/* SPDX-License-Identifier: MIT */
/* The board: words of the machine's shared memory, and the bells to be rung when they change.
 *
 * No change is missed. Who watches (1) counts itself, (2) enters the list, (3) reads the word. Who
 * changes it (a) writes the word, (b) tells the cluster. (1), (3), (a) and (b) are sequentially
 * consistent: either (3) sees the change, or (1) comes before (b), and the core that takes that
 * event finds the count, waits for the lock of (2), and finds the word in the list. */
#include "ikc/internal.h"

#include <base/error.h>
#include <hal/board.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <kernel/wait.h>
#include <sys/k_board.h>

static bool changed(const struct k_watch *w)
{
    return atomic_load(w->word) != w->value;
}

/* The following with `done` held. */

static void enter(struct kern_ikc *k, struct k_watch *w)
{
    atomic_fetch_add(&k->watching, 1);
    w->next = k->watched;
    w->at = &k->watched;
    if (w->next)
        w->next->at = &w->next;
    k->watched = w;
}

static void leave(struct kern_ikc *k, struct k_watch *w)
{
    *w->at = w->next;
    if (w->next)
        w->next->at = w->at;
    w->at = NULL;
    atomic_fetch_sub(&k->watching, 1);
}

static bool look(struct kern_ikc *k, struct k_watch *w)
{
    bool any = changed(w);
    if (any) {
        leave(k, w);
        kern_bell_ring(w->bell, w->bits);
    }
    return any;
}

bool kern_board_poll(struct kern_ikc *k)
{
    bool any = false;
    if (atomic_load(&k->watching) == 0)
        return false;
    hal_lock(&k->done);
    for (struct k_watch *w = k->watched, *next; w; w = next) {
        next = w->next;
        any |= look(k, w);
    }
    hal_unlock(&k->done);
    return any;
}

/* Kernel call ---------------------------------------------------------------------------------- */

static bool no_address(const void *p, size_t alignment)
{
    return !p || (uintptr_t)p % alignment != 0;
}

static long where(struct k_board *b)
{
    if (no_address(b, _Alignof(struct k_board)))
        return -B_EFAULT;
    b->at = hal_board(&b->bytes);
    return b->at ? 0 : -B_ENOSYS;
}

static long watch(struct kern_ikc *k, struct k_watch *w)
{
    if (no_address(w, _Alignof(struct k_watch)) || no_address(w->word, sizeof *w->word) || !w->bell)
        return -B_EFAULT;
    int error = kern_bell_check(w->bell);
    if (error != 0 || w->bits == 0)
        return error != 0 ? error : -B_EINVAL;
    hal_lock(&k->done);
    bool busy = w->at != NULL;
    if (!busy) {
        enter(k, w);
        look(k, w);
    }
    hal_unlock(&k->done);
    return busy ? -B_EBUSY : 0;
}

static long forget(struct kern_ikc *k, struct k_watch *w)
{
    if (no_address(w, _Alignof(struct k_watch)))
        return -B_EFAULT;
    hal_lock(&k->done);
    if (w->at)
        leave(k, w);
    hal_unlock(&k->done);
    return 0;
}

/* The number of a cluster or core; one that no int holds is none. */
static int number(long n)
{
    return n == (int)n ? (int)n : -1;
}

long kern_sys_board(long a0, long a1, long a2, long a3, long a4)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    switch (a0) {
    case K_BOARD_AT:
        return where((struct k_board *)a1);
    case K_BOARD_TELL:
        return hal_board_tell(number(a1));
    case K_BOARD_URGE:
        return hal_board_urge(number(a1));
    case K_BOARD_WAKE:
        return hal_board_wake(number(a1), number(a2));
    case K_BOARD_READ:
        return hal_board_read(number(a1), (uintptr_t)a2, (void *)a3, (size_t)a4);
    case K_BOARD_WATCH:
        return watch(k, (struct k_watch *)a1);
    case K_BOARD_FORGET:
        return forget(k, (struct k_watch *)a1);
    default:
        return -B_EINVAL;
    }
}
