/* SPDX-License-Identifier: MIT */
/* The exchange on MPI: by single messages, `window` of them under way, or by MPI_Alltoall. */
#include <stdlib.h>

#include <mpi.h>

#include "a2a.h"

const bool a2a_has_collective = true;

int a2a_slots_in(const struct a2a *a)
{
    return a->options.collective ? a->team.ranks : a->options.window;
}

int a2a_slots_out(const struct a2a *a)
{
    return a->options.collective ? a->team.ranks : 1;
}

/* A pair of requests, and where what is received goes. */
struct slot {
    MPI_Request both[2];
    unsigned char *in;
};

static void finish(struct a2a *a, struct slot *s)
{
    MPI_Status status[2];
    int n;

    if (s->both[0] == MPI_REQUEST_NULL)
        return;
    MPI_Waitall(2, s->both, status);
    MPI_Get_count(&status[0], MPI_BYTE, &n);
    a2a_take(a, s->in, (size_t)n);
}

/* In round k a rank sends to the rank k after it and receives from the rank k before it, so nobody
 * is asked by all at once. */
static void by_messages(struct a2a *a)
{
    int ranks = a->team.ranks, me = a->team.rank, window = a->options.window;
    struct slot *slot = malloc((size_t)window * sizeof *slot);

    if (!slot)
        team_abort(&a->team, 3, "no memory for requests");
    for (int i = 0; i < window; i++)
        slot[i] = (struct slot){{MPI_REQUEST_NULL, MPI_REQUEST_NULL}, a->in + (size_t)i * a->bytes};
    int at = 0;
    for (int i = 0; i < a->options.messages; i++)
        for (int k = 1; k < ranks; k++, at = (at + 1) % window) {
            struct slot *s = &slot[at];
            finish(a, s);
            MPI_Irecv(s->in, (int)a->bytes, MPI_BYTE, (me + ranks - k) % ranks, 0, MPI_COMM_WORLD,
                      &s->both[0]);
            MPI_Isend(a->out, (int)a->bytes, MPI_BYTE, (me + k) % ranks, 0, MPI_COMM_WORLD,
                      &s->both[1]);
        }
    for (int i = 0; i < window; i++)
        finish(a, &slot[(at + i) % window]);
    free(slot);
}

static void by_collective(struct a2a *a)
{
    for (int i = 0; i < a->options.messages; i++) {
        MPI_Alltoall(a->out, (int)a->bytes, MPI_BYTE, a->in, (int)a->bytes, MPI_BYTE,
                     MPI_COMM_WORLD);
        for (int rank = 0; rank < a->team.ranks; rank++)
            if (rank != a->team.rank)
                a2a_take(a, a->in + (size_t)rank * a->bytes, a->bytes);
    }
}

void a2a_exchange(struct a2a *a)
{
    if (a->options.collective)
        by_collective(a);
    else
        by_messages(a);
}
