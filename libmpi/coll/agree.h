/* SPDX-License-Identifier: MIT */
/* Ranks that disagree (agree.c). docs/collectives.md, Agreement. */
#ifndef MPI_COLL_AGREE_H
#define MPI_COLL_AGREE_H

#include <base/link.h>
#include <mpiutil/alarm.h>

#include "coll/operation.h"

struct mpi_call;

/* What messages of the operation are marked with (call.c). */
unsigned int mpi_coll_mark(struct mpi_coll *c);

/* The mark of one that is known by what the program calls. */
uint16_t mpi_coll_mark_of(const char *call);

/* Ends the operation without a result: what is under way is taken back. The others are told, unless
 * they were the ones who said so (MPI_COLL_ALARMED); of a cycle (MPI_COLL_CYCLE) that none of the
 * communicator's operations can end well, as its ranks count them differently now. */
void mpi_coll_break(struct mpi_coll *c, enum mpi_coll_verdict why, int offender);

/* Tells the other ranks of comm that its operations n to last are over, and what this one called
 * there. */
void mpi_coll_alarm(struct mpi_process *p, struct mpi_comm *comm, uint32_t n, uint32_t last,
                    const struct mpi_call *own);

/* Whether a message has come that belongs to another operation. */
bool mpi_coll_slot_differs(struct mpi_coll_slot *s);

/* Looks for alarms about the operation, and for messages of another one with its number: each
 * breaks it. The checking layer looks for more. */
void mpi_coll_take_alarms(struct mpi_coll *c);
void mpi_coll_look_unmatched(struct mpi_coll *c);

/* Whether the rank has waited for long since the checking layer, if there is one, looked at c. */
static inline bool mpi_coll_stalled(const struct mpi_coll *c)
{
    const struct mpi_checker *k = c->p->checker;
    return k && k->stalls != c->agreement.check.stalls;
}

static inline bool mpi_coll_alarmed(const struct mpi_coll *c)
{
    return mpu_alarms(c->p->rank) != c->agreement.alarms || mpi_coll_stalled(c);
}

static inline void mpi_coll_check_alarms(struct mpi_coll *c)
{
    if (mpi_coll_alarmed(c))
        mpi_coll_take_alarms(c);
}

static inline void mpi_coll_look(struct mpi_coll *c)
{
    if (mpu_came(c->p->rank) != c->agreement.unmatched)
        mpi_coll_look_unmatched(c);
}

/* Of c's communicator: messages of collectives with these tags, which nobody will receive. _others:
 * those of nonblocking operations that are over, before one that was broken. Only linked where
 * there are any. */
void mpi_coll_forget(const struct mpi_coll *c, int first, int last);
B_IF_LINKED void mpi_coll_forget_others(const struct mpi_coll *c);

/* At the end. */
void mpi_coll_judge(struct mpi_coll *c);

/* The rank looks for alarms wherever it waits. */
void mpi_coll_listen(struct mpi_process *p);

/* Wherever it waits, for as long as something is to be told, watched or looked at; else where there
 * is a notice. */
void mpi_coll_listen_on(struct mpi_process *p);

/* Before the first collective of a rank on a communicator: the same, and it puts by the memory that
 * it takes to tell others. */
void mpi_coll_prepare(struct mpi_process *p);

/* An operation before c, which ended well here, was another one for the offender. */
void mpi_coll_was_late(struct mpi_coll *c, int offender);

/* Whether a message waits that is of the communicator, has a tag of first to last, and a mark that
 * names another operation than `mark` (0: any): then *from is its sender's rank, *tag its tag. */
bool mpi_coll_unmatched(const struct mpi_process *p, const struct mpi_comm *comm, int first,
                        int last, unsigned int mark, int *from, int *tag);

/* Messages of operations that have ended (late.c): from now on they are noted (struct mpi_alarms,
 * `late`); those that were are looked at, c: the operation that the rank is in, or NULL, which
 * starts messages and does not wait; c ends on a communicator that one was found on. Static
 * programs are linked without. */
B_IF_LINKED void mpi_late_listen(struct mpi_process *p);
B_IF_LINKED void mpi_late_look(struct mpi_process *p, const struct mpi_coll *c);
B_IF_LINKED void mpi_late_judge(struct mpi_coll *c);

/* Before each MPI_COLL_ERA-th operation of a half of the numbers, that of the blocking ones (0) or
 * of the others (1): what is known of operations that had the numbers to come is forgotten. */
B_IF_LINKED void mpi_late_renumber(struct mpi_process *p, struct mpi_comm *comm, int half);

/* Looks at alarms and at messages that nobody wants, of an operation that waits otherwise than in a
 * round; true: it is broken, so the wait is cancelled. */
bool mpi_coll_cancelled(void *coll);

/* The end of a blocking one: waits until all that are to be told of something are, and, if it was
 * broken, until the others of the cluster have ended it, too. */
void mpi_coll_leave(struct mpi_coll *c);

/* One that is under way while the rank does other things is looked after wherever it waits. */
void mpi_coll_watch(struct mpi_coll *c);
void mpi_coll_unwatch(struct mpi_coll *c);

/* The rank takes no part, its arguments are wrong: all others are told. Waits until they are. */
void mpi_coll_absent(struct mpi_coll *c);

/* Says what happened; at most size bytes. A static program does not say in words who called
 * what. */
B_IF_LINKED void mpi_coll_why(struct mpi_coll *c, char *text, size_t size);

#endif
