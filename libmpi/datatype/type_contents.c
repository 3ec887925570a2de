/* SPDX-License-Identifier: MIT */
#include "datatype/type_contents.h"

static void put_int(struct mpi_contents *c, MPI_Count value)
{
    if (c->int_at)
        c->int_at[c->ints] = (int)value;
    c->ints++;
}

/* What is a large count when the type was made with them. */
static void put_large(struct mpi_contents *c, MPI_Count value)
{
    if (c->count_at)
        c->count_at[c->counts] = value;
    c->counts++;
}

static void put_count(const struct mpi_type *t, struct mpi_contents *c, MPI_Count value)
{
    if (t->flags & MPI_TYPE_LARGE)
        put_large(c, value);
    else
        put_int(c, value);
}

static void put_address(const struct mpi_type *t, struct mpi_contents *c, MPI_Count value)
{
    if (t->flags & MPI_TYPE_LARGE) {
        put_large(c, value);
        return;
    }
    if (c->address_at)
        c->address_at[c->addresses] = (MPI_Aint)value;
    c->addresses++;
}

static void put_type(struct mpi_contents *c, const struct mpi_type *t)
{
    if (c->type_at)
        c->type_at[c->types] = mpi_type_handle(t);
    c->types++;
}

typedef void put_fn(const struct mpi_type *t, struct mpi_contents *c);

static void named(const struct mpi_type *t, struct mpi_contents *c)
{
    (void)t;
    (void)c;
}

static void dup(const struct mpi_type *t, struct mpi_contents *c)
{
    put_type(c, t->alias.old);
}

static void contiguous(const struct mpi_type *t, struct mpi_contents *c)
{
    put_count(t, c, t->vector.blocklength);
    put_type(c, t->child);
}

static void vector(const struct mpi_type *t, struct mpi_contents *c)
{
    put_count(t, c, t->vector.count);
    put_count(t, c, t->vector.blocklength);
    if (t->combiner == MPI_COMBINER_VECTOR)
        put_count(t, c, t->vector.stride);
    else
        put_address(t, c, t->vector.stride);
    put_type(c, t->child);
}

/* All irregular types: number, lengths or the one length, displacements, types or the one type. */
static void blocks(const struct mpi_type *t, struct mpi_contents *c)
{
    const struct mpi_blocks *b = t->blocks;
    bool one_length =
        t->combiner == MPI_COMBINER_INDEXED_BLOCK || t->combiner == MPI_COMBINER_HINDEXED_BLOCK;
    bool in_extents =
        t->combiner == MPI_COMBINER_INDEXED_BLOCK || t->combiner == MPI_COMBINER_INDEXED;
    put_count(t, c, b->count);
    if (one_length)
        put_count(t, c, b->length);
    for (MPI_Count i = 0; !one_length && i < b->count; i++)
        put_count(t, c, mpi_blocks_before(b, i + 1) - mpi_blocks_before(b, i));
    for (MPI_Count i = 0; i < b->count; i++)
        (in_extents ? put_count : put_address)(t, c, b->displacement[i]);
    if (t->child)
        put_type(c, t->child);
    for (MPI_Count i = 0; !t->child && i < b->count; i++)
        put_type(c, b->types[i]);
}

static void subarray(const struct mpi_type *t, struct mpi_contents *c)
{
    const MPI_Count *args = t->alias.args;
    put_int(c, args[0]);
    for (MPI_Count i = 0; i < 3 * args[0]; i++)
        put_count(t, c, args[1 + i]);
    put_int(c, args[t->alias.n - 1]);
    put_type(c, t->alias.old);
}

static void darray(const struct mpi_type *t, struct mpi_contents *c)
{
    const MPI_Count *args = t->alias.args, ndims = args[2];
    for (MPI_Count i = 0; i < t->alias.n; i++)
        if (i >= 3 && i < 3 + ndims)
            put_count(t, c, args[i]); /* global sizes */
        else
            put_int(c, args[i]);
    put_type(c, t->alias.old);
}

static void resized(const struct mpi_type *t, struct mpi_contents *c)
{
    struct mpi_bounds b = mpi_type_bounds(t);
    put_address(t, c, b.lb);
    put_address(t, c, b.extent);
    put_type(c, t->child);
}

static void f90(const struct mpi_type *t, struct mpi_contents *c)
{
    for (MPI_Count i = 0; i < t->alias.n; i++)
        put_int(c, t->alias.args[i]);
}

static put_fn *const puts_of[] = {
    [MPI_COMBINER_NAMED] = named,           [MPI_COMBINER_DUP] = dup,
    [MPI_COMBINER_CONTIGUOUS] = contiguous, [MPI_COMBINER_VECTOR] = vector,
    [MPI_COMBINER_HVECTOR] = vector,        [MPI_COMBINER_INDEXED] = blocks,
    [MPI_COMBINER_HINDEXED] = blocks,       [MPI_COMBINER_INDEXED_BLOCK] = blocks,
    [MPI_COMBINER_HINDEXED_BLOCK] = blocks, [MPI_COMBINER_STRUCT] = blocks,
    [MPI_COMBINER_SUBARRAY] = subarray,     [MPI_COMBINER_DARRAY] = darray,
    [MPI_COMBINER_F90_REAL] = f90,          [MPI_COMBINER_F90_COMPLEX] = f90,
    [MPI_COMBINER_F90_INTEGER] = f90,       [MPI_COMBINER_RESIZED] = resized};

void mpi_type_contents(const struct mpi_type *t, struct mpi_contents *c)
{
    c->ints = c->addresses = c->counts = c->types = 0;
    puts_of[t->combiner](t, c);
}
