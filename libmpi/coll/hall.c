/* SPDX-License-Identifier: MIT */
/* Cluster-aware collectives of few bytes. The ranks of a cluster arrive in a hall in its memory;
 * when all are there the leader reads what they gave, meets the leaders of other clusters by
 * messages, leaves the result in the hall and lets its cluster go.
 *
 *     arrive -> [leader: combine] -> [leaders: tree] -> release
 *
 * Only blocking operations: of these a rank has one at a time, so arrivals cannot mix. */
#include <base/error.h>
#include <base/mem.h>

#include "coll/coll.h"

bool mpi_coll_in_halls(const struct mpi_coll *c)
{
    return c->blocking && c->comm->clusters < c->size && c->bytes <= MPU_HALL_BYTES;
}

static bool same_size(const struct mpi_coll *c)
{
    const struct mpi_side *s = c->recv.type ? &c->recv : &c->send;
    return s->extent == s->type->size;
}

static bool reduces(const struct mpi_coll *c)
{
    return mpi_coll_in_halls(c) && c->op->handle && c->op->commutative && same_size(c);
}

static struct mpu_hall *hall(const struct mpi_coll *c)
{
    return c->comm->hall;
}

static bool leads(const struct mpi_coll *c)
{
    return mpu_hall_index(hall(c), c->p->rank) == 0;
}

static bool released(const struct mpi_coll *c)
{
    return mpu_hall_released(hall(c), c->p->rank, c->seen);
}

static bool full(const struct mpi_coll *c)
{
    return mpu_hall_full(hall(c));
}

/* Root and predefined operation; a program's own has another address on each rank. */
static uint64_t terms(const struct mpi_coll *c)
{
    uint64_t op = c->op ? (uintptr_t)c->op->handle : 0;
    return (uint64_t)(uint32_t)c->root | op << 32;
}

/* A round: joins the hall if it did not yet, and arrives. */
int mpi_coll_arrive(struct mpi_coll *c, const void *given)
{
    struct mpi_comm *comm = c->comm;
    if (!comm->hall && !(comm->hall = mpu_hall_join(c->p->rank, &comm->coll)))
        return -B_ENOMEM;
    struct mpu_hall *h = comm->hall;
    c->leaders = (struct mpu_comm){.context = comm->coll.context,
                                   .rank = h->cluster,
                                   .size = h->clusters,
                                   .world = h->leaders,
                                   .name = comm->coll.name};
    c->gift = (struct mpu_gift){c->kind, given, c->bytes, terms(c)};
    mpu_hall_arrive(h, c->p->rank, &c->gift, &c->seen);
    c->ready = leads(c) ? full : released;
    return mpi_coll_phase(c);
}

/* Does what another rank of the cluster gave fit to this call? A result of no kind is none. */
static bool fits(struct mpi_coll *c, const struct mpu_gift *g)
{
    if (g->kind && g->kind != c->kind)
        mpi_coll_fail(c, MPI_ERR_OTHER);
    else if (g->bytes != c->bytes)
        mpi_coll_fail(c, g->bytes > c->bytes ? MPI_ERR_TRUNCATE : MPI_ERR_COUNT);
    else if (!g->kind)
        mpi_coll_fail(c, MPI_ERR_OTHER);
    return g->kind == c->kind && g->bytes == c->bytes;
}

/* The leader looks at what came, for then all can be told. Who is right is not known: if the ranks
 * disagree nobody has a result. */
static void inspect(struct mpi_coll *c)
{
    const struct mpu_hall *h = hall(c);
    for (int i = 1; i < h->members; i++)
        if (fits(c, h->given[i]) && h->given[i]->terms != c->gift.terms)
            mpi_coll_fail(c, MPI_ERR_OTHER);
}

/* What is in the hall's place for the next result is the result. */
static void release(struct mpi_coll *c)
{
    mpu_hall_release(hall(c), c->error ? NULL : c->kind, c->bytes);
}

/* The result, NULL if it is none of this call; noted as an error then. */
static const void *result(struct mpi_coll *c)
{
    const struct mpu_gift *g = mpu_hall_result(hall(c), c->seen);
    return fits(c, g) ? g->at : NULL;
}

int mpi_coll_arrive_again(struct mpi_coll *c)
{
    mpu_hall_arrive(hall(c), c->p->rank, NULL, &c->seen);
    c->ready = leads(c) ? full : released;
    return mpi_coll_phase(c);
}

/* The leader tells all what operation it is; nothing if they called different ones. */
bool mpi_coll_met(struct mpi_coll *c)
{
    struct mpu_hall *h = hall(c);
    const void *kind = c->kind;
    if (leads(c)) {
        for (int i = 1; i < h->members; i++)
            kind = h->given[i]->kind == c->kind ? kind : NULL;
        mpu_hall_release(h, kind, c->bytes);
    } else {
        kind = mpu_hall_result(h, c->seen)->kind;
    }
    if (kind != c->kind)
        mpi_coll_fail(c, MPI_ERR_OTHER);
    return kind == c->kind;
}

static int barrier(struct mpi_coll *c, int k)
{
    if (c->phase == 0)
        return mpi_coll_arrive(c, NULL);
    if (leads(c)) {
        if (k == 0)
            inspect(c);
        int rc = mpi_coll_disseminate(c, &c->leaders, k);
        if (rc != MPI_COLL_DONE)
            return rc;
        release(c);
    }
    result(c);
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_barrier_hall = {.name = "barrier-hall",
                                                         .counter = "coll.barrier-hall",
                                                         .applies = mpi_coll_in_halls,
                                                         .round = barrier};

struct meeting {
    struct mpu_hall *hall;
    const struct mpu_rank *rank;
    unsigned int seen;
};

static bool all_there(void *arg)
{
    return mpu_hall_full(((struct meeting *)arg)->hall);
}

static bool let_go(void *arg)
{
    const struct meeting *m = arg;
    return mpu_hall_released(m->hall, m->rank, m->seen);
}

/* Rank 0 lets the others go; it tells nothing if they called different operations. */
static const void *meet(struct meeting *m, struct mpu_rank *r, const struct mpu_gift *mine)
{
    struct mpu_hall *h = m->hall;
    mpu_hall_arrive(h, r, mine, &m->seen);
    if (mpu_hall_index(h, r)) {
        mpu_until(r, let_go, m);
        return mpu_hall_result(h, m->seen)->kind;
    }
    mpu_until(r, all_there, m);
    const void *kind = mine->kind;
    for (int i = 1; i < h->members; i++)
        kind = h->given[i] == mine || h->given[i]->kind == mine->kind ? kind : NULL;
    mpu_hall_release(h, kind, 0);
    return kind;
}

bool mpi_coll_barrier_now(struct mpi_process *p, struct mpi_comm *c, int *rc)
{
    static const struct mpu_gift mine = {.kind = &mpi_coll_barrier};
    if (c->clusters != 1 || !c->hall || p->algorithm[MPI_CHOICE_BARRIER] || mpu_traced(p->rank))
        return false;
    struct meeting m = {.hall = c->hall, .rank = p->rank};
    c->collectives++;
    if (c->group.rank == 0)
        mpu_count(mpi_coll_barrier_hall.counter, 1);
    mpu_doing(p->rank, &(struct mpu_doing){"MPI_Barrier", c->coll.name, MPU_ANY, MPU_ANY, 0});
    bool alike = meet(&m, p->rank, &mine) == mine.kind;
    mpu_doing(p->rank, &(struct mpu_doing){0});
    *rc = alike ? MPI_SUCCESS
                : mpi_error(c, MPI_ERR_OTHER, "MPI_Barrier",
                            "%s: ranks called different operations", mpi_coll_barrier_hall.name);
    return true;
}

static struct mpi_data whole(const struct mpi_coll *c)
{
    return (struct mpi_data){c->recv.buf, c->recv.count, c->recv.type};
}

/* The root gives the packed bytes. */
static int bcast_begin(struct mpi_coll *c)
{
    if (c->role != MPI_ROLE_ROOT)
        return mpi_coll_arrive(c, NULL);
    uint8_t *packed = mpi_coll_temp(c, c->bytes);
    if (!packed)
        return -B_ENOMEM;
    mpi_coll_pack(whole(c), packed);
    return mpi_coll_arrive(c, packed);
}

static int root_index(const struct mpu_hall *h, const struct mpi_coll *c)
{
    int index = 0;
    for (int i = 0; i < c->root; i++)
        index += h->leads[i] == h->cluster;
    return index;
}

static int bcast_leader(struct mpi_coll *c, int k)
{
    struct mpu_hall *h = hall(c);
    int root = h->leads[c->root];
    if (k == 0) {
        c->acc = mpu_hall_next_result(h);
        inspect(c);
    }
    if (k == 0 && root == h->cluster && !c->error && c->bytes)
        memcpy(c->acc, h->given[root_index(h, c)]->at, c->bytes);
    return mpi_coll_tree_down(c, &c->leaders, root, k, mpi_coll_bytes(c->acc, c->bytes));
}

static int bcast(struct mpi_coll *c, int k)
{
    if (c->phase == 0)
        return bcast_begin(c);
    if (leads(c)) {
        int rc = bcast_leader(c, k);
        if (rc != MPI_COLL_DONE)
            return rc;
        release(c);
    }
    const void *bytes = result(c);
    if (bytes && c->role != MPI_ROLE_ROOT)
        mpi_coll_unpack(bytes, whole(c));
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_bcast_hall = {.name = "bcast-hall",
                                                       .counter = "coll.bcast-hall",
                                                       .applies = mpi_coll_in_halls,
                                                       .round = bcast};

/* The leader reduces what its cluster gave, in rank order, in the place of the result. */
static int combine(struct mpi_coll *c)
{
    struct mpu_hall *h = hall(c);
    const struct mpi_side *s = c->recv.type ? &c->recv : &c->send;
    uint8_t *sum = mpu_hall_next_result(h);
    inspect(c);
    int last = c->error ? 0 : h->members - 1; /* after an error what is the leader's must do */
    if (c->bytes)
        memcpy(sum, h->given[last]->at, c->bytes);
    for (int i = last - 1; i >= 0; i--)
        mpi_op_apply(c->op, s->type, h->given[i]->at, sum, s->count);
    return mpi_coll_vectors(c, s->type, s->count, sum, sum);
}

static int reduce_up(struct mpi_coll *c, int root, int k)
{
    int rc = k ? 0 : combine(c);
    if (!rc)
        rc = mpi_coll_reduce_tree(c, &c->leaders, root, k);
    if (rc == MPI_COLL_DONE)
        mpi_coll_home(c);
    return rc;
}

static const void *contribution(const struct mpi_coll *c)
{
    return c->send.type ? c->send.buf : c->recv.buf;
}

static void take(struct mpi_coll *c)
{
    const void *bytes = result(c);
    if (bytes && c->bytes)
        memcpy(c->recv.buf, bytes, c->bytes);
}

/* Everyone stays until the release, as its contribution must; the root finds the result there. */
static int reduce(struct mpi_coll *c, int k)
{
    if (c->phase == 0)
        return mpi_coll_arrive(c, contribution(c));
    if (leads(c)) {
        int rc = reduce_up(c, hall(c)->leads[c->root], k);
        if (rc != MPI_COLL_DONE)
            return rc;
        release(c);
    }
    if (c->role == MPI_ROLE_ROOT)
        take(c);
    else
        result(c);
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_reduce_hall = {
    .name = "reduce-hall", .counter = "coll.reduce-hall", .applies = reduces, .round = reduce};

static int allreduce(struct mpi_coll *c, int k)
{
    if (c->phase == 0)
        return mpi_coll_arrive(c, contribution(c));
    if (c->phase == 1 && leads(c)) {
        int rc = reduce_up(c, 0, k);
        return rc == MPI_COLL_DONE ? mpi_coll_phase(c) : rc;
    }
    if (leads(c)) {
        int rc = mpi_coll_tree_down(c, &c->leaders, 0, k, mpi_coll_bytes(c->home, c->bytes));
        if (rc != MPI_COLL_DONE)
            return rc;
        release(c);
    }
    take(c);
    return MPI_COLL_DONE;
}

const struct mpi_coll_algorithm mpi_coll_allreduce_hall = {.name = "allreduce-hall",
                                                           .counter = "coll.allreduce-hall",
                                                           .applies = reduces,
                                                           .round = allreduce};
