/* SPDX-License-Identifier: MIT */
/* A team on MPI. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include <mpi.h>

#include "team.h"

const char team_form_name[] = "MPI";

static void find_homes(struct team *t)
{
    MPI_Comm cluster;
    MPI_Info part;
    int home = t->rank;

    t->home = malloc((size_t)t->ranks * sizeof *t->home);
    if (!t->home)
        team_abort(t, 3, "no memory for the list of clusters");
    MPI_Info_create(&part);
    MPI_Info_set(part, "mpi_hw_resource_type", "lwmpi://cluster");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, t->rank, part, &cluster);
    MPI_Info_free(&part);
    /* Another MPI does not know that name: there, those that share memory are a cluster. */
    if (cluster == MPI_COMM_NULL)
        MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, t->rank, MPI_INFO_NULL, &cluster);
    MPI_Bcast(&home, 1, MPI_INT, 0, cluster);
    MPI_Comm_free(&cluster);
    MPI_Allgather(&home, 1, MPI_INT, t->home, 1, MPI_INT, MPI_COMM_WORLD);
}

void team_begin(struct team *t, int *argc, char ***argv)
{
    *t = (struct team){.form = NULL};
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &t->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &t->ranks);
    find_homes(t);
    team_arrange(t);
}

void team_end(struct team *t)
{
    free(t->before);
    free(t->member);
    free(t->home);
    MPI_Finalize();
}

void team_send(struct team *t, int to, const void *from, size_t n)
{
    if (n > INT_MAX)
        team_abort(t, 3, "a message is longer than 2 GB");
    MPI_Send(from, (int)n, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

size_t team_recv(struct team *t, int from, void *to, size_t most)
{
    MPI_Status status;
    int n;

    if (most > INT_MAX)
        team_abort(t, 3, "a message is longer than 2 GB");
    MPI_Recv(to, (int)most, MPI_BYTE, from, 0, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &n);
    return (size_t)n;
}

void team_barrier(struct team *t)
{
    (void)t;
    MPI_Barrier(MPI_COMM_WORLD);
}

double team_time(const struct team *t)
{
    (void)t;
    return MPI_Wtime();
}

void team_work(const struct team *t, double cycles)
{
    (void)t;
#ifdef MPIX_PCONTROL_WORK
    MPI_Pcontrol(MPIX_PCONTROL_WORK, cycles);
#else
    (void)cycles;
#endif
}

void *team_alloc(const struct team *t, size_t n, const char *what)
{
    char why[240];
    void *p = NULL;

    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    if (MPI_Alloc_mem((MPI_Aint)(n ? n : 1), MPI_INFO_NULL, &p) == MPI_SUCCESS)
        return p;
    snprintf(why, sizeof why,
             "the cluster has no memory for %s (%zu bytes); fewer ranks in a cluster "
             "(--map scatter, --ranks-per-cluster) or less data leave more",
             what, n);
    team_abort(t, 3, why);
}

void team_free(const struct team *t, void *p, size_t n)
{
    (void)t, (void)n;
    if (p)
        MPI_Free_mem(p);
}

_Noreturn void team_abort(const struct team *t, int code, const char *why)
{
    fprintf(stderr, "rank %d: %s\n", t->rank, why);
    MPI_Abort(MPI_COMM_WORLD, code);
    abort();
}
