/* SPDX-License-Identifier: MIT */
/* Messages of one sender with one tag do not overtake each other, whatever protocols they take.
 * Each rank sends to its right neighbour and to the one half a world away. */
#include "check.h"
#include "sizes.h"

#define MESSAGES 60

static int size_of(int n)
{
    return sizes[(n * 5) % SIZES] % 5000;
}

static void send_to(unsigned char *buf, int rank, int peer)
{
    for (int n = 0; n < MESSAGES; n++) {
        fill(buf, size_of(n), rank, n);
        MPI_Send(buf, size_of(n), MPI_BYTE, peer, 5, MPI_COMM_WORLD);
    }
}

static void receive_from(unsigned char *buf, int peer, int source)
{
    for (int n = 0; n < MESSAGES; n++) {
        MPI_Status s;
        int count;
        MPI_Recv(buf, 5000, MPI_BYTE, source, n % 2 ? MPI_ANY_TAG : 5, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_BYTE, &count);
        CHECK_EQ(s.MPI_SOURCE, peer);
        CHECK_EQ(count, size_of(n));
        check_filled(buf, count, peer, n);
    }
}

static void ring(unsigned char *buf, int rank, int size, int distance)
{
    int right = (rank + distance) % size, left = (rank + size - distance) % size;
    if (rank / distance % 2 == 0) {
        send_to(buf, rank, right);
        receive_from(buf, left, left);
    } else {
        receive_from(buf, left, MPI_ANY_SOURCE);
        send_to(buf, rank, right);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    unsigned char *buf = malloc(5000); /* ranks may share their process */
    if (size % 2 == 0) {
        ring(buf, rank, size, 1);
        ring(buf, rank, size, size / 2);
    }
    free(buf);
    MPI_Finalize();
    return 0;
}
