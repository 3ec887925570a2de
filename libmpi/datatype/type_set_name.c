/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "datatype/check.h"
#include "datatype/type.h"
#include "info/info.h"

#pragma weak MPI_Type_set_name = PMPI_Type_set_name

/* Predefined types are shared by the ranks of a process: their names are kept beside them. */
static char *place_for(struct mpi_process *p, const struct mpi_type *t)
{
    if (!t->handle) {
        struct mpi_type *mine = (struct mpi_type *)t;
        if (!mine->name)
            mine->name = mpi_alloc(p, MPI_MAX_OBJECT_NAME);
        return (char *)mine->name;
    }
    for (struct mpi_type_note *n = p->type_names; n; n = n->next)
        if (n->type == t)
            return n->name;
    struct mpi_type_note *n = mpi_alloc(p, sizeof *n + MPI_MAX_OBJECT_NAME);
    if (!n)
        return NULL;
    n->next = p->type_names;
    n->type = t;
    p->type_names = n;
    return n->name;
}

int PMPI_Type_set_name(MPI_Datatype datatype, const char *type_name)
{
    static const char call[] = "MPI_Type_set_name";
    const struct mpi_type *t;
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    int rc = mpi_check_type(NULL, call, datatype, &t);
    if (rc || (rc = mpi_check_out(NULL, call, type_name, "type_name")))
        return rc;
    char *name = place_for(p, t);
    if (!name)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    mpi_text_give(name, MPI_MAX_OBJECT_NAME, type_name);
    return MPI_SUCCESS;
}
