/* SPDX-License-Identifier: MIT */
/* Checks and parts of groups that several functions share. */
#include <base/error.h>

#include "core/check.h"
#include "group/group.h"

int mpi_check_ranks(struct mpi_process *p, const char *call, const struct mpi_group *g, int n,
                    const int *ranks, uint8_t **chosen)
{
    if (n < 0 || (n && !ranks))
        return mpi_error(NULL, MPI_ERR_ARG, call, "n is %d, or ranks is a null pointer", n);
    uint8_t *seen = mpi_alloc(p, (size_t)g->size + 1);
    if (!seen)
        return mpi_error_below(NULL, -B_ENOMEM, call);
    for (int i = 0; i < n; i++) {
        int r = ranks[i];
        bool in = r >= 0 && r < g->size;
        if (in && !seen[r]++)
            continue;
        mpi_free(p, seen);
        return mpi_error(NULL, MPI_ERR_RANK, call, "rank %d %s", r,
                         in ? "comes twice" : "is not in the group");
    }
    *chosen = seen;
    return MPI_SUCCESS;
}

/* How many ranks a range has, -1 if it is none of the group. */
static int length(const struct mpi_group *g, const int range[3])
{
    int64_t first = range[0], last = range[1], step = range[2];
    if (step == 0 || first < 0 || first >= g->size)
        return -1;
    if (step > 0 ? first > last : first < last)
        return 0;
    int64_t n = (last - first) / step;
    int64_t end = first + n * step;
    return end < 0 || end >= g->size ? -1 : (int)n + 1;
}

int mpi_check_ranges(struct mpi_process *p, const char *call, const struct mpi_group *g, int n,
                     int ranges[][3], int **ranks, int *many)
{
    if (n < 0 || (n && !ranges))
        return mpi_error(NULL, MPI_ERR_ARG, call, "n is %d, or ranges is a null pointer", n);
    uint8_t *seen = mpi_alloc(p, (size_t)g->size + 1);
    int *list = mpi_alloc(p, ((size_t)g->size + 1) * sizeof *list), count = 0;
    int rc = seen && list ? MPI_SUCCESS : mpi_error_below(NULL, -B_ENOMEM, call);
    for (int i = 0; i < n && !rc; i++) {
        int k = length(g, ranges[i]);
        if (k < 0)
            rc = mpi_error(NULL, ranges[i][2] ? MPI_ERR_RANK : MPI_ERR_ARG, call,
                           "range %d (%d to %d by %d) is not in the group", i, ranges[i][0],
                           ranges[i][1], ranges[i][2]);
        for (int j = 0; j < k && !rc; j++) {
            int r = ranges[i][0] + j * ranges[i][2];
            if (seen[r]++)
                rc = mpi_error(NULL, MPI_ERR_RANK, call, "rank %d comes twice", r);
            else
                list[count++] = r;
        }
    }
    mpi_free(p, seen);
    *ranks = list;
    *many = count;
    if (rc)
        mpi_free(p, list);
    return rc;
}

int mpi_group_meet(struct mpi_process *p, const char *call, MPI_Group group1, MPI_Group group2,
                   bool in, MPI_Group *newgroup)
{
    struct mpi_group *a, *b, result;
    int rc = mpi_check_group(p, NULL, call, group1, &a);
    if (rc || (rc = mpi_check_group(p, NULL, call, group2, &b)) ||
        (rc = mpi_check_out(NULL, call, newgroup, "newgroup")))
        return rc;
    int *index = mpi_group_index(p, b);
    uint8_t *keep = mpi_alloc(p, (size_t)a->size + 1);
    rc = index && keep ? 0 : -B_ENOMEM;
    for (int i = 0; i < a->size && !rc; i++)
        keep[i] = index[mpi_group_world(a, i)] != MPI_UNDEFINED;
    if (!rc)
        rc = mpi_group_filter(p, a, keep, in, &result);
    mpi_free(p, index);
    mpi_free(p, keep);
    return rc ? mpi_error_below(NULL, rc, call) : mpi_group_handle(p, call, result, newgroup);
}

int mpi_check_subset(struct mpi_comm *c, const char *call, const struct mpi_group *g)
{
    for (int i = 0; i < g->size; i++)
        if (mpi_group_find(&c->group, mpi_group_world(g, i)) == MPI_UNDEFINED)
            return mpi_error(c, MPI_ERR_GROUP, call,
                             "member %d of the group is not in the communicator", i);
    return MPI_SUCCESS;
}
