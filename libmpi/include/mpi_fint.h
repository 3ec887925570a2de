/* SPDX-License-Identifier: MIT */
/* Handles and statuses of Fortran for programs in C (MPI 5.0, 19.3.4 and 19.3.5). The ABI leaves
 * these names to each implementation, because MPI_Fint depends on the compiler; fortran/ is made
 * for 4 bytes, in which a handle is what MPI_X_toint says and a status is the MPI_Status of C.
 * Names for the compiler only: a program that uses them runs with any library of the ABI.
 * MPI_F_STATUS_IGNORE is not here: only the Fortran program knows where its own lies. */
#ifndef MPI_FINT_H
#define MPI_FINT_H

#include "mpi.h"

typedef int MPI_Fint;

#define MPI_Comm_c2f       MPI_Comm_toint
#define MPI_Comm_f2c       MPI_Comm_fromint
#define MPI_Errhandler_c2f MPI_Errhandler_toint
#define MPI_Errhandler_f2c MPI_Errhandler_fromint
#define MPI_File_c2f       MPI_File_toint
#define MPI_File_f2c       MPI_File_fromint
#define MPI_Group_c2f      MPI_Group_toint
#define MPI_Group_f2c      MPI_Group_fromint
#define MPI_Info_c2f       MPI_Info_toint
#define MPI_Info_f2c       MPI_Info_fromint
#define MPI_Message_c2f    MPI_Message_toint
#define MPI_Message_f2c    MPI_Message_fromint
#define MPI_Op_c2f         MPI_Op_toint
#define MPI_Op_f2c         MPI_Op_fromint
#define MPI_Request_c2f    MPI_Request_toint
#define MPI_Request_f2c    MPI_Request_fromint
#define MPI_Session_c2f    MPI_Session_toint
#define MPI_Session_f2c    MPI_Session_fromint
#define MPI_Type_c2f       MPI_Type_toint
#define MPI_Type_f2c       MPI_Type_fromint
#define MPI_Win_c2f        MPI_Win_toint
#define MPI_Win_f2c        MPI_Win_fromint

#define PMPI_Comm_c2f       PMPI_Comm_toint
#define PMPI_Comm_f2c       PMPI_Comm_fromint
#define PMPI_Errhandler_c2f PMPI_Errhandler_toint
#define PMPI_Errhandler_f2c PMPI_Errhandler_fromint
#define PMPI_File_c2f       PMPI_File_toint
#define PMPI_File_f2c       PMPI_File_fromint
#define PMPI_Group_c2f      PMPI_Group_toint
#define PMPI_Group_f2c      PMPI_Group_fromint
#define PMPI_Info_c2f       PMPI_Info_toint
#define PMPI_Info_f2c       PMPI_Info_fromint
#define PMPI_Message_c2f    PMPI_Message_toint
#define PMPI_Message_f2c    PMPI_Message_fromint
#define PMPI_Op_c2f         PMPI_Op_toint
#define PMPI_Op_f2c         PMPI_Op_fromint
#define PMPI_Request_c2f    PMPI_Request_toint
#define PMPI_Request_f2c    PMPI_Request_fromint
#define PMPI_Session_c2f    PMPI_Session_toint
#define PMPI_Session_f2c    PMPI_Session_fromint
#define PMPI_Type_c2f       PMPI_Type_toint
#define PMPI_Type_f2c       PMPI_Type_fromint
#define PMPI_Win_c2f        PMPI_Win_toint
#define PMPI_Win_f2c        PMPI_Win_fromint

static __inline int MPI_Status_c2f(const MPI_Status *c_status, MPI_Fint *f_status)
{
    if (c_status == MPI_STATUS_IGNORE || f_status == 0)
        return MPI_ERR_ARG;
    *(MPI_Status *)f_status = *c_status;
    return MPI_SUCCESS;
}

static __inline int MPI_Status_f2c(const MPI_Fint *f_status, MPI_Status *c_status)
{
    if (f_status == 0 || c_status == MPI_STATUS_IGNORE)
        return MPI_ERR_ARG;
    *c_status = *(const MPI_Status *)f_status;
    return MPI_SUCCESS;
}

#endif
