/* SPDX-License-Identifier: MIT */
#include "datatype/external.h"
#include "datatype/type_packed.h"

#pragma weak MPI_Pack_external = PMPI_Pack_external
#pragma weak MPI_Pack_external_c = PMPI_Pack_external_c

static int pack(const char *call, const char *datarep, const void *inbuf, MPI_Count incount,
                MPI_Datatype datatype, void *outbuf, MPI_Count outsize, MPI_Count *position)
{
    const struct mpi_type *t;
    uint64_t native;
    MPI_Count n;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_external(call, datarep);
    if (rc || (rc = mpi_check_data(NULL, call, inbuf, incount, datatype, &t, &native)))
        return rc;
    struct mpi_packed out = {outbuf, "outbuf", outsize, position};
    if ((rc = mpi_packed_size(NULL, call, incount, mpi_external_size(t), &n)) ||
        (rc = mpi_check_packed(NULL, call, &out, (uint64_t)n)))
        return rc;
    mpi_external_pack(t, incount, inbuf, (char *)outbuf + *position);
    *position += n;
    return MPI_SUCCESS;
}

int PMPI_Pack_external(const char *datarep, const void *inbuf, int incount, MPI_Datatype datatype,
                       void *outbuf, MPI_Aint outsize, MPI_Aint *position)
{
    MPI_Count at = position ? *position : 0;
    int rc = pack("MPI_Pack_external", datarep, inbuf, incount, datatype, outbuf, outsize,
                  position ? &at : NULL);
    if (!rc)
        *position = (MPI_Aint)at;
    return rc;
}

int PMPI_Pack_external_c(const char *datarep, const void *inbuf, MPI_Count incount,
                         MPI_Datatype datatype, void *outbuf, MPI_Count outsize,
                         MPI_Count *position)
{
    return pack("MPI_Pack_external_c", datarep, inbuf, incount, datatype, outbuf, outsize,
                position);
}
