/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type.h"

#pragma weak MPI_Type_get_value_index = PMPI_Type_get_value_index

/* MPI_DATATYPE_NULL where there is no pair of the two (MPI 5.0, 6.9.4). */
int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type,
                              MPI_Datatype *pair_type)
{
    static const char call[] = "MPI_Type_get_value_index";
    const struct mpi_type *value, *index;
    const MPI_Datatype pairs[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT,        MPI_LONG_INT,
                                  MPI_2INT,      MPI_SHORT_INT,         MPI_LONG_DOUBLE_INT,
                                  MPI_2REAL,     MPI_2DOUBLE_PRECISION, MPI_2INTEGER};
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, pair_type, "pair_type");
    if (rc || (rc = mpi_check_type(NULL, call, value_type, &value)) ||
        (rc = mpi_check_type(NULL, call, index_type, &index)))
        return rc;
    *pair_type = MPI_DATATYPE_NULL;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct mpi_type *const *parts = mpi_type_of(pairs[i])->blocks->types;
        if (parts[0] == value && parts[1] == index)
            *pair_type = pairs[i];
    }
    return MPI_SUCCESS;
}
