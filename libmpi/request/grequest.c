/* SPDX-License-Identifier: MIT */
#include "request/grequest.h"
#include "core/callback.h"
#include "request/status.h"

static struct mpi_grequest *grequest(struct mpi_request *q)
{
    return (struct mpi_grequest *)q;
}

static bool poll(struct mpi_request *q)
{
    return grequest(q)->completed;
}

static int status(struct mpi_request *q, MPI_Status *s)
{
    mpi_status_empty(s);
    int was = mpi_callback_begin(mpi_process());
    q->error = grequest(q)->query(grequest(q)->state, s);
    mpi_callback_end(mpi_process(), was);
    return q->error;
}

static int cancel(struct mpi_request *q)
{
    int was = mpi_callback_begin(mpi_process());
    q->error = grequest(q)->cancel(grequest(q)->state, grequest(q)->completed);
    mpi_callback_end(mpi_process(), was);
    return q->error;
}

static int finish(struct mpi_request *q)
{
    int was = mpi_callback_begin(mpi_process());
    int rc = grequest(q)->free(grequest(q)->state);
    mpi_callback_end(mpi_process(), was);
    return rc;
}

const struct mpi_request_kind mpi_grequest_kind = {.name = "generalized request",
                                                   .poll = poll,
                                                   .status = status,
                                                   .cancel = cancel,
                                                   .finish = finish,
                                                   .why = mpi_request_class_why};
