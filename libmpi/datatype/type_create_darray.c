/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "datatype/type_array.h"

#pragma weak MPI_Type_create_darray = PMPI_Type_create_darray
#pragma weak MPI_Type_create_darray_c = PMPI_Type_create_darray_c

struct darray {
    int size, rank, ndims, order;
    struct mpi_array gsizes;
    const int *distribs, *dargs, *psizes;
};

static int check_dimension(const struct mpi_maker *m, const struct darray *d, int i)
{
    MPI_Count n = mpi_array_at(d->gsizes, i), arg = d->dargs[i], processes = d->psizes[i];
    bool given = arg != MPI_DISTRIBUTE_DFLT_DARG;
    const char *wrong = NULL;
    if (n < 1)
        wrong = "the size is not positive";
    else if (processes < 1)
        wrong = "the number of processes is not positive";
    else if (d->distribs[i] != MPI_DISTRIBUTE_NONE && d->distribs[i] != MPI_DISTRIBUTE_BLOCK &&
             d->distribs[i] != MPI_DISTRIBUTE_CYCLIC)
        wrong = "the distribution is none";
    else if (d->distribs[i] == MPI_DISTRIBUTE_NONE && processes != 1)
        wrong = "not distributed, but to more than one process";
    else if (given && arg < 1 && d->distribs[i] != MPI_DISTRIBUTE_NONE)
        wrong = "the distribution argument is not positive";
    else if (given && d->distribs[i] == MPI_DISTRIBUTE_BLOCK && arg * processes < n)
        wrong = "the blocks do not cover the array";
    return wrong ? mpi_error(NULL, MPI_ERR_ARG, m->call, "dimension %d: %s", i, wrong)
                 : MPI_SUCCESS;
}

static int check(const struct mpi_maker *m, const struct darray *d)
{
    int rc;
    MPI_Count processes = 1;
    if (d->ndims < 1)
        return mpi_error(NULL, MPI_ERR_ARG, m->call, "ndims %d is not positive", d->ndims);
    if (d->size < 1 || d->rank < 0 || d->rank >= d->size)
        return mpi_error(NULL, MPI_ERR_ARG, m->call, "rank %d is not in 0..%d", d->rank,
                         d->size - 1);
    if (d->order != MPI_ORDER_C && d->order != MPI_ORDER_FORTRAN)
        return mpi_error(NULL, MPI_ERR_ARG, m->call, "order %d is none", d->order);
    if ((rc = mpi_maker_array(m, d->ndims, d->gsizes.at, "array_of_gsizes")) ||
        (rc = mpi_maker_array(m, d->ndims, d->distribs, "array_of_distribs")) ||
        (rc = mpi_maker_array(m, d->ndims, d->dargs, "array_of_dargs")) ||
        (rc = mpi_maker_array(m, d->ndims, d->psizes, "array_of_psizes")))
        return rc;
    for (int i = 0; i < d->ndims; i++) {
        if ((rc = check_dimension(m, d, i)))
            return rc;
        processes *= d->psizes[i];
        if (processes > d->size)
            break;
    }
    if (processes != d->size)
        return mpi_error(NULL, MPI_ERR_ARG, m->call, "the grid is not one of %d processes",
                         d->size);
    return MPI_SUCCESS;
}

static int add_dimension(struct mpi_layout *l, const struct darray *d, int k, MPI_Count mine)
{
    MPI_Count n = mpi_array_at(d->gsizes, k), processes = d->psizes[k], arg = d->dargs[k];
    bool given = arg != MPI_DISTRIBUTE_DFLT_DARG;
    if (d->distribs[k] == MPI_DISTRIBUTE_NONE)
        return mpi_layout_block(l, n, 0, n);
    if (d->distribs[k] == MPI_DISTRIBUTE_CYCLIC)
        return mpi_layout_cyclic(l, n, given ? arg : 1, processes, mine);
    MPI_Count block = given ? arg : n / processes + (n % processes != 0), start = block * mine;
    MPI_Count left = start < n ? n - start : 0;
    return mpi_layout_block(l, n, left ? start : 0, left < block ? left : block);
}

/* The position in the grid of processes, which is always in row-major order. */
static MPI_Count coordinate(const struct darray *d, int k)
{
    int rank = d->rank;
    for (int i = d->ndims - 1; i > k; i--)
        rank /= d->psizes[i];
    return rank % d->psizes[k];
}

static int layout(const struct mpi_maker *m, const struct darray *d, const struct mpi_type *old,
                  const MPI_Count *args, MPI_Count n, struct mpi_type **made)
{
    struct mpi_layout l;
    int rc = mpi_layout_begin(&l, m, old);
    for (int i = 0; i < d->ndims && !rc; i++) {
        int k = d->order == MPI_ORDER_C ? d->ndims - 1 - i : i;
        rc = add_dimension(&l, d, k, coordinate(d, k));
    }
    if (!rc)
        return mpi_layout_end(&l, MPI_COMBINER_DARRAY, old, args, n, made);
    mpi_layout_drop(&l);
    return rc;
}

static int darray(const char *call, bool large, const struct darray *d, MPI_Datatype oldtype,
                  MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = check(&m, d)) || (rc = mpi_check_type(NULL, call, oldtype, &old)))
        return rc;
    MPI_Count n = 0, *args = mpi_alloc(m.p, (4 * (size_t)d->ndims + 4) * sizeof *args);
    if (!args)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    args[n++] = d->size;
    args[n++] = d->rank;
    args[n++] = d->ndims;
    const struct mpi_array arrays[] = {
        d->gsizes, {d->distribs, false}, {d->dargs, false}, {d->psizes, false}};
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < d->ndims; i++)
            args[n++] = mpi_array_at(arrays[k], i);
    args[n++] = d->order;
    rc = layout(&m, d, old, args, n, &made);
    mpi_free(m.p, args);
    return mpi_maker_end(rc, &made, newtype);
}

int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[],
                            const int array_of_distribs[], const int array_of_dargs[],
                            const int array_of_psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    struct darray d = {
        size,           rank,           ndims, order, {array_of_gsizes, false}, array_of_distribs,
        array_of_dargs, array_of_psizes};
    return darray("MPI_Type_create_darray", false, &d, oldtype, newtype);
}

int PMPI_Type_create_darray_c(int size, int rank, int ndims, const MPI_Count array_of_gsizes[],
                              const int array_of_distribs[], const int array_of_dargs[],
                              const int array_of_psizes[], int order, MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    struct darray d = {
        size,           rank,           ndims, order, {array_of_gsizes, true}, array_of_distribs,
        array_of_dargs, array_of_psizes};
    return darray("MPI_Type_create_darray_c", true, &d, oldtype, newtype);
}
