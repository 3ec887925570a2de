/* SPDX-License-Identifier: MIT */
#include "internal/type_make.h"

#pragma weak MPI_Type_create_hindexed = PMPI_Type_create_hindexed
#pragma weak MPI_Type_create_hindexed_c = PMPI_Type_create_hindexed_c

static int hindexed(const char *call, bool large, MPI_Count count, struct mpi_array lengths,
                    struct mpi_array displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_maker m;
    struct mpi_blocks_args a = {.combiner = MPI_COMBINER_HINDEXED,
                                .count = count,
                                .lengths = lengths,
                                .displacements = displacements,
                                .in_extents = false};
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, call, large, newtype);
    if (rc || (rc = mpi_maker_lengths(&m, count, lengths)) ||
        (rc = mpi_maker_array(&m, count, displacements.at, "array_of_displacements")) ||
        (rc = mpi_check_type(NULL, call, oldtype, &a.old)))
        return rc;
    return mpi_maker_end(mpi_make_blocks(&m, &a, &made), &made, newtype);
}

int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[],
                              const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    return hindexed("MPI_Type_create_hindexed", false, count,
                    (struct mpi_array){array_of_blocklengths, false},
                    (struct mpi_array){array_of_displacements, true}, oldtype, newtype);
}

int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                MPI_Datatype *newtype)
{
    return hindexed("MPI_Type_create_hindexed_c", true, count,
                    (struct mpi_array){array_of_blocklengths, true},
                    (struct mpi_array){array_of_displacements, true}, oldtype, newtype);
}
