/* SPDX-License-Identifier: MIT */
#include <base/mem.h>
#include <mpiutil/machine.h>

#include "comm/comm.h"
#include "comm/pset.h"
#include "info/info.h"

#pragma weak MPI_Comm_split_type = PMPI_Comm_split_type

#define KEY "mpi_hw_resource_type"

enum part { PART_NONE, PART_CLUSTER, PART_NODE, PART_WHOLE };

/* The parts of the machine by the names that MPI_Get_hw_resource_info gives. */
static enum part part_named(const char *name)
{
    static const struct {
        const char *name;
        enum part part;
    } parts[] = {{"mpi_shared_memory", PART_NODE},
                 {"lwmpi://cluster", PART_CLUSTER},
                 {"lwmpi://machine", PART_WHOLE}};
    for (size_t i = 0; name && i < sizeof parts / sizeof parts[0]; i++)
        if (strcmp(name, parts[i].name) == 0)
            return parts[i].part;
    return PART_NONE;
}

/* Ranks share memory in their node, which is a cluster or the whole machine. Unguided is what
 * divides further: the cluster if others are outside. */
static enum part choose(int split_type, const struct mpi_info *i)
{
    if (split_type == MPI_COMM_TYPE_SHARED)
        return PART_NODE;
    if (split_type == MPI_COMM_TYPE_HW_UNGUIDED)
        return PART_CLUSTER;
    return split_type == MPI_UNDEFINED ? PART_NONE : part_named(mpi_info_value(i, KEY));
}

/* Ranks of a set of processes have the number of its first one. */
static int color_of(const struct mpi_process *p, int split_type, const struct mpi_info *i)
{
    const struct mpi_group *set = NULL;
    enum part part = choose(split_type, i);
    if (part == PART_NONE && split_type == MPI_COMM_TYPE_RESOURCE_GUIDED)
        set = mpi_pset(p, mpi_info_value(i, "mpi_pset_name"));
    const int color[] = {[PART_NONE] = set ? mpi_group_world(set, 0) : MPI_UNDEFINED,
                         [PART_CLUSTER] = mpu_rank_cluster(p->rank),
                         [PART_NODE] = mpu_info()->node,
                         [PART_WHOLE] = 0};
    return color[part];
}

static bool known(int split_type)
{
    return split_type == MPI_COMM_TYPE_SHARED || split_type == MPI_COMM_TYPE_HW_GUIDED ||
           split_type == MPI_COMM_TYPE_HW_UNGUIDED || split_type == MPI_COMM_TYPE_RESOURCE_GUIDED ||
           split_type == MPI_UNDEFINED;
}

static bool is_whole(const struct mpi_comm *made, const struct mpi_comm *c)
{
    return made->group.size == c->group.size && made->remote.size == c->remote.size;
}

/* A part that is no smaller than the whole is none for the unguided form. */
static int finish(struct mpi_process *p, int split_type, struct mpi_comm *c, struct mpi_info *i,
                  struct mpi_comm *made, MPI_Comm *newcomm)
{
    if (split_type == MPI_COMM_TYPE_HW_UNGUIDED && is_whole(made, c))
        return mpi_comm_end(p, made);
    if (split_type == MPI_COMM_TYPE_HW_UNGUIDED && i)
        mpi_info_put(p, i, KEY, "lwmpi://cluster");
    *newcomm = mpi_comm_handle(p, made);
    return MPI_SUCCESS;
}

int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm *newcomm)
{
    static const char call[] = "MPI_Comm_split_type";
    static const char *const names[] = MPI_COMM_MADE_BY("MPI_Comm_split_type");
    struct mpi_process *p = mpi_running(call);
    if (!p)
        return MPI_ERR_OTHER;
    struct mpi_comm *c, *made;
    struct mpi_info *i;
    int rc = mpi_check_comm(p, call, comm, &c);
    if (rc || (rc = mpi_check_info(p, c, call, info, true, &i)) ||
        (rc = mpi_check_out(c, call, newcomm, "newcomm")))
        return rc;
    if (!known(split_type))
        return mpi_error(c, MPI_ERR_ARG, call, "%d is no MPI_COMM_TYPE", split_type);
    *newcomm = MPI_COMM_NULL;
    rc = mpi_comm_split(p, call, names, c, true, color_of(p, split_type, i), key, &made);
    return rc || !made ? rc : finish(p, split_type, c, i, made, newcomm);
}
