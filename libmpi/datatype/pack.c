/* SPDX-License-Identifier: MIT */
#include "datatype/type_packed.h"

#pragma weak MPI_Pack = PMPI_Pack
#pragma weak MPI_Pack_c = PMPI_Pack_c

static int pack(const char *call, const void *inbuf, MPI_Count incount, MPI_Datatype datatype,
                void *outbuf, MPI_Count outsize, MPI_Count *position, MPI_Comm comm)
{
    struct mpi_process *p = mpi_running(call);
    struct mpi_comm *c;
    const struct mpi_type *t;
    uint64_t n;
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_comm(p, call, comm, &c);
    struct mpi_packed out = {outbuf, "outbuf", outsize, position};
    if (rc || (rc = mpi_check_data(c, call, inbuf, incount, datatype, &t, &n)) ||
        (rc = mpi_check_packed(c, call, &out, n)))
        return rc;
    mpi_type_pack(t, incount, inbuf, 0, n, (char *)outbuf + *position);
    *position += (MPI_Count)n;
    return MPI_SUCCESS;
}

int PMPI_Pack(const void *inbuf, int incount, MPI_Datatype datatype, void *outbuf, int outsize,
              int *position, MPI_Comm comm)
{
    MPI_Count at = position ? *position : 0;
    int rc =
        pack("MPI_Pack", inbuf, incount, datatype, outbuf, outsize, position ? &at : NULL, comm);
    if (!rc)
        *position = (int)at;
    return rc;
}

int PMPI_Pack_c(const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
                MPI_Count outsize, MPI_Count *position, MPI_Comm comm)
{
    return pack("MPI_Pack_c", inbuf, incount, datatype, outbuf, outsize, position, comm);
}
