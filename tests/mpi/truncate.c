/* SPDX-License-Identifier: MIT */
/* Defect 3 of the ancestor: a receive with too little room hung or cut the message in silence;
 * one with too much room aborted. Here, for every protocol: the receiver gets MPI_ERR_TRUNCATE
 * and the first bytes, the sender ends as usual, and the next messages are whole. The first half
 * of the ranks sends to the second, then back. */
#include <string.h>

#include "check.h"
#include "sizes.h"

#define ROOM (SIZE_MAX_TESTED + 64)

/* Room for `room` bytes where `size` come. */
static void receive(unsigned char *in, int from, int n, int size, int room)
{
    MPI_Status s;
    int count = -1, cut = room < size;
    memset(in, 0, ROOM);
    int rc = MPI_Recv(in, room, MPI_BYTE, from, n, MPI_COMM_WORLD, &s);
    CHECK_EQ(rc, cut ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    CHECK_EQ(s.MPI_SOURCE, from);
    CHECK_EQ(s.MPI_TAG, n);
    MPI_Get_count(&s, MPI_BYTE, &count);
    CHECK_EQ(count, cut ? room : size);
    check_filled(in, count, from, n);
    for (int i = count; i < count + 64; i++)
        CHECK_EQ(in[i], 0);
}

static int room_of(int size, int variant)
{
    int rooms[] = {size - 1, size / 2, 0, size + 1, size + 60, size};
    return rooms[variant] < 0 ? 0 : rooms[variant];
}

#define VARIANTS 6

static void pass(unsigned char *buf, int rank, int peer, int sends)
{
    for (int i = 0; i < SIZES; i++)
        for (int v = 0; v < VARIANTS; v++) {
            int n = i * VARIANTS + v;
            fill(buf, sizes[i], sends ? rank : peer, n);
            if (sends)
                CHECK_EQ(MPI_Send(buf, sizes[i], MPI_BYTE, peer, n, MPI_COMM_WORLD), MPI_SUCCESS);
            else
                receive(buf, peer, n, sizes[i], room_of(sizes[i], v));
        }
}

/* Defect 4 of the ancestor: types that do not match left the sender without an answer. Here they
 * are an error of the receiver, who has the bytes all the same. */
static void mismatch(int peer, int sends)
{
    int words[5] = {1, 2, 3, 4, 5}, count = -1;
    double real[3];
    MPI_Status s;
    if (sends) {
        MPI_Send(words, 5, MPI_INT, peer, 99, MPI_COMM_WORLD);
        return;
    }
    CHECK_EQ(MPI_Recv(real, 3, MPI_DOUBLE, peer, 99, MPI_COMM_WORLD, &s), MPI_ERR_TYPE);
    MPI_Get_count(&s, MPI_DOUBLE, &count);
    CHECK_EQ(count, MPI_UNDEFINED);
    MPI_Get_count(&s, MPI_INT, &count);
    CHECK_EQ(count, 5);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int rank = world_rank(), size = world_size(), half = size / 2;
    int peer = rank < half ? rank + half : rank - half; /* both near and far, by the mapping */
    unsigned char *buf = malloc(ROOM);                  /* ranks may share their process */
    if (rank < 2 * half) {
        pass(buf, rank, peer, rank < half);
        pass(buf, rank, peer, rank >= half);
        mismatch(peer, rank < half);
    }
    free(buf);
    CHECK_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
