/* SPDX-License-Identifier: MIT */
#include <limits.h>

#include "datatype/check.h"
#include "datatype/type.h"
#include "request/status.h"

#pragma weak MPI_Get_elements = PMPI_Get_elements
#pragma weak MPI_Get_elements_c = PMPI_Get_elements_c
#pragma weak MPI_Get_elements_x = PMPI_Get_elements_x

/* MPI_UNDEFINED where the bytes end within an element, or for more than `most`. */
static int get_elements(const char *call, const MPI_Status *status, MPI_Datatype type,
                        MPI_Count most, MPI_Count *count)
{
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    const struct mpi_type *t;
    int rc = mpi_check_out(NULL, call, status, "status");
    if (rc || (rc = mpi_check_out(NULL, call, count, "count")) ||
        (rc = mpi_check_type(NULL, call, type, &t)))
        return rc;
    MPI_Count n = mpi_type_elements(t, (uint64_t)mpi_status_bytes(status));
    *count = n < 0 || n > most ? MPI_UNDEFINED : n;
    return MPI_SUCCESS;
}

int PMPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    MPI_Count n;
    int rc = get_elements("MPI_Get_elements", status, datatype, INT_MAX, count ? &n : NULL);
    if (!rc)
        *count = (int)n;
    return rc;
}

int PMPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return get_elements("MPI_Get_elements_c", status, datatype, INT64_MAX, count);
}

int PMPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    return get_elements("MPI_Get_elements_x", status, datatype, INT64_MAX, count);
}
