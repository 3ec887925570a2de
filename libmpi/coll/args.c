/* SPDX-License-Identifier: MIT */
/* Checks of the arguments of collectives. */
#include <base/error.h>

#include "coll/kind.h"
#include "datatype/check.h"

/* One that lies `at` bytes behind the buffer, which may be MPI_BOTTOM. */
static int check_block(struct mpi_coll *c, const struct mpi_coll_side_args *a, MPI_Aint at,
                       MPI_Count count, MPI_Datatype type)
{
    uint64_t bytes;
    const struct mpi_type *t;
    const void *address = (const void *)((uintptr_t)a->buf + (uintptr_t)at);
    return mpi_check_data(c->comm, c->call, address, count, type, &t, &bytes);
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
        mpi_type_retain(s->types[i]);
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

static __attribute__((noinline)) int check_any(struct mpi_coll *c, struct mpi_side *s,
                                               const struct mpi_coll_side_args *a, int blocks,
                                               const char *what)
{
    s->counts = a->counts;
    s->displs = a->displs;
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
    mpi_type_retain(s->type);
    s->extent = mpi_type_extent(s->type);
    return MPI_SUCCESS;
}

int mpi_coll_check_side(struct mpi_coll *c, struct mpi_side *s, const struct mpi_coll_side_args *a,
                        int blocks, const char *what)
{
    const struct mpi_type *t = mpi_type_predefined(a->type);
    s->buf = (uint8_t *)(uintptr_t)a->buf;
    s->count = a->count;
    s->blocks = blocks;
    if (!ordinary(a, blocks, t))
        return check_any(c, s, a, blocks, what);
    s->counts = a->counts; /* of a reduction; no displacements */
    s->type = t;
    s->extent = t->size;
    s->run = (uint64_t)(blocks == MPI_COLL_ONE ? 1 : blocks) * (uint64_t)(a->count * t->size);
    return MPI_SUCCESS;
}

void mpi_coll_add_blocks(struct mpi_coll *c, int n)
{
    const struct mpi_side *s = &c->recv;
    uint32_t hash = 2166136261u; /* FNV-1a, of numbers */
    for (int i = 0; i < n; i++) {
        MPI_Count count = s->counts.at ? mpi_number(&s->counts, i) : s->count;
        uint64_t bytes = (uint64_t)count * (uint64_t)s->type->size;
        hash = (hash ^ (uint32_t)bytes) * 16777619u;
        c->bytes += bytes;
    }
    c->amounts = s->counts.at ? hash : 0;
}

static int check_root(struct mpi_coll *c, int root)
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

static inline int check_blocks(struct mpi_coll *c, struct mpi_side *s,
                               const struct mpi_coll_side_args *a, enum mpi_coll_blocks has,
                               const char *what)
{
    return mpi_coll_check_side(c, s, a, has == MPI_COLL_BLOCKS ? c->remote : MPI_COLL_ONE, what);
}

/* One side is the root's, or that of all ranks if there is none; the other one, which each rank
 * gives or gets, is left out in place, and by the root of an intercommunicator. */
static int check_sides(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    const struct mpi_coll_kind *k = c->kind;
    bool from = k->rooted == MPI_COLL_FROM_ROOT, inter = c->comm->inter;
    bool has = (k->rooted != MPI_COLL_TO_ROOT && !from) || c->role == MPI_ROLE_ROOT;
    struct mpi_side *all = from ? &c->send : &c->recv, *own = from ? &c->recv : &c->send;
    const struct mpi_coll_side_args *all_args = from ? &a->send : &a->recv;
    const struct mpi_coll_side_args *own_args = from ? &a->recv : &a->send;
    enum mpi_coll_blocks own_has = from ? k->recv : k->send;
    int rc = MPI_SUCCESS;
    c->in_place = has && own_args->buf == MPI_IN_PLACE && !inter;
    if (c->in_place || (inter && k->rooted && has))
        own_has = MPI_COLL_NO_SIDE;
    if (has)
        rc = check_blocks(c, all, all_args, from ? k->send : k->recv, from ? "sendbuf" : "recvbuf");
    if (!rc && own_has)
        rc = check_blocks(c, own, own_args, own_has, from ? "recvbuf" : "sendbuf");
    if (rc)
        return rc;
    const struct mpi_side *s = k->rooted && own_has ? own : all;
    /* How much each has is its own affair where counts are an array. */
    if (all_args->shape == MPI_COLL_EVEN)
        c->bytes = (uint64_t)s->count * (uint64_t)s->type->size;
    rc = mpi_coll_check_apart(c, a);
    return !rc && k->check_op ? k->check_op(c, a->op, s->type) : rc;
}

int mpi_coll_check(struct mpi_coll *c, const struct mpi_coll_args *a)
{
    int rc = c->kind->rooted ? check_root(c, a->root) : MPI_SUCCESS;
    bool none = c->role == MPI_ROLE_IDLE || c->kind->recv == MPI_COLL_NO_SIDE;
    return rc || none ? rc : check_sides(c, a);
}

/* Blocks that a side has one by one; those of one count follow each other and count as one. */
static int parts(const struct mpi_side *s)
{
    return s->blocks == MPI_COLL_ONE || !s->displs.at ? 1 : s->blocks;
}

static struct mpi_elements part(const struct mpi_side *s, int i)
{
    int n = parts(s);
    if (n == 1 && !s->displs.at)
        return (struct mpi_elements){
            s->buf, s->blocks == MPI_COLL_ONE ? s->count : s->count * s->blocks, s->type};
    return i < n ? mpi_coll_block(s, i) : mpi_coll_nothing();
}

/* The only part of a side and any of the other, or the i-th of both: to compare each with each
 * would take longer than the operation. */
static bool one_buffer(const struct mpi_coll *c)
{
    if (c->send.run && c->recv.run)
        return mpi_runs_overlap((uintptr_t)c->send.buf, c->send.run, (uintptr_t)c->recv.buf,
                                c->recv.run);
    if (!c->send.blocks || !c->recv.blocks)
        return false;
    int sends = parts(&c->send), receives = parts(&c->recv);
    for (int i = 0; i < (sends > receives ? sends : receives); i++) {
        struct mpi_elements out = part(&c->send, sends == 1 ? 0 : i);
        struct mpi_elements in = part(&c->recv, receives == 1 ? 0 : i);
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
