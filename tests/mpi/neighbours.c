/* SPDX-License-Identifier: MIT */
/* Short messages between ranks that wait for each other, where the library has a short way for
 * what is ordinary: every size around its limit, received by who waits and by who does not; and
 * beside them what the short way must leave to the general one: wildcards that were posted before,
 * messages too long or of another type, other communicators. */
#include <stdint.h>
#include <string.h>

#include "check.h"

enum { MOST = 40 };

static int rank, ranks;

/* Rank 0 sends n bytes to each other rank, which answers with as many. */
static void sizes(MPI_Comm comm)
{
    unsigned char out[MOST], in[MOST + 8];
    MPI_Status status;
    int got;
    for (int n = 0; n <= MOST; n++)
        for (int peer = 1; peer < ranks; peer++) {
            int other = rank == 0 ? peer : 0;
            if (rank != 0 && rank != peer)
                continue;
            fill(out, n, rank, n);
            memset(in, 0xee, sizeof in);
            if (rank == 0)
                MPI_Send(out, n, MPI_BYTE, peer, n, comm);
            MPI_Recv(in, MOST, MPI_BYTE, other, n, comm, &status);
            MPI_Get_count(&status, MPI_BYTE, &got);
            CHECK(got == n && status.MPI_SOURCE == other && status.MPI_TAG == n);
            check_filled(in, n, other, n);
            CHECK(in[n] == 0xee && in[n + 1] == 0xee);
            if (rank != 0)
                MPI_Send(out, n, MPI_BYTE, 0, n, comm);
        }
}

/* Two receives fit: the one that was posted first gets the first message, wildcard or not. */
static void orders(MPI_Comm comm)
{
    int a = -1, b = -1;
    MPI_Request any;
    MPI_Status status;
    if (rank == 1) {
        MPI_Irecv(&a, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &any);
        MPI_Recv(&b, 1, MPI_INT, 0, 5, comm, MPI_STATUS_IGNORE);
        MPI_Wait(&any, &status);
        CHECK(a == 10 && b == 11 && status.MPI_SOURCE == 0 && status.MPI_TAG == 5);
        MPI_Irecv(&a, 1, MPI_INT, 0, 6, comm, &any);
        MPI_Recv(&b, 1, MPI_INT, MPI_ANY_SOURCE, 6, comm, &status);
        MPI_Wait(&any, MPI_STATUS_IGNORE);
        CHECK(a == 12 && b == 13 && status.MPI_SOURCE == 0);
    } else if (rank == 0) {
        for (int i = 10; i < 14; i++)
            MPI_Send(&i, 1, MPI_INT, 1, i < 12 ? 5 : 6, comm);
    }
}

/* What the receive has no room for, and what is of another type. */
static void mistakes(MPI_Comm comm)
{
    unsigned char bytes[MOST] = {0};
    int word = 0, class = MPI_SUCCESS, got = -1;
    double number = 1;
    MPI_Status status;
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    for (int n = 1; n <= MOST && rank < 2; n++) {
        fill(bytes, n, 0, n);
        if (rank == 0) {
            MPI_Send(bytes, n, MPI_BYTE, 1, 1, comm);
            MPI_Recv(&word, 0, MPI_INT, 1, 2, comm, MPI_STATUS_IGNORE);
            continue;
        }
        unsigned char in[MOST];
        memset(in, 0xee, sizeof in);
        MPI_Error_class(MPI_Recv(in, n - 1, MPI_BYTE, 0, 1, comm, &status), &class);
        MPI_Get_count(&status, MPI_BYTE, &got);
        CHECK(class == MPI_ERR_TRUNCATE && got == n - 1);
        check_filled(in, n - 1, 0, n);
        CHECK(in[n - 1] == 0xee);
        MPI_Send(&word, 0, MPI_INT, 0, 2, comm);
    }
    if (rank == 0) {
        MPI_Send(&number, 1, MPI_DOUBLE, 1, 3, comm);
        MPI_Recv(&word, 1, MPI_INT, 1, 4, comm, MPI_STATUS_IGNORE);
        CHECK(word == 77);
    } else if (rank == 1) {
        int64_t wrong; /* as long as what comes */
        MPI_Error_class(MPI_Recv(&wrong, 1, MPI_INT64_T, 0, 3, comm, &status), &class);
        CHECK(class == MPI_ERR_TYPE);
        word = 77;
        MPI_Send(&word, 1, MPI_INT, 0, 4, comm);
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
}

/* A token goes round on two communicators in turn, with many receives posted beside. */
static void rounds(MPI_Comm comm)
{
    enum { BESIDE = 20 };
    MPI_Request beside[BESIDE];
    int in[BESIDE], token = 0, left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    for (int i = 0; i < BESIDE; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, left, 100 + i, comm, &beside[i]);
    for (int i = 0; i < 50; i++) {
        MPI_Comm on = i % 2 ? comm : MPI_COMM_WORLD;
        if (rank == 0)
            MPI_Send(&token, 1, MPI_INT, right, 9, on);
        MPI_Recv(&token, 1, MPI_INT, left, 9, on, MPI_STATUS_IGNORE);
        token++;
        if (rank != 0)
            MPI_Send(&token, 1, MPI_INT, right, 9, on);
    }
    CHECK(rank != 0 || token == 50 * ranks);
    for (int i = BESIDE - 1; i >= 0; i--)
        MPI_Send(&i, 1, MPI_INT, right, 100 + i, comm);
    MPI_Waitall(BESIDE, beside, MPI_STATUSES_IGNORE);
    for (int i = 0; i < BESIDE; i++)
        CHECK(in[i] == i);
}

int main(int argc, char **argv)
{
    MPI_Comm other;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    sizes(MPI_COMM_WORLD);
    sizes(other);
    orders(MPI_COMM_WORLD);
    orders(other);
    mistakes(MPI_COMM_WORLD);
    mistakes(other);
    rounds(other);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
