/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type_contents.h"

#pragma weak MPI_Type_get_envelope = PMPI_Type_get_envelope
#pragma weak MPI_Type_get_envelope_c = PMPI_Type_get_envelope_c

static int envelope(const char *call, MPI_Datatype datatype, bool have_out, bool large_too,
                    struct mpi_contents *c, int *combiner)
{
    const struct mpi_type *t;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    int rc = mpi_check_out(NULL, call, have_out ? combiner : NULL, "num_... or combiner");
    if (rc || (rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    *c = (struct mpi_contents){0};
    mpi_type_contents(t, c);
    *combiner = t->combiner;
    if (c->counts && !large_too)
        return mpi_error(NULL, MPI_ERR_TYPE, call,
                         "the datatype was made with large counts: ask %s_c", call);
    return MPI_SUCCESS;
}

int PMPI_Type_get_envelope(MPI_Datatype datatype, int *num_integers, int *num_addresses,
                           int *num_datatypes, int *combiner)
{
    struct mpi_contents c;
    bool out = num_integers && num_addresses && num_datatypes && combiner;
    int rc = envelope("MPI_Type_get_envelope", datatype, out, false, &c, combiner);
    if (rc)
        return rc;
    *num_integers = (int)c.ints;
    *num_addresses = (int)c.addresses;
    *num_datatypes = (int)c.types;
    return MPI_SUCCESS;
}

int PMPI_Type_get_envelope_c(MPI_Datatype datatype, MPI_Count *num_integers,
                             MPI_Count *num_addresses, MPI_Count *num_large_counts,
                             MPI_Count *num_datatypes, int *combiner)
{
    struct mpi_contents c;
    bool out = num_integers && num_addresses && num_large_counts && num_datatypes && combiner;
    int rc = envelope("MPI_Type_get_envelope_c", datatype, out, true, &c, combiner);
    if (rc)
        return rc;
    *num_integers = c.ints;
    *num_addresses = c.addresses;
    *num_large_counts = c.counts;
    *num_datatypes = c.types;
    return MPI_SUCCESS;
}
