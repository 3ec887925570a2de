/* SPDX-License-Identifier: MIT */
#include "callbacks.h"

#include <stdatomic.h>

/* X(i) for each of the MPIF_CALLBACKS numbers. */
#define TEN(X, t) X(t##0) X(t##1) X(t##2) X(t##3) X(t##4) X(t##5) X(t##6) X(t##7) X(t##8) X(t##9)
#define EACH(X)   TEN(X, ) TEN(X, 1) TEN(X, 2) X(30) X(31)

typedef void routine(void);

/* The place of a routine in a table, which it takes if it has none; -1: the table is full. Ranks
 * that share a process may come at the same time. */
static int place(_Atomic(routine *) *table, routine *wanted)
{
    for (int i = 0; i < MPIF_CALLBACKS; i++) {
        routine *there = NULL;
        if (atomic_compare_exchange_strong(&table[i], &there, wanted) || there == wanted)
            return i;
    }
    return -1;
}

static _Atomic(routine *) mpif_ops[MPIF_CALLBACKS], mpif_handlers[MPIF_CALLBACKS];

#define OP(i)                                                                                      \
    static void op_##i(void *in, void *inout, int *len, MPI_Datatype *type)                        \
    {                                                                                              \
        MPI_Fint number = MPI_Type_toint(*type);                                                   \
        ((mpif_op *)atomic_load(&mpif_ops[i]))(in, inout, len, &number);                           \
    }
EACH(OP)
#define NAME(i) op_##i,
static MPI_User_function *const ops[] = {EACH(NAME)};

MPI_User_function *mpif_op_function(mpif_op *routine_of_program)
{
    int i = place(mpif_ops, (routine *)routine_of_program);
    return i < 0 ? NULL : ops[i];
}

#define HANDLERS(Kind, kind)                                                                       \
    MPI_##Kind##_errhandler_function *mpif_##kind##_handler(mpif_errhandler *routine_of_program)   \
    {                                                                                              \
        static MPI_##Kind##_errhandler_function *const functions[] = {EACH(kind##_NAME)};          \
        int i = place(mpif_handlers, (routine *)routine_of_program);                               \
        return i < 0 ? NULL : functions[i];                                                        \
    }
#define HANDLER(i, Kind, kind)                                                                     \
    static void kind##_##i(MPI_##Kind *object, int *code, ...)                                     \
    {                                                                                              \
        MPI_Fint number = MPI_##Kind##_toint(*object);                                             \
        ((mpif_errhandler *)atomic_load(&mpif_handlers[i]))(&number, code);                        \
    }
#define comm_HANDLER(i)    HANDLER(i, Comm, comm)
#define win_HANDLER(i)     HANDLER(i, Win, win)
#define file_HANDLER(i)    HANDLER(i, File, file)
#define session_HANDLER(i) HANDLER(i, Session, session)
#define comm_NAME(i)       comm_##i,
#define win_NAME(i)        win_##i,
#define file_NAME(i)       file_##i,
#define session_NAME(i)    session_##i,
EACH(comm_HANDLER)
EACH(win_HANDLER)
EACH(file_HANDLER)
EACH(session_HANDLER)
HANDLERS(Comm, comm)
HANDLERS(Win, win)
HANDLERS(File, file)
HANDLERS(Session, session)
