/* SPDX-License-Identifier: MIT */
#include "datatype/type_make.h"

#pragma weak MPI_Type_indexed = PMPI_Type_indexed
#pragma weak MPI_Type_indexed_c = PMPI_Type_indexed_c

static int indexed(const char *call, bool large, MPI_Count count, struct mpi_array lengths,
                   struct mpi_array displacements, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    return mpi_type_blocks(call, large,
                           &(struct mpi_blocks_args){.combiner = MPI_COMBINER_INDEXED,
                                                     .count = count,
                                                     .lengths = lengths,
                                                     .displacements = displacements,
                                                     .in_extents = true},
                           oldtype, newtype);
}

int PMPI_Type_indexed(int count, const int array_of_blocklengths[],
                      const int array_of_displacements[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    return indexed("MPI_Type_indexed", false, count, MPI_ARRAY(array_of_blocklengths),
                   MPI_ARRAY(array_of_displacements), oldtype, newtype);
}

int PMPI_Type_indexed_c(MPI_Count count, const MPI_Count array_of_blocklengths[],
                        const MPI_Count array_of_displacements[], MPI_Datatype oldtype,
                        MPI_Datatype *newtype)
{
    return indexed("MPI_Type_indexed_c", true, count, MPI_ARRAY(array_of_blocklengths),
                   MPI_ARRAY(array_of_displacements), oldtype, newtype);
}
