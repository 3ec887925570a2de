/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "datatype/check.h"
#include "datatype/type.h"
#include "request/status.h"

#pragma weak MPI_Get_count = PMPI_Get_count
#pragma weak MPI_Get_count_c = PMPI_Get_count_c

/* MPI_UNDEFINED where the bytes are no whole number of elements, or more than `most`. */
static int get_count(const char *call, const MPI_Status *status, MPI_Datatype datatype,
                     MPI_Count most, MPI_Count *count)
{
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, status, "status");
    if (rc || (rc = mpi_check_out(NULL, call, count, "count")))
        return rc;
    const struct mpi_type *t;
    if ((rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    MPI_Count bytes = mpi_status_bytes(status), size = t->size;
    if (size == 0)
        *count = bytes ? MPI_UNDEFINED : 0;
    else
        *count = bytes % size || bytes / size > most ? MPI_UNDEFINED : bytes / size;
    return MPI_SUCCESS;
}

int PMPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n;
    int rc = get_count("MPI_Get_count", status, datatype, INT_MAX, count ? &n : NULL);
    if (!rc)
        *count = (int)n;
    return rc;
}

int PMPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return get_count("MPI_Get_count_c", status, datatype, INT64_MAX, count);
}
