/* SPDX-License-Identifier: MIT */
/* The checking layer, as collective operations see it. docs/collectives.md, Checking.
 *
 * Operations compare by themselves what costs nothing: the marks of messages, and what ranks say
 * where they meet in shared memory. The layer adds what needs a clock, queries to other ranks, or
 * memory of operations that have ended. All ranks of a job have it or none (mpiexec --check); a
 * program that is linked without it has no mpi_checker_install.
 *
 * Rank's thread only. No hook waits; each may start messages. */
#ifndef MPI_COLL_CHECKER_H
#define MPI_COLL_CHECKER_H

#include <stdbool.h>
#include <stdint.h>

#include <base/link.h>

struct mpi_process;
struct mpi_coll;
struct mpi_call;

struct mpi_checker_hooks {
    /* The operation has its number. */
    void (*made)(struct mpi_coll *c);

    /* It has ended here, well, or broken (c->broken): then when it was broken. */
    void (*ended)(struct mpi_coll *c);

    /* The rank waits in it, and an alarm or a query has come, or the rank has waited for long.
     * Breaks it if it is found that it cannot end well. */
    void (*waits)(struct mpi_coll *c);

    /* The rank has waited for long in it (mpi_coll_stalled), for this world rank, and not for a
     * message of it: queries that one. */
    void (*query)(struct mpi_coll *c, int world);

    /* The same, for other leaders of the segment where they meet: queries those that have not
     * come. */
    void (*query_leaders)(struct mpi_coll *c);

    /* Wherever the rank waits or polls; why: enum mpu_notice. */
    void (*notified)(struct mpi_process *p, uint32_t why);

    /* The call for which the layer has broken the operation, and who made it (rank in the
     * communicator); false: another verdict than the layer's, or it is forgotten by now. */
    bool (*accuses)(struct mpi_coll *c, int *rank, struct mpi_call *call);
};

/* The layer's state of a rank, as far as operations see it; struct mpi_process, `checker`. */
struct mpi_checker {
    const struct mpi_checker_hooks *hooks;
    uint32_t stalls; /* how often the rank had waited for long */
};

/* The layer's part of an operation: struct mpi_coll, `check`. */
struct mpi_checker_coll {
    uint32_t stalls; /* of the rank's, looked at so far */
    int asked;       /* 1 + how many of the messages of the round under way the rank has asked
                      * about, whom it waits for; 0: it has not asked */
};

/* An operation begins, perhaps once more. */
static inline void mpi_checker_begin(const struct mpi_checker *k, struct mpi_checker_coll *c)
{
    c->stalls = k ? k->stalls : 0;
    c->asked = 0;
}

/* Switches the layer on, before the rank's first collective. 0 or -B_ENOMEM. */
B_IF_LINKED int mpi_checker_install(struct mpi_process *p);

#endif
