/* SPDX-License-Identifier: MIT */
/* In virtual time malloc ends where the memory of the cluster ends, and what is freed, shrunk or
 * left by a rank that ended is there again. Argument: how many KB a cluster has, about; 0: as much
 * as the computer. */
#include <errno.h>
#include <malloc.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK 4096
#define MOST  4096

static int failures;

#define CHECK(c)                                                                                   \
    do {                                                                                           \
        if (!(c)) {                                                                                \
            printf("memory.c:%d: %s\n", __LINE__, #c);                                             \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static void *block[MOST];

/* Takes blocks until there are no more; how many there were. */
static int fill(void)
{
    int n = 0;
    errno = 0;
    while (n < MOST && (block[n] = malloc(BLOCK))) {
        memset(block[n], 1, malloc_usable_size(block[n]));
        n++;
    }
    CHECK(n < MOST && errno == ENOMEM);
    return n;
}

static void drop(int n)
{
    while (n > 0)
        free(block[--n]);
}

static void check_family(size_t half)
{
    void *p = NULL;
    volatile size_t huge = SIZE_MAX / 2;
    CHECK(!calloc(huge, 4) && errno == ENOMEM);
    CHECK((p = calloc(half, 1)) && ((char *)p)[half - 1] == 0);
    CHECK(!malloc(2 * half) && errno == ENOMEM);
    CHECK(!pvalloc(2 * huge) && errno == ENOMEM);
    ((char *)p)[0] = 7;
    void *q = realloc(p, 4 * half);
    CHECK(!q && errno == ENOMEM);
    if (!q)
        q = realloc(p, 100);
    CHECK(q && ((char *)q)[0] == 7);
    p = q;
    CHECK(posix_memalign(&q, 1024, half) == 0 && (uintptr_t)q % 1024 == 0);
    CHECK(!aligned_alloc(64, 2 * half) && errno == ENOMEM);
    errno = 5;
    free(q);
    CHECK(errno == 5);
    CHECK((q = memalign(256, half)) && (uintptr_t)q % 256 == 0);
    free(q);
    free(p);
    CHECK(posix_memalign(&q, 3, 8) == EINVAL);
}

int main(int argc, char **argv)
{
    size_t room = argc > 1 ? (size_t)atoi(argv[1]) * 1024 : 0;
    MPI_Init(&argc, &argv);
    int rank, others;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &others);
    if (room == 0) {
        void *large = malloc((size_t)64 << 20);
        CHECK(large != NULL);
        if (large) { /* so MPI finds as much, too */
            void *pages;
            CHECK(MPI_Alloc_mem(8 << 20, MPI_INFO_NULL, &pages) == MPI_SUCCESS);
            MPI_Free_mem(pages);
        }
        free(large);
    } else if (rank == 0) {
        int first = fill();
        CHECK((size_t)first * BLOCK <= room);
        drop(first);
        check_family((size_t)first * BLOCK * 6 / 10);
        CHECK(fill() == first); /* nothing was lost */
        drop(first);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (room != 0 && rank == 1)
        CHECK(fill() > 0); /* left to the end of the rank */
    int all;
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    bool looks = room != 0 && rank == 0 && others > 1;
    CHECK(!looks || !malloc(64 * 1024));
    MPI_Finalize();
    if (!looks)
        return all != 0;
    int again = 0;
    for (int i = 0; i < 60 && again <= 8; i++) { /* the other rank ends some time */
        sleep(1);
        again = fill();
        drop(again);
    }
    CHECK(again > 8);
    return failures != 0;
}
