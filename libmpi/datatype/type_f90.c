/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "datatype/type_f90.h"
#include "datatype/type_make.h"

static bool enough(int asked, int has)
{
    return asked == MPI_UNDEFINED || asked <= has;
}

static const struct mpi_type *find(const struct mpi_process *proc, int combiner, int p, int r)
{
    for (const struct mpi_type_note *n = proc->type_unnamed; n; n = n->next) {
        if (n->type->combiner != combiner)
            continue;
        const MPI_Count *args = n->type->alias.args;
        MPI_Count last = n->type->alias.n - 1;
        if (args[last] == r && (last == 0 || args[0] == p))
            return n->type;
    }
    return NULL;
}

static int make(const struct mpi_maker *m, int combiner, int p, int r, MPI_Datatype kind,
                struct mpi_type **made)
{
    MPI_Count args[] = {p, r};
    MPI_Count n = combiner == MPI_COMBINER_F90_INTEGER ? 1 : 2;
    struct mpi_type_note *note = mpi_alloc(m->p, sizeof *note);
    if (!note)
        return mpi_error_below(NULL, -B_ENOMEM, m->call);
    int rc = mpi_make_alias(m, combiner, mpi_type_of(kind), NULL, args + 2 - n, n, made);
    if (rc) {
        mpi_free(m->p, note);
        return rc;
    }
    (*made)->flags |= MPI_TYPE_UNNAMED | MPI_TYPE_COMMITTED;
    note->next = m->p->type_unnamed;
    note->type = *made;
    m->p->type_unnamed = note;
    return MPI_SUCCESS;
}

int mpi_type_f90(const char *call, int combiner, int p, int r, const struct mpi_f90_kind *kinds,
                 int n, MPI_Datatype *newtype)
{
    struct mpi_maker m;
    int rc = mpi_maker_begin(&m, call, false, newtype), i = 0;
    if (rc)
        return rc;
    if (p == MPI_UNDEFINED && r == MPI_UNDEFINED)
        return mpi_error(NULL, MPI_ERR_ARG, call, "neither precision nor range is given");
    while (i < n && !(enough(p, kinds[i].p) && enough(r, kinds[i].r)))
        i++;
    if (i == n)
        return mpi_error(NULL, MPI_ERR_ARG, call, "no kind has precision %d and range %d", p, r);
    const struct mpi_type *known = find(m.p, combiner, p, r);
    if (known) {
        *newtype = mpi_type_handle(known);
        return MPI_SUCCESS;
    }
    struct mpi_type *made;
    rc = make(&m, combiner, p, r, kinds[i].type, &made);
    return mpi_maker_end(rc, &made, newtype);
}
