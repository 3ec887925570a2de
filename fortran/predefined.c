/* SPDX-License-Identifier: MIT */
/* The predefined callbacks of attributes, as procedures of Fortran. */
#include "convert.h"

#define FUNCTIONS(name)                                                                            \
    void mpi_##name##_null_copy_fn_(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra,           \
                                    MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag,                   \
                                    MPI_Fint *ierror);                                             \
    void mpi_##name##_null_copy_fn_(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra,           \
                                    MPI_Aint *in, MPI_Aint *out, MPI_Fint *flag, MPI_Fint *ierror) \
    {                                                                                              \
        (void)object, (void)keyval, (void)extra, (void)in, (void)out;                              \
        *flag = 0;                                                                                 \
        *ierror = MPI_SUCCESS;                                                                     \
    }                                                                                              \
    void mpi_##name##_dup_fn_(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra, MPI_Aint *in,   \
                              MPI_Aint *out, MPI_Fint *flag, MPI_Fint *ierror);                    \
    void mpi_##name##_dup_fn_(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra, MPI_Aint *in,   \
                              MPI_Aint *out, MPI_Fint *flag, MPI_Fint *ierror)                     \
    {                                                                                              \
        (void)object, (void)keyval, (void)extra;                                                   \
        *out = *in;                                                                                \
        *flag = 1;                                                                                 \
        *ierror = MPI_SUCCESS;                                                                     \
    }                                                                                              \
    void mpi_##name##_null_delete_fn_(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *value,         \
                                      MPI_Aint *extra, MPI_Fint *ierror);                          \
    void mpi_##name##_null_delete_fn_(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *value,         \
                                      MPI_Aint *extra, MPI_Fint *ierror)                           \
    {                                                                                              \
        (void)object, (void)keyval, (void)value, (void)extra;                                      \
        *ierror = MPI_SUCCESS;                                                                     \
    }
FUNCTIONS(comm)
FUNCTIONS(type)
FUNCTIONS(win)

/* Of MPI 1, whose values are INTEGERs. The other two have no use for the value, so programs may
 * give them for a kind's own. */
void mpi_null_copy_fn_(MPI_Fint *comm, MPI_Fint *keyval, void *extra, void *in, void *out,
                       MPI_Fint *flag, MPI_Fint *ierror);
void mpi_null_copy_fn_(MPI_Fint *comm, MPI_Fint *keyval, void *extra, void *in, void *out,
                       MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra, (void)in, (void)out;
    *flag = 0;
    *ierror = MPI_SUCCESS;
}

void mpi_dup_fn_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *in, MPI_Fint *out,
                 MPI_Fint *flag, MPI_Fint *ierror);
void mpi_dup_fn_(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *in, MPI_Fint *out,
                 MPI_Fint *flag, MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)extra;
    *out = *in;
    *flag = 1;
    *ierror = MPI_SUCCESS;
}

void mpi_null_delete_fn_(MPI_Fint *comm, MPI_Fint *keyval, void *value, void *extra,
                         MPI_Fint *ierror);
void mpi_null_delete_fn_(MPI_Fint *comm, MPI_Fint *keyval, void *value, void *extra,
                         MPI_Fint *ierror)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    *ierror = MPI_SUCCESS;
}
