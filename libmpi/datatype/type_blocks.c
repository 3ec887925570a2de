/* SPDX-License-Identifier: MIT */
/* What the constructors of vectors, and those of indexed types, have in common. */
#include "datatype/type_make.h"

int mpi_type_vector(const char *call, bool large, int combiner, MPI_Count count,
                    MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
                    MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = mpi_maker_count(&m, count, "count")) ||
        (rc = mpi_maker_count(&m, blocklength, "blocklength")) ||
        (rc = mpi_check_type(NULL, call, oldtype, &old)))
        return rc;
    rc = mpi_make_vector(&m, combiner, count, blocklength, stride, old, &made);
    return mpi_maker_end(rc, &made, newtype);
}

static int check_lengths(const struct mpi_maker *m, const struct mpi_blocks_args *a)
{
    if (a->combiner == MPI_COMBINER_INDEXED || a->combiner == MPI_COMBINER_HINDEXED)
        return mpi_maker_lengths(m, a->count, a->lengths);
    int rc = mpi_maker_count(m, a->count, "count");
    return rc ? rc : mpi_maker_count(m, a->length, "blocklength");
}

int mpi_type_blocks(const char *call, bool large, struct mpi_blocks_args *a, MPI_Datatype oldtype,
                    MPI_Datatype *newtype)
{
    struct mpi_maker m;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = check_lengths(&m, a)) ||
        (rc = mpi_maker_array(&m, a->count, a->displacements.at, "array_of_displacements")) ||
        (rc = mpi_check_type(NULL, call, oldtype, &a->old)))
        return rc;
    return mpi_maker_end(mpi_make_blocks(&m, a, &made), &made, newtype);
}
