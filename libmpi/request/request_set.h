/* SPDX-License-Identifier: MIT */
/* Several requests at once: what the functions of the wait and test family have in common. */
#ifndef MPI_REQUEST_REQUEST_SET_H
#define MPI_REQUEST_REQUEST_SET_H

#include "request/request.h"

/* Checked handles; ends them through `handles`, or, if that is NULL, leaves them as they are
 * (MPI_Request_get_status). */
struct mpi_set {
    const MPI_Request *array;
    MPI_Request *handles;
    MPI_Status *statuses; /* of all; or of the one at `index`; may be ignored */
    int n;
    int index; /* of a complete one; MPI_UNDEFINED: none is active */
    int ended; /* so many, the first ones, have their status and are ended */
    bool all;  /* who waits does not go on without all of them, else without one of them */
    struct mpi_process *p;
};

/* Is there nothing left to wait for: all are complete, or inactive; one is complete, or all are
 * inactive. Never wait. */
typedef bool mpi_set_done(struct mpi_set *s);
mpi_set_done mpi_set_all, mpi_set_any;

/* Wait until that is so. _all ends the first ones meanwhile, as far as nothing went wrong and they
 * are no more than messages, so that little is left to do when the last one has come. `call` is for
 * the report of waiting ranks. */
void mpi_set_wait_all(struct mpi_process *p, const char *call, struct mpi_set *s);
void mpi_set_wait_any(struct mpi_process *p, const char *call, struct mpi_set *s);

/* Makes progress once and says whether done, and lets others run if not. */
bool mpi_set_try(struct mpi_process *p, const char *call, struct mpi_set *s, mpi_set_done *done);

/* The first from i on that is active and not complete; s->n: there is none. */
static inline int mpi_set_open(const struct mpi_set *s, int i)
{
    for (; i < s->n; i++) {
        const struct mpi_request *q = mpi_request_of(s->array[i]);
        if (mpi_request_active(q) && !(q->flags & MPI_REQUEST_COMPLETE))
            break;
    }
    return i;
}

/* Is q one of them? */
bool mpi_set_has(const struct mpi_set *s, const struct mpi_request *q);

/* Give the status of the one at `index`; of all that have not ended yet; of each that is complete.
 * Then end them, and raise what went wrong: for more than one MPI_ERR_IN_STATUS. */
int mpi_set_end_one(struct mpi_process *p, const char *call, struct mpi_set *s);
int mpi_set_end_all(struct mpi_process *p, const char *call, struct mpi_set *s);
int mpi_set_end_some(struct mpi_process *p, const char *call, struct mpi_set *s, int *count,
                     int *indices);

#endif
