/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type.h"
#include "request/status.h"

#pragma weak MPI_Status_set_elements = PMPI_Status_set_elements
#pragma weak MPI_Status_set_elements_c = PMPI_Status_set_elements_c
#pragma weak MPI_Status_set_elements_x = PMPI_Status_set_elements_x

static int set_elements(const char *call, MPI_Status *status, MPI_Datatype type, MPI_Count count)
{
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    const struct mpi_type *t;
    int rc = mpi_check_out(NULL, call, status, "status");
    if (rc || (rc = mpi_check_type(NULL, call, type, &t)))
        return rc;
    if (count < 0)
        return mpi_error(NULL, MPI_ERR_COUNT, call, "count %lld is negative", (long long)count);
    MPI_Count bytes;
    rc = mpi_type_bytes(t, count, &bytes);
    if (rc)
        return mpi_error(NULL, rc, call,
                         rc == MPI_ERR_COUNT ? "%lld elements have more bytes than a status holds"
                                             : "%lld elements of a datatype that has none",
                         (long long)count);
    mpi_status_set_bytes(status, bytes);
    return MPI_SUCCESS;
}

int PMPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
    return set_elements("MPI_Status_set_elements", status, datatype, count);
}

int PMPI_Status_set_elements_c(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements("MPI_Status_set_elements_c", status, datatype, count);
}

int PMPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    return set_elements("MPI_Status_set_elements_x", status, datatype, count);
}
