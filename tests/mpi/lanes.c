/* SPDX-License-Identifier: MIT */
/* Messages between cores keep their order whichever way each of them takes: in a line of the lane,
 * as a cell or a waiting send that a line names, or, when the lane is full, through the inbox. All
 * sizes about the limits of these ways are mixed, and more messages come unexpected than there are
 * lines and cells for them. */
#include <string.h>

#include "check.h"

#define LONGEST 230

static int size_of(int n)
{
    return n * 37 % (n % 4 ? 49 : LONGEST + 1); /* most of them fit into a line */
}

/* All of them to the right before any is received from the left. */
static void unexpected(int rank, int size, int messages)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, last = 0, token;
    unsigned char *out = malloc((size_t)messages * LONGEST), in[LONGEST];
    MPI_Request *q = malloc(((size_t)messages + 1) * sizeof *q);
    CHECK(out && q);
    for (int n = 0; n < messages; n++) {
        fill(out + n * LONGEST, size_of(n), rank, n);
        MPI_Isend(out + n * LONGEST, size_of(n), MPI_BYTE, right, 1, MPI_COMM_WORLD, &q[n]);
    }
    MPI_Isend(&last, 1, MPI_INT, right, 2, MPI_COMM_WORLD, &q[messages]);
    MPI_Recv(&token, 1, MPI_INT, left, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int n = 0; n < messages; n++) {
        MPI_Status s;
        int count;
        MPI_Recv(in, LONGEST, MPI_BYTE, left, n % 3 ? 1 : MPI_ANY_TAG, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_BYTE, &count);
        CHECK_EQ(count, size_of(n));
        check_filled(in, count, left, n);
    }
    MPI_Waitall(messages + 1, q, MPI_STATUSES_IGNORE);
    free(out), free(q);
}

/* All to rank 0 at once, which asks for anybody's. */
static void converging(int rank, int size, int messages)
{
    unsigned char data[LONGEST];
    int *next = calloc((size_t)size, sizeof *next);
    CHECK(next);
    for (int n = 0; rank != 0 && n < messages; n++) {
        fill(data, size_of(n), rank, n);
        MPI_Send(data, size_of(n), MPI_BYTE, 0, 3, MPI_COMM_WORLD);
    }
    for (int i = 0; rank == 0 && i < messages * (size - 1); i++) {
        MPI_Status s;
        int count;
        MPI_Recv(data, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &s);
        MPI_Get_count(&s, MPI_BYTE, &count);
        int n = next[s.MPI_SOURCE]++;
        CHECK_EQ(count, size_of(n));
        check_filled(data, count, s.MPI_SOURCE, n);
    }
    free(next);
}

/* A token goes round; all but one rank wait, and cores fall asleep if they do so at once. */
static void round_trips(int rank, int size, int trips)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size;
    for (int i = 0; i < trips; i++) {
        int token = i;
        if (rank == 0)
            MPI_Send(&token, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
        MPI_Recv(&token, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_EQ(token, i);
        if (rank != 0)
            MPI_Send(&token, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
    }
}

/* A message of several lines for a receive that has room for `room` bytes, posted before it comes
 * or afterwards. */
static void truncated(int rank, int size, int room, int posted)
{
    int right = (rank + 1) % size, left = (rank + size - 1) % size, class = MPI_SUCCESS;
    unsigned char out[150], in[150];
    MPI_Request q = MPI_REQUEST_NULL, sent;
    fill(out, sizeof out, rank, room);
    memset(in, 0xee, sizeof in);
    if (posted)
        MPI_Irecv(in, room, MPI_BYTE, left, 5, MPI_COMM_WORLD, &q);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(out, sizeof out, MPI_BYTE, right, 5, MPI_COMM_WORLD, &sent);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!posted)
        MPI_Irecv(in, room, MPI_BYTE, left, 5, MPI_COMM_WORLD, &q);
    MPI_Error_class(MPI_Wait(&q, MPI_STATUS_IGNORE), &class);
    CHECK_EQ(class, MPI_ERR_TRUNCATE);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    check_filled(in, room, left, room);
    for (size_t i = (size_t)room; i < sizeof in; i++)
        CHECK_EQ(in[i], 0xee);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int messages = argc > 1 ? atoi(argv[1]) : 1000;
    unexpected(world_rank(), world_size(), messages);
    MPI_Barrier(MPI_COMM_WORLD);
    converging(world_rank(), world_size(), messages);
    MPI_Barrier(MPI_COMM_WORLD);
    round_trips(world_rank(), world_size(), messages);
    unexpected(world_rank(), world_size(), messages);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int room = 0; room < 150; room += 21) {
        truncated(world_rank(), world_size(), room, 0);
        truncated(world_rank(), world_size(), room, 1);
    }
    MPI_Finalize();
    return 0;
}
