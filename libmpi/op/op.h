/* SPDX-License-Identifier: MIT */
/* Reduction operations, MPI 5.0, 6.9. Predefined ones are constant; those of the program belong to
 * one rank. Nothing here waits, except what a user's function does. */
#ifndef MPI_OP_OP_H
#define MPI_OP_OP_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "datatype/type.h"

enum { MPI_IS_OP = 0x6f706572 };

struct mpi_op {
    uint32_t magic;  /* MPI_IS_OP, MPI_DEAD */
    uint32_t refs;   /* handle, operations under way */
    uint16_t handle; /* predefined: value of its handle, else 0 */
    bool commutative;
    MPI_User_function *user; /* one of the two, if it is the program's */
    MPI_User_function_c *user_c;
};

/* The operation of a handle; NULL if it is null, was freed or never was one. */
const struct mpi_op *mpi_op_of(MPI_Op handle);

/* The operation of a handle, if it may be applied to t; else raises MPI_ERR_OP for `call` on c and
 * returns it. MPI_REPLACE and MPI_NO_OP are for accumulating only and refused. */
int mpi_check_op(struct mpi_comm *c, const char *call, MPI_Op handle, const struct mpi_type *t,
                 const struct mpi_op **op);

/* inout[i] = in[i] op inout[i] for count elements of t, both where buffers of that type begin (so
 * the user's function sees them; predefined types begin at their address). The operands must not
 * overlap. For a predefined operation t is one it is defined on. */
void mpi_op_apply(const struct mpi_op *op, const struct mpi_type *t, const void *in, void *inout,
                  MPI_Count count);

/* Something uses op until it lets go of it. */
void mpi_op_retain(const struct mpi_op *op);
void mpi_op_release(struct mpi_process *p, const struct mpi_op *op);

#endif
