/* SPDX-License-Identifier: MIT */
/* What ranks tell each other about their calls (call.c), for what finds out that they disagree:
 * agree.c, why.c, the checking layer. */
#ifndef MPI_COLL_CALL_H
#define MPI_COLL_CALL_H

#include "coll/agree.h"

/* MEETS: the operation ends for nobody before all have come to it. STUCK, of a question: the rank
 * does not go on before it has ended. */
enum mpi_call_waits { MPI_CALL_MEETS = 1, MPI_CALL_STUCK = 2 };

/* What ranks tell each other about a call; MPU_ALARM_CALL bytes of an alarm. */
struct mpi_call {
    uint64_t bytes;
    int32_t root;
    uint16_t op, mark; /* mark 0: the call's arguments are wrong */
    uint8_t id, class;
    uint16_t waits; /* enum mpi_call_waits */
    uint32_t next;  /* query: number of the rank's next operation in the other half */
    char name[MPU_ALARM_CALL - 24];
};
_Static_assert(sizeof(struct mpi_call) == MPU_ALARM_CALL, "a call is what an alarm says");

struct mpi_call mpi_call_of(struct mpi_coll *c);

/* The error class that another rank's call, *other, means to this one, which is no worse than
 * that: of one that is the same it is what that one saw. */
int mpi_call_class_beside(const struct mpi_call *own, const struct mpi_call *other);

/* What an alarm says, which came over the network. */
struct mpi_call mpi_call_in(const struct mpu_alarm *a);

/* Of operation n on comm, an alarm or a query of this rank. */
struct mpu_alarm mpi_call_alarm(const struct mpi_comm *comm, uint32_t n,
                                const struct mpi_call *call, bool asks);

/* The newest alarm about c, rather one that says with which error it ends; false: there is none. */
bool mpi_call_find(const struct mpi_coll *c, int *rank, struct mpi_call *call);

/* What this rank can tell of operation n on comm, which has ended here otherwise than for who is
 * still at it: why, if another rank's alarm said so; else only that it was something else. */
struct mpi_call mpi_call_ending(const struct mpi_process *p, const struct mpi_comm *comm,
                                uint32_t n);

/* Whether c is the operation of a request, and the rank is in MPI_Wait or the like for it. */
bool mpi_coll_awaited(const struct mpi_coll *c);

#endif
