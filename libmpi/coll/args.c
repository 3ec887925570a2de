/* SPDX-License-Identifier: MIT */
/* Checks of the arguments of collectives. */
#include <base/error.h>

#include "coll/coll.h"

/* One that lies `at` bytes behind the buffer, which may be MPI_BOTTOM. */
static int check_block(struct mpi_coll *c, const struct mpi_coll_side_args *a, MPI_Aint at,
                       MPI_Count count, MPI_Datatype type)
{
    uint64_t bytes;
    const void *address = (const void *)((uintptr_t)a->buf + (uintptr_t)at);
    return mpi_check_data(c->comm, c->call, address, count, type, &bytes);
}

/* Types of blocks without elements are not looked at: programs leave them out. */
static int check_types(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a)
{
    s->types = mpi_alloc(c->p, (size_t)s->blocks * sizeof(struct mpi_type *) + 1);
    if (!s->types)
        return mpi_error_below(c->comm, -B_ENOMEM, c->call);
    for (int i = 0; i < s->blocks; i++) {
        MPI_Count count = mpi_number(&s->counts, i);
        MPI_Datatype type = count ? a->types[i] : MPI_BYTE;
        int rc = check_block(c, a, mpi_number(&s->displs, i), count, type);
        if (rc) {
            s->blocks = i;
            return rc;
        }
        s->types[i] = mpi_type_of(type);
        mpi_type_hold(s->types[i]);
    }
    return MPI_SUCCESS;
}

static int check_counts(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a)
{
    const struct mpi_type *t = mpi_type_of(a->type);
    MPI_Aint extent = t ? mpi_type_extent(t) : 1;
    for (int i = 0; i < s->blocks; i++) {
        MPI_Aint at = (MPI_Aint)((uint64_t)mpi_number(&s->displs, i) * (uint64_t)extent);
        int rc = check_block(c, a, at, mpi_number(&s->counts, i), a->type);
        if (rc)
            return rc;
    }
    return MPI_SUCCESS;
}

static int check_arrays(struct mpi_coll *c, const struct mpi_coll_side_args *a, const char *what,
                        int blocks)
{
    bool missing = !a->counts.at || !a->displs.at || (a->shape == MPI_COLL_W && !a->types);
    if (a->shape == MPI_COLL_EVEN || blocks <= 0 || !missing)
        return MPI_SUCCESS;
    return mpi_error(c->comm, MPI_ERR_ARG, c->call,
                     "counts, displacements or types of %s are a null pointer", what);
}

int mpi_coll_check_side(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a,
                        int blocks, const char *what)
{
    *s = (struct mpi_side){.buf = (uint8_t *)(uintptr_t)a->buf,
                           .count = a->count,
                           .counts = a->counts,
                           .displs = a->displs,
                           .blocks = blocks};
    MPI_Count all = a->count;
    int rc = check_arrays(c, a, what, blocks);
    if (rc)
        return rc;
    if (a->shape == MPI_COLL_W)
        return check_types(c, s, a);
    if (a->shape == MPI_COLL_V)
        rc = check_counts(c, s, a);
    else if (a->count >= 0 && blocks >= 0 && __builtin_mul_overflow(a->count, blocks, &all))
        rc = mpi_error(c->comm, MPI_ERR_COUNT, c->call, "count %lld is more than memory holds",
                       (long long)a->count);
    else
        rc = check_block(c, a, 0, all, a->type);
    if (rc || (rc = mpi_check_type(c->comm, c->call, a->type, &s->type))) {
        s->type = NULL;
        return rc;
    }
    mpi_type_hold(s->type);
    s->extent = mpi_type_extent(s->type);
    return MPI_SUCCESS;
}

int mpi_coll_check_root(struct mpi_coll *c, int root)
{
    c->root = root;
    if (c->comm->inter && (root == MPI_ROOT || root == MPI_PROC_NULL)) {
        c->role = root == MPI_ROOT ? MPI_ROLE_ROOT : MPI_ROLE_IDLE;
        return MPI_SUCCESS;
    }
    if (root < 0 || root >= c->remote)
        return mpi_error(c->comm, MPI_ERR_ROOT, c->call, "root %d is not in 0..%d", root,
                         c->remote - 1);
    c->role = !c->comm->inter && root == c->rank ? MPI_ROLE_ROOT : MPI_ROLE_MEMBER;
    return MPI_SUCCESS;
}

/* Where block i of a side begins (blocks of one count: the first); NULL: it is empty, or its type
 * says where its data is. */
static const uint8_t *begins(const struct mpi_side *s, int i)
{
    bool listed = s->blocks != MPI_COLL_ONE && s->displs.at;
    if (!s->buf || (s->blocks != MPI_COLL_ONE && i >= s->blocks))
        return NULL;
    const struct mpi_type *t = s->types ? s->types[i] : s->type;
    MPI_Count count = listed ? mpi_number(&s->counts, i) : s->count;
    if (!t || !t->handle || !t->size || !count)
        return NULL;
    MPI_Aint at = listed ? mpi_number(&s->displs, i) * (s->types ? 1 : s->extent) : 0;
    return s->buf + at;
}

/* The i-th blocks of both sides, or the only one of a side and any of the other. */
static bool one_buffer(const struct mpi_coll *c)
{
    const struct mpi_side *s = &c->send, *r = &c->recv;
    int blocks = s->displs.at ? s->blocks : r->displs.at ? r->blocks : 1;
    for (int i = 0; i < blocks; i++) {
        const uint8_t *from = begins(s, i);
        if (from && from == begins(r, i))
            return true;
    }
    return false;
}

int mpi_coll_check_apart(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    if (a->send.buf == MPI_IN_PLACE && c->comm->inter)
        return mpi_error(c->comm, MPI_ERR_BUFFER, c->call,
                         "MPI_IN_PLACE is for intracommunicators");
    if (!c->in_place && one_buffer(c))
        return mpi_error(c->comm, MPI_ERR_BUFFER, c->call,
                         "sendbuf and recvbuf are the same; use MPI_IN_PLACE");
    return MPI_SUCCESS;
}
