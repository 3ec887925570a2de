/* SPDX-License-Identifier: MIT */
/* Inside the checking layer. */
#ifndef MPI_CHECK_LAYER_H
#define MPI_CHECK_LAYER_H

#include "coll/checker.h"
#include "coll/call.h"

#define MPI_CHECKER_PAST 8 /* operations that a rank remembers */

struct mpi_checker_state {
    struct mpi_checker head;
    bool finalizes; /* the rank calls no collective any more */
    bool clock;     /* the cluster's runs */
    uint64_t past[MPI_CHECKER_PAST];
};

static inline struct mpi_checker_state *mpi_checker_state(const struct mpi_process *p)
{
    return (struct mpi_checker_state *)p->checker;
}

/* Of what ranks must call alike, with fewer chances than a mark to be the same by accident. */
uint32_t mpi_checker_digest(const struct mpi_call *a);

/* The call that a query or an alarm is about, where it lies. */
static inline const struct mpi_call *mpi_checker_call(const struct mpu_alarm *a)
{
    return (const struct mpi_call *)(const void *)a->call;
}

/* query.c: asks those of the cluster and those that the round waits for; one rank; leaders that
 * have not come where they meet. find: a query of a rank that waits in c and has called something
 * else; false: there is none. */
void mpi_checker_query_all(struct mpi_coll *c);
void mpi_checker_query(struct mpi_coll *c, int world);
void mpi_checker_query_leaders(struct mpi_coll *c);
bool mpi_checker_find_query(struct mpi_coll *c, int *rank, struct mpi_call *call);

/* history.c: notes an operation that is over. answer: to the queries about operations that the rank
 * has ended otherwise, or will not come to. */
void mpi_checker_note(struct mpi_coll *c);
void mpi_checker_answer(struct mpi_process *p);

/* cycle.c: whether the rank does not go on before c has ended; a query of a rank that does not go
 * on in an operation of the other half of the numbers before this one comes to it, while c needs
 * that rank; false: there is none. */
bool mpi_checker_stuck(const struct mpi_coll *c);
bool mpi_checker_find_cycle(struct mpi_coll *c, int *rank, struct mpi_call *call);

#endif
