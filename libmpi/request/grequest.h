/* SPDX-License-Identifier: MIT */
/* Generalized requests: what the program says is under way. */
#ifndef MPI_REQUEST_GREQUEST_H
#define MPI_REQUEST_GREQUEST_H

#include "request/request.h"

struct mpi_grequest {
    struct mpi_request base;
    MPI_Grequest_query_function *query;
    MPI_Grequest_free_function *free;
    MPI_Grequest_cancel_function *cancel;
    void *state;
    bool completed; /* the program said so */
};

extern const struct mpi_request_kind mpi_grequest_kind;

#endif
