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
