/* SPDX-License-Identifier: MIT */
/* Remote memory: what does not fit a cluster lies on the memory servers, in blocks of 4 KB.
 *
 * Rank 0 writes a table that is larger than its cache; then each rank reads it through a cache of
 * its own, from a place of its own on, and checks it.
 *
 *     mpiexec -n 6 --services ./memory
 *     mpiexec -n 6 --machine mppa256 --map scatter --services ./memory */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>

#include <svc/client.h>
#include <svc/rmem.h>

enum { NUMBERS = 20000, PIECE = 1000, LINES = 8 }; /* of 8 bytes; of 4 KB */

static int checked(const char *what, int result)
{
    if (result < 0) {
        fprintf(stderr, "memory: %s answered %d\n", what, result);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return result;
}

static uint64_t number(int i)
{
    return (uint64_t)i * 2654435761u + 7;
}

static void write_table(struct svc_rmem *r, uint64_t at)
{
    uint64_t piece[PIECE];
    for (int i = 0; i < NUMBERS; i += PIECE) {
        for (int k = 0; k < PIECE; k++)
            piece[k] = number(i + k);
        checked("write", svc_rmem_write(r, at + 8 * (uint64_t)i, piece, sizeof piece));
    }
    checked("clean", svc_rmem_clean(r, at, 8 * NUMBERS)); /* now others can see it */
}

/* How many numbers are wrong; begins at piece `first`. */
static int read_table(struct svc_rmem *r, uint64_t at, int first)
{
    int wrong = 0;
    uint64_t piece[PIECE];
    for (int done = 0; done < NUMBERS; done += PIECE) {
        int i = (first * PIECE + done) % NUMBERS;
        checked("read", svc_rmem_read(r, at + 8 * (uint64_t)i, piece, sizeof piece));
        for (int k = 0; k < PIECE; k++)
            wrong += piece[k] != number(i + k);
    }
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size, wrong, all;
    uint64_t at = 0;
    struct svc_client c;
    struct svc_rmem cache;
    struct svc_rmem_stat stat;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    checked("client", svc_client_open(&c));
    checked("cache", svc_rmem_start(&cache, &c, &(struct svc_rmem_attr){.lines = LINES}));
    if (rank == 0) {
        checked("alloc", svc_rmem_alloc(&c, 8 * NUMBERS, SVC_RMEM_SHARED, &at));
        write_table(&cache, at);
    }
    MPI_Bcast(&at, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    wrong = read_table(&cache, at, rank);
    svc_rmem_stat(&cache, &stat);
    printf("rank %d: %d pages of 4 KB looked for, %d fetched\n", rank, (int)stat.gets,
           (int)stat.fetched);
    MPI_Reduce(&wrong, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    checked("stop", svc_rmem_stop(&cache));
    if (rank == 0) {
        checked("free", svc_rmem_free(&c, at, 8 * NUMBERS));
        printf("%d numbers of %d KB read by %d ranks, %d wrong\n", NUMBERS * size,
               8 * NUMBERS / 1024, size, all);
    }
    svc_client_close(&c);
    MPI_Finalize();
    return rank == 0 && all != 0;
}
