/* SPDX-License-Identifier: MIT */
/* Shared memory between clusters that share none: a region by name, kept coherent page by page.
 *
 * One rank of each cluster takes part. All add to one counter in a shared region; a semaphore of
 * the machine lets one in at a time, and what it reads is what the one before it wrote.
 *
 *     mpiexec -n 4 --services ./shared
 *     mpiexec -n 16 --machine mppa256 --map scatter --services ./shared */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include <svc/client.h>
#include <svc/semaphore.h>
#include <svc/shm.h>

enum { TIMES = 5, LINES = 4 };

static int checked(const char *what, int result)
{
    if (result < 0) {
        fprintf(stderr, "shared: %s answered %d\n", what, result);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return result;
}

static void add(struct svc_client *c, struct svc_shm *s, const struct svc_shm_region *g, int turn)
{
    uint64_t counter;
    checked("wait", svc_sem_wait(c, turn));
    checked("read", svc_shm_read(s, g, 0, &counter, sizeof counter));
    counter++;
    checked("write", svc_shm_write(s, g, 0, &counter, sizeof counter));
    checked("post", svc_sem_post(c, turn));
}

/* What the counter is after all have added to it. */
static uint64_t count(struct svc_client *c, struct svc_shm *s, MPI_Comm leaders)
{
    unsigned mode = SVC_SHM_OTHERS_READ | SVC_SHM_OTHERS_WRITE;
    struct svc_shm_region g;
    uint64_t counter;
    checked("open",
            svc_shm_open(c, "counter of the example", SVC_SHM_CREATE, sizeof counter, mode, &g));
    int turn = checked("sem_open", svc_sem_open(c, "turn of the example", SVC_SEM_CREATE, 1));
    for (int i = 0; i < TIMES; i++)
        add(c, s, &g, turn);
    MPI_Barrier(leaders);
    checked("read", svc_shm_read(s, &g, 0, &counter, sizeof counter));
    MPI_Barrier(leaders);
    checked("sem_close", svc_sem_close(c, turn));
    checked("close", svc_shm_close(s, c, &g));
    return counter;
}

int main(int argc, char **argv)
{
    int rank, size, beside;
    MPI_Comm cluster, leaders;
    MPI_Info part;
    MPI_Init(&argc, &argv);
    MPI_Info_create(&part);
    MPI_Info_set(part, "mpi_hw_resource_type", "lwmpi://cluster");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_HW_GUIDED, 0, part, &cluster);
    MPI_Info_free(&part);
    MPI_Comm_rank(cluster, &beside);
    MPI_Comm_split(MPI_COMM_WORLD, beside == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
    uint64_t counter = 0;
    if (leaders != MPI_COMM_NULL) {
        struct svc_client c;
        struct svc_shm shared;
        MPI_Comm_rank(leaders, &rank);
        MPI_Comm_size(leaders, &size);
        checked("client", svc_client_open(&c));
        checked("start", svc_shm_start(&shared, &c, &(struct svc_rmem_attr){.lines = LINES}));
        counter = count(&c, &shared, leaders);
        checked("stop", svc_shm_stop(&shared, &c));
        svc_client_close(&c);
        if (rank == 0)
            printf("%d clusters added %d each: %d\n", size, TIMES, (int)counter);
        counter -= (uint64_t)size * TIMES;
        MPI_Comm_free(&leaders);
    }
    MPI_Comm_free(&cluster);
    MPI_Finalize();
    return counter != 0;
}
