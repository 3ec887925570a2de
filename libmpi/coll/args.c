/* SPDX-License-Identifier: MIT */
/* Checks of the arguments of collectives. */
#include <base/error.h>

#include "coll/operation.h"
#include "datatype/check.h"

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

#define FEW_ELEMENTS (UINT64_C(1) << 30)
#define FEW_BLOCKS   (1 << 12)
_Static_assert(FEW_ELEMENTS *FEW_BLOCKS * 32 < MPU_BYTES_MOST, "of the largest elements");

/* What most calls give, and all of which is right: so many elements of type t, which is predefined
 * (or NULL), at an address. */
static inline bool ordinary(const struct mpi_coll_side_args *a, int blocks,
                            const struct mpi_type *t)
{
    return t && t->kind == MPI_KIND_BASIC && a->shape == MPI_COLL_EVEN &&
           (uintptr_t)a->buf > (uintptr_t)MPI_BUFFER_AUTOMATIC &&
           (uint64_t)a->count <= FEW_ELEMENTS && blocks <= FEW_BLOCKS;
}

int mpi_coll_check_side(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a,
                        int blocks, const char *what)
{
    *s = (struct mpi_side){.buf = (uint8_t *)(uintptr_t)a->buf,
                           .count = a->count,
                           .counts = a->counts,
                           .displs = a->displs,
                           .blocks = blocks};
    const struct mpi_type *t = mpi_type_predefined(a->type);
    if (ordinary(a, blocks, t)) {
        s->type = t;
        s->extent = t->size;
        return MPI_SUCCESS;
    }
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

int mpi_coll_check_rooted(struct mpi_coll *c, const struct mpi_coll_args *a, bool gather)
{
    struct mpi_side *all = gather ? &c->recv : &c->send, *own = gather ? &c->send : &c->recv;
    const struct mpi_coll_side_args *all_args = gather ? &a->recv : &a->send;
    const struct mpi_coll_side_args *own_args = gather ? &a->send : &a->recv;
    int rc = mpi_coll_check_root(c, a->root);
    if (rc || c->role == MPI_ROLE_IDLE)
        return rc;
    bool root = c->role == MPI_ROLE_ROOT;
    c->in_place = root && own_args->buf == MPI_IN_PLACE && !c->comm->inter;
    if (root &&
        (rc = mpi_coll_check_side(c, all, all_args, c->remote, gather ? "recvbuf" : "sendbuf")))
        return rc;
    bool has = !c->in_place && !(root && c->comm->inter);
    if (has &&
        (rc = mpi_coll_check_side(c, own, own_args, MPI_COLL_ONE, gather ? "sendbuf" : "recvbuf")))
        return rc;
    const struct mpi_side *s = has ? own : all;
    /* How much each has is its own affair where counts are an array. */
    c->bytes = all_args->shape == MPI_COLL_EVEN ? (uint64_t)s->count * (uint64_t)s->type->size : 0;
    return mpi_coll_check_apart(c, a);
}

/* Blocks that a side has one by one; those of one count follow each other and count as one. */
static int pieces(const struct mpi_side *s)
{
    return s->blocks == MPI_COLL_ONE || !s->displs.at ? 1 : s->blocks;
}

static struct mpi_elements piece(const struct mpi_side *s, int i)
{
    int n = pieces(s);
    if (n == 1 && !s->displs.at)
        return (struct mpi_elements){
            s->buf, s->blocks == MPI_COLL_ONE ? s->count : s->count * s->blocks, s->type};
    return i < n ? mpi_coll_block(s, i) : mpi_coll_nothing();
}

/* One run of bytes, as most are. */
static inline bool dense(const struct mpi_side *s)
{
    return s->type && s->type->kind == MPI_KIND_BASIC && !s->displs.at;
}

static inline uint64_t bytes_of(const struct mpi_side *s)
{
    uint64_t blocks = s->blocks == MPI_COLL_ONE ? 1 : (uint64_t)s->blocks;
    return blocks * (uint64_t)s->count * (uint64_t)s->type->size;
}

/* The only piece of a side and any of the other, or the i-th of both: to compare each with each
 * would take longer than the operation. */
static bool one_buffer(const struct mpi_coll *c)
{
    if (dense(&c->send) && dense(&c->recv)) {
        uint64_t out = bytes_of(&c->send), in = bytes_of(&c->recv);
        return out && in &&
               mpi_runs_overlap((uintptr_t)c->send.buf, out, (uintptr_t)c->recv.buf, in);
    }
    int sends = pieces(&c->send), receives = pieces(&c->recv);
    for (int i = 0; i < (sends > receives ? sends : receives); i++) {
        struct mpi_elements out = piece(&c->send, sends == 1 ? 0 : i);
        struct mpi_elements in = piece(&c->recv, receives == 1 ? 0 : i);
        if (mpi_type_overlap(out.type, out.count, out.buf, in.type, in.count, in.buf))
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
                         "sendbuf and recvbuf overlap; use MPI_IN_PLACE");
    return MPI_SUCCESS;
}
