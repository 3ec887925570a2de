/* SPDX-License-Identifier: MIT */
/* A cluster without memory. */
#ifndef TESTS_MPI_FULL_H
#define TESTS_MPI_FULL_H

#include <mpi.h>
#include <stddef.h>

enum { PIECE = 16 };

/* Memory in ever smaller pieces, until the smallest is refused. A size is at most an eighth below
 * the one before it, or PIECE, as a heap may keep what is free by size. */
struct piece {
    struct piece *next;
};

static inline struct piece *take_all(void)
{
    struct piece *all = NULL, *p;
    for (MPI_Aint n = (MPI_Aint)1 << 30; n > 0; n -= (n / 8 + PIECE - 1) / PIECE * PIECE)
        while (MPI_Alloc_mem(n, MPI_INFO_NULL, &p) == MPI_SUCCESS) {
            p->next = all;
            all = p;
        }
    return all;
}

static inline void give_all(struct piece *all)
{
    for (struct piece *next; all; all = next) {
        next = all->next;
        MPI_Free_mem(all);
    }
}

#endif
