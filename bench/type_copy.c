/* SPDX-License-Identifier: MIT */
/* Packing of derived datatypes against memcpy of as many bytes: MPI_Pack of vectors whose blocks
 * are as far apart as they are long. A plain MPI program, started alone. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "median.h"

enum { BYTES = 64 << 10, ROUNDS = 400, BATCHES = 15 };

static char *from, *to;

static void copy(MPI_Datatype type)
{
    int at = 0;
    if (type == MPI_DATATYPE_NULL)
        memcpy(to, from, BYTES);
    else
        MPI_Pack(from, 1, type, to, BYTES, &at, MPI_COMM_SELF);
    __asm__ volatile("" : : : "memory");
}

/* GB/s, the median of batches. */
static double speed(MPI_Datatype type)
{
    double seconds[BATCHES];
    copy(type);
    for (int b = 0; b < BATCHES; b++) {
        double begin = MPI_Wtime();
        for (int i = 0; i < ROUNDS; i++)
            copy(type);
        seconds[b] = (MPI_Wtime() - begin) / ROUNDS;
    }
    return BYTES / bench_median(seconds, BATCHES) * 1e-9;
}

static double vector(int block)
{
    MPI_Datatype type;
    MPI_Type_vector(BYTES / block, block, 2 * block, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    double s = speed(type);
    MPI_Type_free(&type);
    return s;
}

/* An array of {int, double}, of which the padding does not travel. */
static double structures(void)
{
    const int lengths[] = {1, 1};
    const MPI_Aint places[] = {0, 8};
    const MPI_Datatype types[] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype one, many;
    MPI_Type_create_struct(2, lengths, places, types, &one);
    MPI_Type_contiguous(BYTES / 12, one, &many);
    MPI_Type_commit(&many);
    double s = speed(many);
    MPI_Type_free(&one);
    MPI_Type_free(&many);
    return s;
}

/* Blocks of 32 bytes at places without a pattern. */
static double indexed(void)
{
    static int places[BYTES / 32];
    MPI_Datatype type;
    for (int i = 0; i < BYTES / 32; i++)
        places[i] = 64 * (i * 997 % (BYTES / 32));
    MPI_Type_create_indexed_block(BYTES / 32, 32, places, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    double s = speed(type);
    MPI_Type_free(&type);
    return s;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    from = malloc(3 * BYTES);
    to = malloc(BYTES);
    if (!from || !to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    memset(from, 1, 3 * BYTES);
    double raw = speed(MPI_DATATYPE_NULL);
    printf("type copy: memcpy of 64 KB,%.2f,GB/s,\n", raw);
    static const int blocks[] = {4, 8, 64, 100, 1024};
    for (unsigned int i = 0; i < sizeof blocks / sizeof blocks[0]; i++)
        printf("type copy: vector of %d B blocks,%.2f,GB/s,\n", blocks[i], vector(blocks[i]));
    printf("type copy: vector of all 64 KB,%.2f,GB/s,>= %.2f\n", vector(BYTES), 0.9 * raw);
    printf("type copy: indexed 32 B blocks,%.2f,GB/s,\n", indexed());
    printf("type copy: {int; double},%.2f,GB/s,\n", structures());
    free(from);
    free(to);
    MPI_Finalize();
    return 0;
}
