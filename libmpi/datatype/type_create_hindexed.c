/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_create_hindexed = PMPI_Type_create_hindexed
#pragma weak MPI_Type_create_hindexed_c = PMPI_Type_create_hindexed_c

static int hindexed(const char *call, bool large, MPI_Count count, struct mpi_array lengths,
                    struct mpi_array displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return mpi_type_blocks(call, large,
                           &(struct mpi_blocks_args){.combiner = MPI_COMBINER_HINDEXED,
                                                     .count = count,
                                                     .lengths = lengths,
                                                     .displacements = displacements,
                                                     .in_extents = false},
                           oldtype, newtype);
}

int PMPI_Type_create_hindexed(int count, const int array_of_blocklengths[],
                              const MPI_Aint array_of_displacements[], MPI_Datatype oldtype,
                              MPI_Datatype *newtype)
{
    return hindexed("MPI_Type_create_hindexed", false, count, MPI_ARRAY(array_of_blocklengths),
                    MPI_ARRAY(array_of_displacements), oldtype, newtype);
}

int PMPI_Type_create_hindexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                                const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                                MPI_Datatype *newtype)
{
    return hindexed("MPI_Type_create_hindexed_c", true, count, MPI_ARRAY(array_of_blocklengths),
                    MPI_ARRAY(array_of_displacements), oldtype, newtype);
}
