/* SPDX-License-Identifier: MIT */
/* mixed FIRST COUNT: collectives, blocking and not, and new communicators in an order that a number
 * says, in which ranks are late by more than it takes to ask why. On ranks of its choice a
 * nonblocking one is begun after the blocking one beside it, as programs do. Nobody is told that
 * ranks disagree, and all results are right. */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "check.h"

#define LATE 350 /* ms */
#define MOST 16  /* ranks */

static uint64_t state;

/* The same on all ranks. */
static int random_below(int n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)((state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % (uint64_t)n);
}

/* Of one rank, by chance; all ranks call it. */
static void be_late(void)
{
    int who = random_below(4 * world_size()), ms = LATE + random_below(LATE);
    if (who == world_rank())
        nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

struct later {
    MPI_Request q;
    int in[MOST], out[MOST], kind, root;
};

enum { KINDS = 4 };

static void begin(struct later *l, MPI_Comm on)
{
    int me = world_rank();
    for (int i = 0; i < world_size(); i++)
        l->in[i] = me * 100 + i;
    switch (l->kind) {
    case 0:
        MPI_Ibarrier(on, &l->q);
        break;
    case 1:
        MPI_Ibcast(l->in, 1, MPI_INT, l->root, on, &l->q);
        break;
    case 2:
        MPI_Iallreduce(l->in, l->out, 1, MPI_INT, MPI_SUM, on, &l->q);
        break;
    default:
        MPI_Ialltoall(l->in, 1, MPI_INT, l->out, 1, MPI_INT, on, &l->q);
    }
}

static void check(const struct later *l)
{
    int n = world_size(), me = world_rank();
    if (l->kind == 1)
        CHECK_EQ(l->in[0], l->root * 100);
    if (l->kind == 2)
        CHECK_EQ(l->out[0], n * (n - 1) / 2 * 100);
    for (int i = 0; i < n && l->kind == 3; i++)
        CHECK_EQ(l->out[i], i * 100 + me);
}

static void blocking(int kind, int root, MPI_Comm on)
{
    int value = world_rank() + 1, sum = 0, n = world_size();
    MPI_Comm made;
    switch (kind) {
    case 0:
        MPI_Barrier(on);
        break;
    case 1:
        MPI_Bcast(&value, 1, MPI_INT, root, on);
        CHECK_EQ(value, root + 1);
        break;
    case 2:
        MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, on);
        CHECK_EQ(sum, n * (n + 1) / 2);
        break;
    case 3:
        MPI_Comm_dup(on, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
        break;
    default:
        MPI_Comm_split(on, world_rank() % 2, 0, &made);
        MPI_Barrier(made);
        MPI_Comm_free(&made);
    }
}

static void finish(struct later *l, int how)
{
    int flag = 0;
    MPI_Status s;
    if (how == 0)
        MPI_Wait(&l->q, MPI_STATUS_IGNORE);
    else if (how == 1)
        MPI_Waitany(1, &l->q, &flag, &s);
    else
        while (!flag)
            MPI_Test(&l->q, &flag, &s);
    check(l);
}

static void step(MPI_Comm on)
{
    struct later l = {.kind = random_below(KINDS), .root = random_below(world_size())};
    int kind = random_below(5), root = random_below(world_size()), how = random_below(3);
    int turned = random_below(1 << world_size()), mine = turned >> world_rank() & 1;
    be_late();
    if (!mine)
        begin(&l, on);
    be_late();
    blocking(kind, root, on);
    be_late();
    if (mine)
        begin(&l, on);
    be_late();
    finish(&l, how);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int first = argc > 1 ? atoi(argv[1]) : 1, n = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = first; i < first + n; i++) {
        state = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        step(MPI_COMM_WORLD);
    }
    be_late();
    MPI_Finalize();
    return 0;
}
