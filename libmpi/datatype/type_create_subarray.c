/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "datatype/type_array.h"

#pragma weak MPI_Type_create_subarray = PMPI_Type_create_subarray
#pragma weak MPI_Type_create_subarray_c = PMPI_Type_create_subarray_c

struct subarray {
    int ndims, order;
    struct mpi_array sizes, subsizes, starts;
};

static int check(const struct mpi_maker *m, const struct subarray *s)
{
    int rc;
    if (s->ndims < 1)
        return mpi_error(NULL, MPI_ERR_ARG, m->call, "ndims %d is not positive", s->ndims);
    if (s->order != MPI_ORDER_C && s->order != MPI_ORDER_FORTRAN)
        return mpi_error(NULL, MPI_ERR_ARG, m->call, "order %d is none", s->order);
    if ((rc = mpi_maker_array(m, s->ndims, s->sizes.at, "array_of_sizes")) ||
        (rc = mpi_maker_array(m, s->ndims, s->subsizes.at, "array_of_subsizes")) ||
        (rc = mpi_maker_array(m, s->ndims, s->starts.at, "array_of_starts")))
        return rc;
    for (int i = 0; i < s->ndims; i++) {
        MPI_Count size = mpi_array_at(s->sizes, i), n = mpi_array_at(s->subsizes, i);
        MPI_Count start = mpi_array_at(s->starts, i);
        if (size < 1 || n < 1 || n > size || start < 0 || start > size - n)
            return mpi_error(NULL, MPI_ERR_ARG, m->call,
                             "dimension %d: %lld elements from %lld on are no part of %lld", i,
                             (long long)n, (long long)start, (long long)size);
    }
    return MPI_SUCCESS;
}

static int layout(const struct mpi_maker *m, const struct subarray *s, const struct mpi_type *old,
                  const MPI_Count *args, MPI_Count n, struct mpi_type **made)
{
    struct mpi_layout l;
    int rc = mpi_layout_begin(&l, m, old);
    for (int i = 0; i < s->ndims && !rc; i++) {
        int k = s->order == MPI_ORDER_C ? s->ndims - 1 - i : i;
        rc = mpi_layout_block(&l, mpi_array_at(s->sizes, k), mpi_array_at(s->starts, k),
                              mpi_array_at(s->subsizes, k));
    }
    if (!rc)
        return mpi_layout_end(&l, MPI_COMBINER_SUBARRAY, old, args, n, made);
    mpi_layout_drop(&l);
    return rc;
}

static int subarray(const char *call, bool large, const struct subarray *s, MPI_Datatype oldtype,
                    MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = check(&m, s)) || (rc = mpi_check_type(NULL, call, oldtype, &old)))
        return rc;
    MPI_Count n = 0, *args = mpi_alloc(m.p, (3 * (size_t)s->ndims + 2) * sizeof *args);
    if (!args)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    args[n++] = s->ndims;
    const struct mpi_array arrays[] = {s->sizes, s->subsizes, s->starts};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < s->ndims; i++)
            args[n++] = mpi_array_at(arrays[k], i);
    args[n++] = s->order;
    rc = layout(&m, s, old, args, n, &made);
    mpi_free(m.p, args);
    return mpi_maker_end(rc, &made, newtype);
}

int PMPI_Type_create_subarray(int ndims, const int array_of_sizes[], const int array_of_subsizes[],
                              const int array_of_starts[], int order, MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    struct subarray s = {ndims,
                         order,
                         {array_of_sizes, false},
                         {array_of_subsizes, false},
                         {array_of_starts, false}};
    return subarray("MPI_Type_create_subarray", false, &s, oldtype, newtype);
}

int PMPI_Type_create_subarray_c(int ndims, const MPI_Count array_of_sizes[],
                                const MPI_Count array_of_subsizes[],
                                const MPI_Count array_of_starts[], int order, MPI_Datatype oldtype,
                                MPI_Datatype *newtype)
{
    struct subarray s = {
        ndims, order, {array_of_sizes, true}, {array_of_subsizes, true}, {array_of_starts, true}};
    return subarray("MPI_Type_create_subarray_c", true, &s, oldtype, newtype);
}
