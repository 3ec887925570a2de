/* SPDX-License-Identifier: MIT */
/* The board: memory that all clusters of the machine share, where it has any. Clusters that meet
 * there need no messages: one writes a word and tells the others, these have a bell rung when the
 * word changes. None of the calls waits. */
#ifndef SYS_K_BOARD_H
#define SYS_K_BOARD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/k_bell.h>
#include <sys/k_call.h>

enum k_board_operation {
    K_BOARD_AT,
    K_BOARD_TELL,
    K_BOARD_URGE,
    K_BOARD_WAKE,
    K_BOARD_WATCH,
    K_BOARD_FORGET,
    K_BOARD_READ
};

/* The memory: zeroed at the machine's start, on a page boundary, coherent; its address may differ
 * from cluster to cluster. */
struct k_board {
    void *at;
    size_t bytes;
};

/* -B_ENOSYS: the clusters share no memory. -B_EFAULT: b is no address. */
static inline int k_board(struct k_board *b)
{
    return (int)k_call(K_NR_board, K_BOARD_AT, (long)b, 0, 0, 0);
}

/* Has cluster `node` look at the words that are watched there; what the caller wrote to the board
 * before is visible. -B_EHOSTUNREACH: no such cluster; -B_ENOSYS as above. */
static inline int k_board_tell(int node)
{
    return (int)k_call(K_NR_board, K_BOARD_TELL, node, 0, 0, 0);
}

/* The same for what the cores of that cluster find by themselves as long as they are awake, and
 * what cannot wait until a program there has computed: it is interrupted, or helped
 * (hal/attend.h). */
static inline int k_board_urge(int node)
{
    return (int)k_call(K_NR_board, K_BOARD_URGE, node, 0, 0, 0);
}

/* The same for one core of that cluster, whose threads watch something on the board by
 * k_bell_watch: it was asleep when the caller made that due (base/watch.h). -B_EHOSTUNREACH: no
 * such core. */
static inline int k_board_wake(int node, int core)
{
    return (int)k_call(K_NR_board, K_BOARD_WAKE, node, core, 0, 0);
}

/* Copies n bytes of another cluster's memory, at an address as that cluster has it, to memory of
 * the caller; takes as long as the copy. What that cluster wrote before it told the caller of it is
 * there. -B_EHOSTUNREACH: no such cluster; -B_EFAULT: a part of it is no memory; -B_ENOSYS: the
 * machine cannot, and never will. */
static inline int k_board_read(int node, uintptr_t address, void *to, size_t n)
{
    return (int)k_call(K_NR_board, K_BOARD_READ, node, (long)address, (long)to, (long)n);
}

/* A word that is watched; what is not set is zero at first. It must stay as it is, and live, until
 * it has been forgotten. */
struct k_watch {
    const _Atomic uint32_t *word;
    uint32_t value;      /* as long as the word has this value, nothing happens; */
    uint32_t bits;       /* with another one the bell is rung with these, once. */
    struct k_bell *bell; /* of any thread of the cluster */

    struct k_watch *next, **at; /* the kernel's; at NULL: it is not watched */
};

/* Begins to watch; if the word has another value already, the bell is rung at once. -B_EFAULT: an
 * address is none; -B_EINVAL: no bits, or the bell has no owner; -B_EBUSY: it is watched. */
static inline int k_board_watch(struct k_watch *w)
{
    return (int)k_call(K_NR_board, K_BOARD_WATCH, (long)w, 0, 0, 0);
}

/* Ends that, if it was not rung yet. After the return the kernel knows nothing of it. -B_EFAULT. */
static inline int k_board_forget(struct k_watch *w)
{
    return (int)k_call(K_NR_board, K_BOARD_FORGET, (long)w, 0, 0, 0);
}

#endif
