/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "datatype/type_make.h"

#pragma weak MPI_Type_create_struct = PMPI_Type_create_struct
#pragma weak MPI_Type_create_struct_c = PMPI_Type_create_struct_c

/* Looks up the types, for the time of the making. */
static int look_up(const struct mpi_maker *m, MPI_Count count, const MPI_Datatype handles[],
                   const struct mpi_type **types)
{
    int rc = MPI_SUCCESS;
    for (MPI_Count i = 0; i < count && !rc; i++)
        rc = mpi_check_type(NULL, m->call, handles[i], &types[i]);
    return rc;
}

static int structure(const char *call, bool large, MPI_Count count, struct mpi_array lengths,
                     struct mpi_array displacements, const MPI_Datatype handles[],
                     MPI_Datatype *newtype)
{
    struct mpi_maker m;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = mpi_maker_lengths(&m, count, lengths)) ||
        (rc = mpi_maker_array(&m, count, displacements.at, "array_of_displacements")) ||
        (rc = mpi_maker_array(&m, count, handles, "array_of_types")))
        return rc;
    const struct mpi_type **types = mpi_alloc(m.p, ((size_t)count + 1) * sizeof *types);
    if (!types)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    struct mpi_blocks_args a = {.combiner = MPI_COMBINER_STRUCT,
                                .count = count,
                                .lengths = lengths,
                                .displacements = displacements,
                                .types = types};
    if (count == 0)
        a.lengths.at = &count; /* there are none; but a structure has lengths */
    rc = look_up(&m, count, handles, types);
    if (!rc)
        rc = mpi_make_blocks(&m, &a, &made);
    mpi_free(m.p, types);
    return mpi_maker_end(rc, &made, newtype);
}

int PMPI_Type_create_struct(int count, const int array_of_blocklengths[],
                            const MPI_Aint array_of_displacements[],
                            const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    return structure("MPI_Type_create_struct", false, count, MPI_ARRAY(array_of_blocklengths),
                     MPI_ARRAY(array_of_displacements), array_of_types, newtype);
}

int PMPI_Type_create_struct_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                              const MPI_Count array_of_displacements[],
                              const MPI_Datatype array_of_types[], MPI_Datatype *newtype)
{
    return structure("MPI_Type_create_struct_c", true, count, MPI_ARRAY(array_of_blocklengths),
                     MPI_ARRAY(array_of_displacements), array_of_types, newtype);
}
