/* SPDX-License-Identifier: MIT */
#include "datatype/type_packed.h"

#pragma weak MPI_Unpack = PMPI_Unpack
#pragma weak MPI_Unpack_c = PMPI_Unpack_c

static int unpack(const char *call, const void *inbuf, MPI_Count insize, MPI_Count *position,
                  void *outbuf, MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm)
{
    struct mpi_process *p = mpi_running(call);
    struct mpi_comm *c;
    const struct mpi_type *t;
    uint64_t n;
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_comm(p, call, comm, &c);
    struct mpi_packed in = {inbuf, "inbuf", insize, position};
    if (rc || (rc = mpi_check_data(c, call, outbuf, outcount, datatype, &t, &n)) ||
        (rc = mpi_check_packed(c, call, &in, n)))
        return rc;
    mpi_type_unpack(t, outcount, outbuf, 0, n, (const char *)inbuf + *position);
    *position += (MPI_Count)n;
    return MPI_SUCCESS;
}

int PMPI_Unpack(const void *inbuf, int insize, int *position, void *outbuf, int outcount,
                MPI_Datatype datatype, MPI_Comm comm)
{
    MPI_Count at = position ? *position : 0;
    int rc = unpack("MPI_Unpack", inbuf, insize, position ? &at : NULL, outbuf, outcount, datatype,
                    comm);
    if (!rc)
        *position = (int)at;
    return rc;
}

int PMPI_Unpack_c(const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf,
                  MPI_Count outcount, MPI_Datatype datatype, MPI_Comm comm)
{
    return unpack("MPI_Unpack_c", inbuf, insize, position, outbuf, outcount, datatype, comm);
}
