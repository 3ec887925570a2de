/* SPDX-License-Identifier: MIT */
/* What MPI 3.0 removed (its chapter 16), by the functions that took its place in MPI 2.0, so that
 * programs from before compile. Names for the compiler only: the library and the ABI have none of
 * them. Parameters and errors are those of the functions beside them. MPI_LB, MPI_UB and the C++
 * bindings are gone for good: MPI_Type_create_resized does what the markers did. */
#ifndef MPI_REMOVED_H
#define MPI_REMOVED_H

#include "mpi.h"

#define MPI_Address           MPI_Get_address
#define MPI_Errhandler_create MPI_Comm_create_errhandler
#define MPI_Errhandler_get    MPI_Comm_get_errhandler
#define MPI_Errhandler_set    MPI_Comm_set_errhandler
#define MPI_Handler_function  MPI_Comm_errhandler_function
#define MPI_Type_hindexed     MPI_Type_create_hindexed
#define MPI_Type_hvector      MPI_Type_create_hvector
#define MPI_Type_struct       MPI_Type_create_struct

#define PMPI_Address           PMPI_Get_address
#define PMPI_Errhandler_create PMPI_Comm_create_errhandler
#define PMPI_Errhandler_get    PMPI_Comm_get_errhandler
#define PMPI_Errhandler_set    PMPI_Comm_set_errhandler
#define PMPI_Type_hindexed     PMPI_Type_create_hindexed
#define PMPI_Type_hvector      PMPI_Type_create_hvector
#define PMPI_Type_struct       PMPI_Type_create_struct

static __inline int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    MPI_Aint lb;
    return MPI_Type_get_extent(datatype, &lb, extent);
}

static __inline int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint extent;
    return MPI_Type_get_extent(datatype, displacement, &extent);
}

static __inline int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    MPI_Aint lb;
    int error = MPI_Type_get_extent(datatype, &lb, displacement);
    if (error == MPI_SUCCESS)
        *displacement += lb;
    return error;
}

#endif
