/* SPDX-License-Identifier: MIT */
/* Memory of a cluster: its window holds struct cluster with all pools, then page frames. */
#ifndef KERNEL_MEM_H
#define KERNEL_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hal/machine.h>

struct cluster;

/* A growing area at the start of the window. Boot walks the layout twice: first with base NULL,
 * which only adds up, then for real. So every pool's builder must ask for the same areas both
 * times and must write only if it got memory. */
struct kern_arena {
    uint8_t *base; /* NULL: only count */
    size_t used;
    size_t size; /* of the window */
};

/* Takes n bytes, zeroed, aligned to KERN_LINE; NULL while counting or when the window is too
 * small (which boot reports after the walk). */
void *kern_arena_take(struct kern_arena *a, size_t n);

/* Bytes of struct cluster with all pools for cluster `cluster` of machine m. */
size_t kern_cluster_size(const struct hal_machine *m, int cluster);

/* n bytes rounded up to contiguous page frames, zeroed or as they were; released with the same n.
 * 0 or an error: sys/k_info.h, k_page_alloc. */
int kern_page_alloc(struct cluster *c, size_t n, bool zeroed, void **p);
int kern_page_free(struct cluster *c, void *p, size_t n);

/* What memory that lies elsewhere is for. */
enum kern_charge {
    KERN_CHARGE_STACKS,    /* of threads */
    KERN_CHARGE_CODE,      /* of programs, with their constants */
    KERN_CHARGE_VARIABLES, /* of the ranks' programs */
    KERN_CHARGE_MALLOC,    /* what ranks allocate */
    KERN_CHARGES
};

/* Charges n bytes (rounded to pages) of the budget to memory that lies elsewhere. -B_ENOMEM: the
 * budget is exhausted, and nothing is lent. */
int kern_page_charge(struct cluster *c, enum kern_charge what, size_t n);
void kern_page_uncharge(struct cluster *c, enum kern_charge what, size_t n);

/* Charges n more bytes for a stack, which grows wherever code touches more of it: in the middle of
 * anything, so no lock is taken, and no other core may run meanwhile: ports in virtual time only.
 * What is uncharged later is KERN_CHARGE_STACKS. -B_ENOMEM: *left bytes are all that is left. */
int kern_page_grow(struct cluster *c, size_t n, size_t *left);

/* What memory was used for when most of it was, in bytes. Takes no lock, so that it may be read
 * when the machine has ended in the middle of anything: nobody may allocate meanwhile. */
struct kern_memory_map {
    size_t limit, high;           /* of the cluster; in use, the sum of what follows */
    size_t pools;                 /* of the kernel */
    size_t pages;                 /* allocated: by services, MPI, MPI_Alloc_mem */
    size_t charged[KERN_CHARGES]; /* by enum kern_charge */
};
void kern_memory_map(struct cluster *c, struct kern_memory_map *m);

/* Bytes in use (pools included), the highest value so far, and what the cluster has: more is in use
 * only where it is lent memory (hal/machine.h). */
void kern_memory(struct cluster *c, size_t *used, size_t *high, size_t *limit);

#endif
