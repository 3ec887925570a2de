/* SPDX-License-Identifier: MIT */
#include "datatype/external.h"
#include "datatype/type_packed.h"

#pragma weak MPI_Unpack_external = PMPI_Unpack_external
#pragma weak MPI_Unpack_external_c = PMPI_Unpack_external_c

static int unpack(const char *call, const char *datarep, const void *inbuf, MPI_Count insize,
                  MPI_Count *position, void *outbuf, MPI_Count outcount, MPI_Datatype datatype)
{
    const struct mpi_type *t;
    uint64_t native;
    MPI_Count n;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_external(call, datarep);
    if (rc || (rc = mpi_check_data(NULL, call, outbuf, outcount, datatype, &t, &native)))
        return rc;
    struct mpi_packed in = {inbuf, "inbuf", insize, position};
    if ((rc = mpi_packed_size(NULL, call, outcount, mpi_external_size(t), &n)) ||
        (rc = mpi_check_packed(NULL, call, &in, (uint64_t)n)))
        return rc;
    mpi_external_unpack(t, outcount, outbuf, (const char *)inbuf + *position);
    *position += n;
    return MPI_SUCCESS;
}

int PMPI_Unpack_external(const char datarep[], const void *inbuf, MPI_Aint insize,
                         MPI_Aint *position, void *outbuf, int outcount, MPI_Datatype datatype)
{
    MPI_Count at = position ? *position : 0;
    int rc = unpack("MPI_Unpack_external", datarep, inbuf, insize, position ? &at : NULL, outbuf,
                    outcount, datatype);
    if (!rc)
        *position = (MPI_Aint)at;
    return rc;
}

int PMPI_Unpack_external_c(const char datarep[], const void *inbuf, MPI_Count insize,
                           MPI_Count *position, void *outbuf, MPI_Count outcount,
                           MPI_Datatype datatype)
{
    return unpack("MPI_Unpack_external_c", datarep, inbuf, insize, position, outbuf, outcount,
                  datatype);
}
