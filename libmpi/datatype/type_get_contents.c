/* SPDX-License-Identifier: MIT */
#include "datatype/check.h"
#include "datatype/type_contents.h"

#pragma weak MPI_Type_get_contents = PMPI_Type_get_contents
#pragma weak MPI_Type_get_contents_c = PMPI_Type_get_contents_c

/* How many of each kind the program's arrays hold, and the arrays. */
struct room {
    MPI_Count ints, addresses, counts, types;
    int *int_at;
    MPI_Aint *address_at;
    MPI_Count *count_at;
    MPI_Datatype *type_at;
};

static int check_room(const char *call, const char *what, MPI_Count need, MPI_Count have,
                      const void *array)
{
    if (have < need)
        return mpi_error(NULL, MPI_ERR_ARG, call, "there are %lld %s; room is for %lld",
                         (long long)need, what, (long long)have);
    return need && !array ? mpi_check_out(NULL, call, array, what) : MPI_SUCCESS;
}

static int contents(const char *call, MPI_Datatype datatype, const struct room *r)
{
    const struct mpi_type *t;
    int rc;
    if (!mpi_running(call))
        return MPI_ERR_OTHER;
    if ((rc = mpi_check_type(NULL, call, datatype, &t)))
        return rc;
    if (t->combiner == MPI_COMBINER_NAMED)
        return mpi_error(NULL, MPI_ERR_TYPE, call, "%s is predefined: it has no contents", t->name);
    struct mpi_contents c = {0};
    mpi_type_contents(t, &c);
    if ((rc = check_room(call, "integers", c.ints, r->ints, r->int_at)) ||
        (rc = check_room(call, "addresses", c.addresses, r->addresses, r->address_at)) ||
        (rc = check_room(call, "large counts", c.counts, r->counts, r->count_at)) ||
        (rc = check_room(call, "datatypes", c.types, r->types, r->type_at)))
        return rc;
    c = (struct mpi_contents){.int_at = r->int_at,
                              .address_at = r->address_at,
                              .count_at = r->count_at,
                              .type_at = r->type_at};
    mpi_type_contents(t, &c);
    for (MPI_Count i = 0; i < c.types; i++)
        mpi_type_retain(mpi_type_of(c.type_at[i])); /* the program frees what it is given */
    return MPI_SUCCESS;
}

int PMPI_Type_get_contents(MPI_Datatype datatype, int max_integers, int max_addresses,
                           int max_datatypes, int array_of_integers[],
                           MPI_Aint array_of_addresses[], MPI_Datatype array_of_datatypes[])
{
    struct room r = {max_integers,      max_addresses,      0,    max_datatypes,
                     array_of_integers, array_of_addresses, NULL, array_of_datatypes};
    return contents("MPI_Type_get_contents", datatype, &r);
}

int PMPI_Type_get_contents_c(MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
                             MPI_Count max_large_counts, MPI_Count max_datatypes,
                             int array_of_integers[], MPI_Aint array_of_addresses[],
                             MPI_Count array_of_large_counts[], MPI_Datatype array_of_datatypes[])
{
    struct room r = {max_integers,          max_addresses,     max_large_counts,
                     max_datatypes,         array_of_integers, array_of_addresses,
                     array_of_large_counts, array_of_datatypes};
    return contents("MPI_Type_get_contents_c", datatype, &r);
}
