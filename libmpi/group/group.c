/* SPDX-License-Identifier: MIT */
#include <base/error.h>

#include "core/err.h"
#include "group/group.h"

struct mpi_ranks *mpi_ranks_new(struct mpi_process *p, int n)
{
    struct mpi_ranks *r = mpi_alloc(p, sizeof *r + (size_t)n * sizeof r->world[0]);
    if (r)
        atomic_init(&r->refs, 1);
    return r;
}

void mpi_ranks_drop(struct mpi_process *p, struct mpi_ranks *ranks)
{
    if (ranks && atomic_fetch_sub(&ranks->refs, 1) == 1)
        mpi_free(p, ranks);
}

int mpi_group_find(const struct mpi_group *g, int world)
{
    if (!g->world)
        return world < g->size ? world : MPI_UNDEFINED;
    for (int i = 0; i < g->size; i++)
        if (g->world[i] == world)
            return i;
    return MPI_UNDEFINED;
}

struct mpi_group mpi_group_part(struct mpi_process *p, struct mpi_ranks *ranks, int first, int n)
{
    struct mpi_group g = {
        .magic = MPI_IS_GROUP, .size = n, .world = ranks->world + first, .ranks = ranks};
    g.rank = mpi_group_find(&g, mpu_rank_number(p->rank));
    return g;
}

struct mpi_group mpi_group_of(struct mpi_process *p, struct mpi_ranks *ranks, int n)
{
    return mpi_group_part(p, ranks, 0, n);
}

struct mpi_group mpi_group_share(const struct mpi_group *g)
{
    if (g->ranks)
        atomic_fetch_add(&g->ranks->refs, 1);
    return *g;
}

void mpi_group_drop(struct mpi_process *p, struct mpi_group *g)
{
    mpi_ranks_drop(p, g->ranks);
    *g = (struct mpi_group){.magic = MPI_DEAD};
}

int mpi_group_handle(struct mpi_process *p, const char *call, struct mpi_group g, MPI_Group *handle)
{
    if (g.size == 0) {
        mpi_group_drop(p, &g);
        *handle = MPI_GROUP_EMPTY;
        return MPI_SUCCESS;
    }
    struct mpi_group *object = mpi_alloc(p, sizeof *object);
    if (!object) {
        mpi_group_drop(p, &g);
        return mpi_error_below(NULL, -B_ENOMEM, call);
    }
    *object = g;
    *handle = (MPI_Group)object;
    return MPI_SUCCESS;
}

int *mpi_group_index(struct mpi_process *p, const struct mpi_group *g)
{
    int n = mpu_ranks(p->rank);
    int *index = mpi_alloc(p, (size_t)n * sizeof *index);
    if (!index)
        return NULL;
    for (int i = 0; i < n; i++)
        index[i] = MPI_UNDEFINED;
    for (int i = 0; i < g->size; i++)
        index[mpi_group_world(g, i)] = i;
    return index;
}

int mpi_group_relation(const struct mpi_group *a, const struct mpi_group *b)
{
    if (a->size != b->size)
        return MPI_UNEQUAL;
    int relation = MPI_IDENT;
    for (int i = 0; i < a->size; i++) {
        int world = mpi_group_world(a, i);
        if (world == mpi_group_world(b, i))
            continue;
        if (mpi_group_find(b, world) == MPI_UNDEFINED)
            return MPI_UNEQUAL;
        relation = MPI_SIMILAR;
    }
    return relation;
}

int mpi_group_join(struct mpi_process *p, const struct mpi_group *a, const struct mpi_group *b,
                   struct mpi_group *both)
{
    struct mpi_ranks *ranks = mpi_ranks_new(p, a->size + b->size);
    int *index = mpi_group_index(p, a), n = 0;
    if (!ranks || !index) {
        mpi_free(p, ranks);
        mpi_free(p, index);
        return -B_ENOMEM;
    }
    while (n < a->size) {
        ranks->world[n] = mpi_group_world(a, n);
        n++;
    }
    for (int i = 0; i < b->size; i++)
        if (index[mpi_group_world(b, i)] == MPI_UNDEFINED)
            ranks->world[n++] = mpi_group_world(b, i);
    mpi_free(p, index);
    *both = mpi_group_of(p, ranks, n);
    both->session = a->session ? a->session : b->session;
    return 0;
}

int mpi_group_pick(struct mpi_process *p, const struct mpi_group *g, int n, const int *ranks,
                   struct mpi_group *picked)
{
    struct mpi_ranks *list = mpi_ranks_new(p, n);
    if (!list)
        return -B_ENOMEM;
    for (int i = 0; i < n; i++)
        list->world[i] = mpi_group_world(g, ranks[i]);
    *picked = mpi_group_of(p, list, n);
    picked->session = g->session;
    return 0;
}

int mpi_group_filter(struct mpi_process *p, const struct mpi_group *g, const uint8_t *keep,
                     bool wanted, struct mpi_group *filtered)
{
    int n = 0;
    for (int i = 0; i < g->size; i++)
        n += (keep[i] != 0) == wanted;
    struct mpi_ranks *list = mpi_ranks_new(p, n);
    if (!list)
        return -B_ENOMEM;
    n = 0;
    for (int i = 0; i < g->size; i++)
        if ((keep[i] != 0) == wanted)
            list->world[n++] = mpi_group_world(g, i);
    *filtered = mpi_group_of(p, list, n);
    filtered->session = g->session;
    return 0;
}
