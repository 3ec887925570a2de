/* SPDX-License-Identifier: MIT */
/* Plans: what the data of a committed type comes to, without the way it was described. A plan is
 * one of three forms, which may contain plans of the types below:
 *
 *     loop   something again and again, the same distance apart
 *     runs   bytes that lie together, at places of a table
 *     list   parts that are repeated each in its own way
 *
 * Neighbouring bytes are one run, loops that go on in each other are one loop, and few runs are a
 * table, so vectors, structures and their arrays come to a loop of runs or a loop of a short table.
 * A plan grows with the blocks that an irregular type lists, never with what repeats. */
#ifndef MPI_DATATYPE_TYPE_PLAN_H
#define MPI_DATATYPE_TYPE_PLAN_H

#include "datatype/type.h"

/* As many runs are a table where they do not repeat, also where that is repeated. */
#define MPI_PLAN_FEW 8

enum mpi_plan_kind { MPI_PLAN_LOOP, MPI_PLAN_RUNS, MPI_PLAN_LIST };

/* `count` times a plan, `stride` apart; without a plan: runs of `bytes`. */
struct mpi_plan_part {
    MPI_Aint at, stride;
    MPI_Count count;
    const struct mpi_plan *below;
    uint64_t bytes; /* of data in one */
    uint64_t first; /* bytes of data before the first */
};

struct mpi_plan {
    uint64_t size;   /* bytes of data, at least one */
    uint64_t pieces; /* runs that it has, or as many as a number holds */
    enum mpi_plan_kind kind;
    MPI_Count count; /* of runs, or of parts; a loop is one part */
    uint64_t each;   /* runs: bytes of each; 0: they differ */
    union {
        const MPI_Aint *at; /* runs: where each is */
        const struct mpi_plan_part *part;
    };
    const uint64_t *first; /* runs that differ: [count + 1] bytes of data before each, and all */
};

/* Bytes of data before run i of a table; i may be their number. */
static inline uint64_t mpi_plan_before(const struct mpi_plan *t, MPI_Count i)
{
    return t->each ? (uint64_t)i * t->each : t->first[i];
}

/* Sees to it that t, of more than one run, has its plan (mpi_type.plan). MPI_ERR_NO_MEM, not
 * raised. */
int mpi_type_compile(struct mpi_process *p, const struct mpi_type *t);

/* Gives the plan of a derived type back. */
void mpi_plan_free(struct mpi_process *p, struct mpi_type *t);

/* `count` elements of t, as a part: of a compiled type, or one that is a run. */
struct mpi_plan_part mpi_plan_elements(const struct mpi_type *t, MPI_Count count, MPI_Aint at);

#endif
