/* SPDX-License-Identifier: MIT */
/* What a program can ask of the system beside MPI: names and semaphores of the machine.
 *
 * Each rank gives itself a name, and learns from the name service in which cluster its right
 * neighbour lives. Then all want a desk at which only two have place: a named semaphore with two
 * units. Rank 0 checks that there were never three.
 *
 *     mpiexec -n 8 --services ./services           # this computer
 *     mpiexec -n 8 --machine mppa256 ./services    # virtual time: services are always there */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <svc/client.h>
#include <svc/name.h>
#include <svc/semaphore.h>

enum { DESKS = 2, TIMES = 3 };

static int checked(const char *what, int result)
{
    if (result < 0) {
        fprintf(stderr, "services: %s answered %d\n", what, result);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return result;
}

/* The name of a rank; a port of its own makes the address one. */
static void name_of(int rank, char name[32])
{
    snprintf(name, 32, "rank %d of the example", rank);
}

static int find_neighbour(struct svc_client *c, int rank, int size)
{
    char name[32];
    struct svc_address at;
    name_of(rank, name);
    checked("link", svc_name_link(c, name, c->port, SVC_NO_LIMIT));
    MPI_Barrier(MPI_COMM_WORLD); /* now all names are there */
    name_of((rank + 1) % size, name);
    checked("lookup", svc_name_lookup(c, name, &at));
    return at.node;
}

/* Sits at a desk, TIMES times, and asks meanwhile how many are free; when it came and went. */
static void work(struct svc_client *c, double (*at_desk)[2])
{
    int value,
        desks = checked("open", svc_sem_open(c, "desks of the example", SVC_SEM_CREATE, DESKS));
    for (int i = 0; i < TIMES; i++) {
        checked("wait", svc_sem_wait(c, desks));
        at_desk[i][0] = MPI_Wtime();
        checked("value", svc_sem_value(c, desks, &value));
        at_desk[i][1] = MPI_Wtime();
        checked("post", svc_sem_post(c, desks));
    }
    checked("close", svc_sem_close(c, desks));
}

/* The most that were at a desk together; each of the n intervals is one visit. */
static int crowd(double (*visit)[2], int n)
{
    int most = 0;
    for (int i = 0; i < n; i++) {
        int together = 0; /* at the moment when i came */
        for (int j = 0; j < n; j++)
            together += visit[j][0] <= visit[i][0] && visit[i][0] < visit[j][1];
        most = together > most ? together : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    int rank, size;
    double mine[TIMES][2], (*all)[2] = NULL;
    struct svc_client c;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    checked("client", svc_client_open(&c));
    printf("rank %d: the one after me is in cluster %d\n", rank, find_neighbour(&c, rank, size));

    work(&c, mine);
    if (rank == 0)
        all = malloc((size_t)size * sizeof mine);
    MPI_Gather(mine, 2 * TIMES, MPI_DOUBLE, all, 2 * TIMES, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    int most = rank == 0 ? crowd(all, size * TIMES) : 0;
    if (rank == 0)
        printf("%d visits, at most %d at a time\n", size * TIMES, most);
    free(all);
    svc_client_close(&c);
    MPI_Finalize();
    return most > DESKS;
}
