/* SPDX-License-Identifier: MIT */
/* A rank starts an operation and computes, without a call of MPI. The others, who wait for it, are
 * through before it has computed, by the clock of the machine; else they had to wait for its next
 * call. A loaded machine may be late, but not always: WINS rounds of TRIES must succeed. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "check.h"

enum { BYTES = 1 << 20, NUMBERS = 4096, TRIES = 40, WINS = 3 };
#define COMPUTES 0.15 /* seconds */

static int rank, ranks;
static char *buffer;
static double mine[NUMBERS], sum[NUMBERS];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* What the absent rank 0 starts, and what the others do meanwhile; send and receive: rank 1. */
struct kind {
    const char *name;
    void (*start)(MPI_Request *q);
    void (*others)(void);
};

static void start_recv(MPI_Request *q)
{
    MPI_Irecv(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, q);
}

static void start_recv_any(MPI_Request *q)
{
    MPI_Irecv(buffer, BYTES, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, q);
}

static void ssend(void)
{
    if (rank == 1)
        MPI_Ssend(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
}

static void start_send(MPI_Request *q)
{
    MPI_Isend(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD, q);
}

/* Persistent, of data with gaps, given up at once. */
static void start_again(MPI_Request *q)
{
    MPI_Datatype type;
    MPI_Request p;
    MPI_Type_vector(BYTES / 16, 8, 16, MPI_CHAR, &type);
    MPI_Type_commit(&type);
    MPI_Send_init(buffer, 1, type, 1, 0, MPI_COMM_WORLD, &p);
    MPI_Start(&p);
    MPI_Request_free(&p);
    MPI_Type_free(&type);
    *q = MPI_REQUEST_NULL;
}

static void start_buffered(MPI_Request *q)
{
    MPI_Bsend(buffer, BYTES, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    *q = MPI_REQUEST_NULL;
}

static void recv(void)
{
    if (rank == 1)
        MPI_Recv(buffer, BYTES, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void start_reduce(MPI_Request *q)
{
    MPI_Iallreduce(mine, sum, NUMBERS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, q);
}

static void start_barrier(MPI_Request *q)
{
    MPI_Ibarrier(MPI_COMM_WORLD, q);
}

static void reduce(void)
{
    MPI_Request q;
    start_reduce(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void barrier(void)
{
    MPI_Request q;
    start_barrier(&q);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static const struct kind kinds[] = {
    {"MPI_Irecv", start_recv, ssend},        {"MPI_Irecv from any", start_recv_any, ssend},
    {"MPI_Isend", start_send, recv},         {"MPI_Start", start_again, recv},
    {"MPI_Bsend", start_buffered, recv},     {"MPI_Iallreduce", start_reduce, reduce},
    {"MPI_Ibarrier", start_barrier, barrier}};

/* Whether all others were through before rank 0 had computed; the same answer on all ranks. */
static int round_of(const struct kind *k)
{
    MPI_Request q;
    double through, last;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        k->start(&q);
        for (double end = now() + COMPUTES; now() < end;) {
        }
        through = now();
        MPI_Wait(&q, MPI_STATUS_IGNORE);
    } else {
        k->others();
        through = now();
    }
    double other = rank == 0 ? 0 : through;
    MPI_Allreduce(&other, &last, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int good = last < through;
    MPI_Bcast(&good, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return good;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    static char space[BYTES + MPI_BSEND_OVERHEAD];
    buffer = malloc(BYTES);
    memset(buffer, rank, BYTES);
    MPI_Buffer_attach(space, sizeof space);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        int wins = 0;
        for (int n = 0; n < TRIES && wins < WINS; n++)
            wins += round_of(&kinds[i]);
        if (wins < WINS)
            fprintf(stderr, "%s does not go on while its rank computes\n", kinds[i].name);
        CHECK(wins >= WINS);
    }
    void *detached;
    int size;
    MPI_Buffer_detach(&detached, &size);
    free(buffer);
    MPI_Finalize();
    return 0;
}
