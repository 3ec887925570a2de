/* SPDX-License-Identifier: MIT */
/* On which NUMA nodes the memory lies that processes share: of the share of each rank's core (its
 * ring, its staging buffers, its slab: docs/linux.md) how many pages are on the rank's own node and
 * how many on others, after traffic of all with all. One rank in each process, on linux; ./lwmpi
 * bench topology runs it on a simulated computer. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <mpiutil/channel.h>
#include <sys/k_board.h>
#include <sys/k_info.h>

enum { PAGE = 4096, SHORT = 64, LONG = 16384, ROUNDS = 3 };

struct shares {
    uint8_t *at; /* the first one; NULL: these ranks share no memory between processes */
    size_t bytes;
};

/* Short messages go by rings, longer ones by slabs, long collectives by staging buffers. */
static void traffic(int rank, int ranks)
{
    char *out = calloc((size_t)ranks, LONG), *in = calloc((size_t)ranks, LONG);
    if (!out || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < ROUNDS; i++) {
        for (int to = 0; to < ranks; to++)
            MPI_Bcast(out, LONG, MPI_BYTE, to, MPI_COMM_WORLD);
        MPI_Alltoall(out, SHORT, MPI_BYTE, in, SHORT, MPI_BYTE, MPI_COMM_WORLD);
        MPI_Alltoall(out, LONG, MPI_BYTE, in, LONG, MPI_BYTE, MPI_COMM_WORLD);
        MPI_Allreduce(out, in, LONG, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
        for (int k = 1; k < ranks; k++)
            MPI_Sendrecv(out, LONG, MPI_BYTE, (rank + k) % ranks, 0, in, LONG, MPI_BYTE,
                         (rank + ranks - k) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    free(out);
    free(in);
}

/* As mpiutil/shared/place.h lays them out, by cluster: all of the board that the leaders' meetings
 * leave, in equal parts of whole pages. */
static struct shares shares(void)
{
    struct k_info info;
    struct k_board board;
    k_info(&info);
    if (k_board(&board))
        return (struct shares){0};
    size_t leaders = (mpu_meetings_bytes(info.clusters, info.clusters) + PAGE - 1) / PAGE * PAGE;
    size_t cores = (size_t)info.clusters * (size_t)info.compute_cores;
    return (struct shares){(uint8_t *)board.at + leaders,
                           (board.bytes - leaders) / cores / PAGE * PAGE};
}

/* A page that is in memory, but not mapped here yet, has no node before it is read. */
static void tell(const struct shares *s, int rank, const unsigned int *where)
{
    long own = 0, other = 0;
    for (size_t at = 0; at < s->bytes; at += PAGE) {
        unsigned char there = 0;
        void *page = s->at + (size_t)rank * s->bytes + at;
        int on = -1;
        if (mincore(page, PAGE, &there) || !(there & 1))
            continue;
        (void)*(volatile uint8_t *)page;
        if (syscall(SYS_move_pages, 0, 1, &page, NULL, &on, 0) || on < 0)
            continue;
        own += on == (int)where[1];
        other += on != (int)where[1];
    }
    printf("rank %d: processor %u, node %u: %ld + %ld\n", rank, where[0], where[1], own, other);
}

int main(int argc, char **argv)
{
    int rank, ranks;
    unsigned int here[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    traffic(rank, ranks);
    unsigned int *where = calloc((size_t)ranks, sizeof here);
    getcpu(&here[0], &here[1]);
    MPI_Gather(here, 2, MPI_UNSIGNED, where, 2, MPI_UNSIGNED, 0, MPI_COMM_WORLD);
    const struct shares all = shares();
    if (rank == 0)
        puts(all.at ? "pages of shared memory, on the rank's own node + on others:"
                    : "these ranks share no memory between processes");
    for (int r = 0; rank == 0 && all.at && r < ranks; r++)
        tell(&all, r, &where[2 * r]);
    free(where);
    MPI_Finalize();
    return 0;
}
