/* SPDX-License-Identifier: MIT */
/* Ranks that disagree (agree.c). docs/collectives.md, Agreement. */
#ifndef MPI_COLL_AGREE_H
#define MPI_COLL_AGREE_H

#include <base/link.h>
#include <mpiutil/alarm.h>

#include "coll/operation.h"

/* What messages of the operation are marked with (call.c). */
unsigned int mpi_coll_mark(struct mpi_coll *c);

/* The mark of one that is known by what the program calls. */
uint16_t mpi_coll_mark_of(const char *call);

/* Ends the operation without a result: what is under way is taken back. The others are told, unless
 * they were the ones who said so (MPI_COLL_ALARMED). */
void mpi_coll_break(struct mpi_coll *c, enum mpi_coll_doubt why, int culprit);

/* Looks for alarms about the operation, for questions of who called something else, and for
 * messages of another one with its number: each breaks it. Messages of one before it are an error
 * when it has ended. Who has waited for long asks those that it waits for. */
void mpi_coll_heed_alarms(struct mpi_coll *c);
void mpi_coll_look_strays(struct mpi_coll *c);

static inline void mpi_coll_heed(struct mpi_coll *c)
{
    if (mpu_alarms(c->p->rank) != c->alarms || c->p->impatience != c->patience)
        mpi_coll_heed_alarms(c);
}

static inline void mpi_coll_look(struct mpi_coll *c)
{
    if (mpu_came(c->p->rank) != c->strays)
        mpi_coll_look_strays(c);
}

/* Notes what it was, for those who ask later: a static program asks nobody, and does not say in
 * words who called what. */
B_IF_LINKED void mpi_coll_remember(struct mpi_coll *c);

/* At the end: one that ended well all the same may be an error. */
static inline void mpi_coll_judge(struct mpi_coll *c)
{
    if (mpi_coll_remember && c->mark && !c->broken)
        mpi_coll_remember(c);
    if (c->late && !c->error) {
        c->error = MPI_ERR_OTHER;
        c->doubt = MPI_COLL_LATE;
    }
}

/* Before the first collective of a rank on a communicator. */
void mpi_coll_be_heedful(struct mpi_process *p);

/* Who has waited for long, if it may, asks those of the cluster and those that the round waits for;
 * and a world rank, for which it waits otherwise (ask.c). */
B_IF_LINKED void mpi_coll_may_ask(struct mpi_process *p);
B_IF_LINKED void mpi_coll_ask(struct mpi_coll *c);
B_IF_LINKED void mpi_coll_ask_one(struct mpi_coll *c, int world);
static inline bool mpi_coll_would_ask(const struct mpi_coll *c)
{
    bool more = c->asked != c->round + 1 || c->asked_slots < c->n;
    return mpi_coll_ask && more && c->patience != c->p->impatience;
}

/* Both, of an operation that waits otherwise than in a round; true: it is broken. */
bool mpi_coll_doubts(void *coll);

/* Waits until all that are to be told of something are. */
void mpi_coll_tell_all(struct mpi_process *p);

/* The end of a blocking one: waits for that, and, if it was broken, until the others of the cluster
 * have ended it, too. */
void mpi_coll_leave(struct mpi_coll *c);

/* One that is under way while the rank does other things is looked after wherever it waits. */
void mpi_coll_watch(struct mpi_coll *c);
void mpi_coll_unwatch(struct mpi_coll *c);

/* The rank takes no part, its arguments are wrong: all others are told. Waits until they are. */
void mpi_coll_absent(struct mpi_coll *c);

/* Says what happened; at most size bytes. */
B_IF_LINKED void mpi_coll_why(struct mpi_coll *c, char *text, size_t size);

#endif
