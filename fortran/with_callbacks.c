/* SPDX-License-Identifier: MIT */
/* Functions with routines of the program as arguments. Made twice, as the others. */
#include "callbacks.h"

void F(op_create_)(mpif_op *routine, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror);
void F(op_create_)(mpif_op *routine, MPI_Fint *commute, MPI_Fint *op, MPI_Fint *ierror)
{
    MPI_Op made = MPI_OP_NULL;
    MPI_User_function *function = mpif_op_function(routine);
    int e = function ? C(Op_create)(function, *commute != 0, &made) : MPI_ERR_NO_MEM;
    *op = MPI_Op_toint(made);
    mpif_end(ierror, e);
}

#define HANDLER(name, Name)                                                                        \
    void F(name##_create_errhandler_)(mpif_errhandler * routine, MPI_Fint * errhandler,            \
                                      MPI_Fint * ierror);                                          \
    void F(name##_create_errhandler_)(mpif_errhandler * routine, MPI_Fint * errhandler,            \
                                      MPI_Fint * ierror)                                           \
    {                                                                                              \
        MPI_Errhandler made = MPI_ERRHANDLER_NULL;                                                 \
        MPI_##Name##_errhandler_function *function = mpif_##name##_handler(routine);               \
        int e = !function ? MPI_ERR_NO_MEM : C(Name##_create_errhandler)(function, &made);         \
        *errhandler = MPI_Errhandler_toint(made);                                                  \
        mpif_end(ierror, e);                                                                       \
    }
HANDLER(comm, Comm)
HANDLER(win, Win)
HANDLER(file, File)
HANDLER(session, Session)

/* A generalized request: its routines and its state hang in C's extra state until it is freed. */
struct grequest {
    void (*query)(MPI_Aint *extra, MPI_Fint *status, MPI_Fint *ierror);
    void (*free)(MPI_Aint *extra, MPI_Fint *ierror);
    void (*cancel)(MPI_Aint *extra, MPI_Fint *complete, MPI_Fint *ierror);
    MPI_Aint extra;
};

static int query(void *extra, MPI_Status *status)
{
    struct grequest *g = extra;
    MPI_Fint e = MPI_SUCCESS;
    g->query(&g->extra, (MPI_Fint *)status, &e);
    return e;
}

static int end(void *extra)
{
    struct grequest *g = extra;
    MPI_Fint e = MPI_SUCCESS;
    g->free(&g->extra, &e);
    free(g);
    return e;
}

static int cancel(void *extra, int complete)
{
    struct grequest *g = extra;
    MPI_Fint e = MPI_SUCCESS, done = complete != 0;
    g->cancel(&g->extra, &done, &e);
    return e;
}

void F(grequest_start_)(void (*query_fn)(MPI_Aint *, MPI_Fint *, MPI_Fint *),
                        void (*free_fn)(MPI_Aint *, MPI_Fint *),
                        void (*cancel_fn)(MPI_Aint *, MPI_Fint *, MPI_Fint *), MPI_Aint *extra,
                        MPI_Fint *request, MPI_Fint *ierror);
void F(grequest_start_)(void (*query_fn)(MPI_Aint *, MPI_Fint *, MPI_Fint *),
                        void (*free_fn)(MPI_Aint *, MPI_Fint *),
                        void (*cancel_fn)(MPI_Aint *, MPI_Fint *, MPI_Fint *), MPI_Aint *extra,
                        MPI_Fint *request, MPI_Fint *ierror)
{
    MPI_Request made = MPI_REQUEST_NULL;
    struct grequest *g = malloc(sizeof *g);
    int e = MPI_ERR_NO_MEM;
    if (g) {
        *g = (struct grequest){query_fn, free_fn, cancel_fn, *extra};
        e = C(Grequest_start)(query, end, cancel, g, &made);
    }
    if (e != MPI_SUCCESS)
        free(g);
    *request = MPI_Request_toint(made);
    mpif_end(ierror, e);
}
