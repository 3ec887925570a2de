/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include <mpiutil/boot.h>
#include <mpiutil/machine.h>

#include "core/check.h"
#include "op/op.h"
#include "op/op_table.h"

struct predefined {
    struct mpi_op op;
    const char *name;
    uint8_t groups; /* bit per enum mpi_type_group that the standard allows */
};

#define ON(group) (1u << MPI_TYPES_##group)
#define INTEGERS  (ON(C_INTEGER) | ON(F_INTEGER))
#define OP(index, groups)                                                                          \
    [MPI_OP_##index] = {{MPI_IS_OP, 1, HANDLE_##index, true, NULL, NULL}, "MPI_" #index, groups}

/* Values of the handles of mpi.h, which are no constants in C. */
enum {
    HANDLE_SUM = 0x21,
    HANDLE_MIN,
    HANDLE_MAX,
    HANDLE_PROD,
    HANDLE_BAND = 0x28,
    HANDLE_BOR,
    HANDLE_BXOR,
    HANDLE_LAND = 0x30,
    HANDLE_LOR,
    HANDLE_LXOR,
    HANDLE_MINLOC = 0x38,
    HANDLE_MAXLOC,
    HANDLE_REPLACE = 0x3c,
    HANDLE_NO_OP,
    HANDLES
};

static const struct predefined predefined[MPI_OPS] = {
    OP(SUM, INTEGERS | ON(FLOATING) | ON(COMPLEX)),
    OP(MIN, INTEGERS | ON(FLOATING)),
    OP(MAX, INTEGERS | ON(FLOATING)),
    OP(PROD, INTEGERS | ON(FLOATING) | ON(COMPLEX)),
    OP(BAND, INTEGERS | ON(BYTE)),
    OP(BOR, INTEGERS | ON(BYTE)),
    OP(BXOR, INTEGERS | ON(BYTE)),
    OP(LAND, ON(C_INTEGER) | ON(LOGICAL)),
    OP(LOR, ON(C_INTEGER) | ON(LOGICAL)),
    OP(LXOR, ON(C_INTEGER) | ON(LOGICAL)),
    OP(MINLOC, ON(PAIR)),
    OP(MAXLOC, ON(PAIR)),
    OP(REPLACE, 0),
    OP(NO_OP, 0),
};

#define PLACE(index) [HANDLE_##index] = MPI_OP_##index + 1

/* By handle: 0: none; else + 1. */
static const uint8_t places[HANDLES] = {PLACE(SUM),     PLACE(MIN),  PLACE(MAX),    PLACE(PROD),
                                        PLACE(BAND),    PLACE(BOR),  PLACE(BXOR),   PLACE(LAND),
                                        PLACE(LOR),     PLACE(LXOR), PLACE(MINLOC), PLACE(MAXLOC),
                                        PLACE(REPLACE), PLACE(NO_OP)};

static const struct predefined *predefined_of(uintptr_t handle)
{
    return handle < HANDLES && places[handle] ? &predefined[places[handle] - 1] : NULL;
}

const struct mpi_op *mpi_op_of(MPI_Op handle)
{
    uintptr_t h = (uintptr_t)handle;
    if (h < HANDLES) {
        const struct predefined *d = predefined_of(h);
        return d ? &d->op : NULL;
    }
    const struct mpi_op *op = (const struct mpi_op *)h;
    return mpi_may_be_object(op) && op->magic == MPI_IS_OP ? op : NULL;
}

/* What a predefined operation works on: types without a name stand for the named one below. */
static const struct mpi_type *named(const struct mpi_type *t)
{
    return t->flags & MPI_TYPE_UNNAMED ? t->child : t;
}

static bool works_on(const struct predefined *d, const struct mpi_type *named_type)
{
    return named_type->handle && d->groups >> named_type->group & 1;
}

int mpi_check_op(struct mpi_comm *c, const char *call, MPI_Op handle, const struct mpi_type *t,
                 const struct mpi_op **op)
{
    *op = mpi_op_of(handle);
    if (!*op)
        return mpi_error(c, MPI_ERR_OP, call, "%s is no operation",
                         handle == MPI_OP_NULL ? "MPI_OP_NULL" : "the handle");
    if (!(*op)->handle)
        return MPI_SUCCESS;
    const struct predefined *d = (const struct predefined *)*op;
    const struct mpi_type *n = named(t);
    if (works_on(d, n))
        return MPI_SUCCESS;
    return mpi_error(c, MPI_ERR_OP, call, "%s is not defined on %s", d->name,
                     n->handle ? n->name : "a derived datatype");
}

static mpi_kernel *kernel(enum mpi_op_index op, const struct mpi_type *t)
{
    if (op >= MPI_OP_ARITHMETIC)
        return mpi_pair_kernel(op, t);
    mpi_kernel *k = mpi_integer_kernels[op][t->element];
    return k ? k : mpi_float_kernels[op][t->element];
}

static void combine(enum mpi_op_index op, const struct mpi_type *t, const void *in, void *inout,
                    MPI_Count count)
{
    enum mpu_numbers numbers = t->group == MPI_TYPES_FLOATING  ? MPU_FLOATS
                               : t->group == MPI_TYPES_COMPLEX ? MPU_COMPLEX
                                                               : MPU_INTEGERS;
    kernel(op, t)(in, inout, count);
    mpu_combined(numbers, op == MPI_OP_PROD, (size_t)t->size, (uint64_t)count);
}

/* The int form of a user's function takes so many elements at once. */
static void apply_user(const struct mpi_op *op, const struct mpi_type *t, const void *in,
                       void *inout, MPI_Count count)
{
    MPI_Datatype handle = mpi_type_handle(t);
    int was = mpu_callback_begin(NULL);
    if (op->user_c)
        op->user_c((void *)in, inout, &count, &handle);
    MPI_Aint extent = mpi_type_extent(t);
    for (MPI_Count done = 0; op->user && done < count;) {
        int n = count - done > INT_MAX ? INT_MAX : (int)(count - done), given = n;
        op->user((char *)(uintptr_t)in + done * extent, (char *)inout + done * extent, &given,
                 &handle);
        done += n;
    }
    mpu_callback_end(NULL, was);
}

void mpi_op_apply(const struct mpi_op *op, const struct mpi_type *t, const void *in, void *inout,
                  MPI_Count count)
{
    if (count == 0)
        return;
    if (!op->handle) {
        apply_user(op, t, in, inout, count);
        return;
    }
    enum mpi_op_index i = (enum mpi_op_index)((const struct predefined *)op - predefined);
    if (i == MPI_OP_REPLACE)
        mpi_type_copy(t, count, in, t, count, inout);
    else if (i != MPI_OP_NO_OP)
        combine(i, named(t), in, inout, count);
}

void mpi_op_retain(const struct mpi_op *op)
{
    if (!op->handle)
        ((struct mpi_op *)op)->refs++;
}

void mpi_op_release(struct mpi_process *p, const struct mpi_op *op)
{
    struct mpi_op *mine = (struct mpi_op *)op;
    if (op->handle || --mine->refs)
        return;
    mine->magic = MPI_DEAD;
    mpi_free(p, mine);
}
