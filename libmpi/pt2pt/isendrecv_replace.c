/* SPDX-License-Identifier: MIT */
#include "pt2pt/exchange.h"

#pragma weak MPI_Isendrecv_replace = PMPI_Isendrecv_replace
#pragma weak MPI_Isendrecv_replace_c = PMPI_Isendrecv_replace_c

static int replace(const char *call, void *buf, MPI_Count count, MPI_Datatype type, int dest,
                   int sendtag, int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_transfer s = mpi_transfer(buf, count, dest, sendtag);
    struct mpi_transfer r = mpi_transfer(buf, count, source, recvtag);
    int rc = mpi_check_exchange(p, call, &s, type, &r, type, comm, true);
    if (rc)
        return rc;
    return mpi_iexchange(p, call, &s, &r, true, request);
}

int PMPI_Isendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                           int source, int recvtag, MPI_Comm comm, MPI_Request *request)
{
    return replace("MPI_Isendrecv_replace", buf, count, datatype, dest, sendtag, source, recvtag,
                   comm, request);
}

int PMPI_Isendrecv_replace_c(void *buf, MPI_Count count, MPI_Datatype datatype, int dest,
                             int sendtag, int source, int recvtag, MPI_Comm comm,
                             MPI_Request *request)
{
    return replace("MPI_Isendrecv_replace_c", buf, count, datatype, dest, sendtag, source, recvtag,
                   comm, request);
}
