/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "datatype/type_make.h"

#pragma weak MPI_Type_dup = PMPI_Type_dup

int PMPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct mpi_maker m;
    const struct mpi_type *old;
    struct mpi_type *made;
    int rc = mpi_maker_begin(&m, "MPI_Type_dup", false, newtype);
    if (rc || (rc = mpi_check_type(NULL, m.call, oldtype, &old)) ||
        (rc = mpi_make_alias(&m, MPI_COMBINER_DUP, old, old, NULL, 0, &made)))
        return rc;
    made->flags |= old->flags & MPI_TYPE_COMMITTED;
    rc = mpi_attrs_copy(m.p, oldtype, mpi_type_handle(made));
    if (rc) { /* a copy function refuses */
        mpi_type_release(m.p, made);
        *newtype = MPI_DATATYPE_NULL;
        return mpi_error(NULL, rc, m.call, "copying an attribute failed");
    }
    return mpi_maker_end(rc, &made, newtype);
}
