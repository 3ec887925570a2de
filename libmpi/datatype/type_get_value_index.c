/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "internal/type_make.h"

#pragma weak MPI_Type_get_value_index = PMPI_Type_get_value_index

static bool is_integer(const struct mpi_type *t)
{
    return t->handle && (t->group == MPI_TYPES_C_INTEGER || t->group == MPI_TYPES_F_INTEGER);
}

static bool are(const struct mpi_type *pair, const struct mpi_type *value,
                const struct mpi_type *index)
{
    return pair->blocks->types[0] == value && pair->blocks->types[1] == index;
}

/* One with a name, or one that was asked for before. */
static const struct mpi_type *find(const struct mpi_process *p, const struct mpi_type *value,
                                   const struct mpi_type *index)
{
    const MPI_Datatype named[] = {MPI_FLOAT_INT, MPI_DOUBLE_INT,        MPI_LONG_INT,
                                  MPI_2INT,      MPI_SHORT_INT,         MPI_LONG_DOUBLE_INT,
                                  MPI_2REAL,     MPI_2DOUBLE_PRECISION, MPI_2INTEGER};
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (are(mpi_type_of(named[i]), value, index))
            return mpi_type_of(named[i]);
    for (const struct mpi_type_note *n = p->type_unnamed; n; n = n->next)
        if (n->type->combiner == MPI_COMBINER_VALUE_INDEX && are(n->type->child, value, index))
            return n->type;
    return NULL;
}

/* As a C structure of the two has it. */
static int make(const struct mpi_maker *m, const struct mpi_type *value,
                const struct mpi_type *index, struct mpi_type **made)
{
    const struct mpi_type *types[] = {value, index};
    const int ones[] = {1, 1};
    MPI_Aint unit = index->alignment;
    const MPI_Aint places[] = {0, (value->size + unit - 1) / unit * unit};
    struct mpi_blocks_args a = {.combiner = MPI_COMBINER_STRUCT,
                                .count = 2,
                                .lengths = {ones, false},
                                .displacements = {places, true},
                                .types = types};
    struct mpi_type *pair;
    struct mpi_type_note *note = mpi_alloc(m->p, sizeof *note);
    if (!note)
        return mpi_error_below(NULL, -B_ENOMEM, m->call);
    int rc = mpi_make_blocks(m, &a, &pair);
    if (!rc) {
        pair->group = MPI_TYPES_PAIR;
        rc = mpi_make_alias(m, MPI_COMBINER_VALUE_INDEX, pair, NULL, NULL, 0, made);
        mpi_type_release(m->p, pair);
    }
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

/* MPI_DATATYPE_NULL where there is no pair of the two (MPI 5.0, 6.9.4). */
int PMPI_Type_get_value_index(MPI_Datatype value_type, MPI_Datatype index_type,
                              MPI_Datatype *pair_type)
{
    struct mpi_maker m;
    const struct mpi_type *value, *index;
    int rc = mpi_maker_begin(&m, "MPI_Type_get_value_index", false, pair_type);
    if (rc || (rc = mpi_check_type(NULL, m.call, value_type, &value)) ||
        (rc = mpi_check_type(NULL, m.call, index_type, &index)))
        return rc;
    const struct mpi_type *known = find(m.p, value, index);
    bool a_value = is_integer(value) || (value->handle && value->group == MPI_TYPES_FLOATING);
    struct mpi_type *made;
    if (known || !a_value || !is_integer(index)) {
        *pair_type = known ? mpi_type_handle(known) : MPI_DATATYPE_NULL;
        return MPI_SUCCESS;
    }
    rc = make(&m, value, index, &made);
    return mpi_maker_end(rc, &made, pair_type);
}
