/* SPDX-License-Identifier: MIT */
/* The kernels of the predefined operations: inout[i] = in[i] op inout[i]. */
#ifndef MPI_OP_OP_TABLE_H
#define MPI_OP_OP_TABLE_H

#include "datatype/type.h"

/* MPI_OP_VECTORS stands before a kernel: where compiler and machine know how, it is made for
 * several widths of vectors, and the widest that the processor has is taken when the program
 * starts. Each element is computed as ever, so the results are the same. libmpi/CMakeLists.txt says
 * where. */

/* n elements, both aligned as their type asks. */
typedef void mpi_kernel(const void *in, void *inout, MPI_Count n);

/* In the order of their handles in mpi.h. */
enum mpi_op_index {
    MPI_OP_SUM,
    MPI_OP_MIN,
    MPI_OP_MAX,
    MPI_OP_PROD,
    MPI_OP_BAND,
    MPI_OP_BOR,
    MPI_OP_BXOR,
    MPI_OP_LAND,
    MPI_OP_LOR,
    MPI_OP_LXOR,
    MPI_OP_ARITHMETIC, /* number of those above, on single elements */
    MPI_OP_MINLOC = MPI_OP_ARITHMETIC,
    MPI_OP_MAXLOC,
    MPI_OP_REPLACE,
    MPI_OP_NO_OP,
    MPI_OPS
};

/* NULL where an operation has no meaning; whether the standard allows it is op.c's business. */
extern mpi_kernel *const mpi_integer_kernels[MPI_OP_ARITHMETIC][MPI_ELEMENTS];
extern mpi_kernel *const mpi_float_kernels[MPI_OP_ARITHMETIC][MPI_ELEMENTS];

/* MINLOC and MAXLOC on a pair type; NULL if t is none. */
mpi_kernel *mpi_pair_kernel(enum mpi_op_index op, const struct mpi_type *t);

#endif
