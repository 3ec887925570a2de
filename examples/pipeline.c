/* SPDX-License-Identifier: MIT */
/* Nonblocking collectives: the histogram of many numbers, block by block. While the counts of one
 * block are being added over all ranks (MPI_Iallreduce), each rank counts its part of the next
 * block. The seed comes by MPI_Ibcast while the memory is made ready, and the ranks leave by
 * MPI_Ibarrier.
 *     mpicc pipeline.c -o pipeline && mpiexec -n 4 ./pipeline 20
 *     mpiexec -n 192 --machine mppa256 ./pipeline
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

enum { BINS = 32, NUMBERS = 1 << 14 /* in a block */ };

/* The i-th number of a block: any function that looks random will do. */
static unsigned int bin_of(uint32_t seed, int block, int i)
{
    uint32_t x = seed ^ (uint32_t)(block * NUMBERS + i) * 2654435761u;
    x = (x ^ x >> 15) * 2246822519u;
    return (x ^ x >> 13) % BINS;
}

/* Counts numbers begin .. end-1 of a block. */
static void count(uint32_t seed, int block, int begin, int end, int bins[BINS])
{
    memset(bins, 0, BINS * sizeof *bins);
    for (int i = begin; i < end; i++)
        bins[bin_of(seed, block, i)]++;
}

/* Two sets of buffers: one is being added while the other one is filled. */
struct half {
    int mine[BINS], sum[BINS];
    MPI_Request q;
};

static void finish(struct half *h, long long total[BINS])
{
    MPI_Wait(&h->q, MPI_STATUS_IGNORE);
    for (int b = 0; b < BINS; b++)
        total[b] += h->sum[b];
}

static int differences(uint32_t seed, int blocks, const long long total[BINS])
{
    long long expected[BINS] = {0};
    int bins[BINS], wrong = 0;
    for (int block = 0; block < blocks; block++) {
        count(seed, block, 0, NUMBERS, bins);
        for (int b = 0; b < BINS; b++)
            expected[b] += bins[b];
    }
    for (int b = 0; b < BINS; b++)
        wrong += expected[b] != total[b];
    return wrong;
}

int main(int argc, char **argv)
{
    int rank, size, wrong;
    uint32_t seed = 0;
    long long total[BINS];
    struct half half[2];
    MPI_Request q;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int blocks = argc > 1 ? atoi(argv[1]) : 10;
    if (rank == 0)
        seed = 20211012;
    MPI_Ibcast(&seed, 1, MPI_UINT32_T, 0, MPI_COMM_WORLD, &q);
    memset(total, 0, sizeof total);
    half[0].q = half[1].q = MPI_REQUEST_NULL;
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    int begin = (int)((long long)NUMBERS * rank / size);
    int end = (int)((long long)NUMBERS * (rank + 1) / size);
    for (int block = 0; block < blocks; block++) {
        struct half *h = &half[block % 2], *other = &half[(block + 1) % 2];
        count(seed, block, begin, end, h->mine);
        MPI_Iallreduce(h->mine, h->sum, BINS, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &h->q);
        if (block > 0)
            finish(other, total);
    }
    if (blocks > 0)
        finish(&half[(blocks - 1) % 2], total);
    wrong = differences(seed, blocks, total);
    if (rank == 0)
        printf("%d blocks of %d numbers on %d ranks: %s; %lld of them in the first of %d bins\n",
               blocks, NUMBERS, size, wrong ? "WRONG" : "as a serial run", total[0], BINS);
    MPI_Ibarrier(MPI_COMM_WORLD, &q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return wrong != 0;
}
