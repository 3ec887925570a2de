/* SPDX-License-Identifier: MIT */
/* Nonblocking sends and receives, in orders that need every one of them to go on by itself. */
#include <string.h>

#include "check.h"
#include "sizes.h"

#define LONGEST 70000
#define EACH    12

/* Of one rank: ranks may share their process. */
struct memory {
    unsigned char *in, *out;
};

static int size_of(int n)
{
    return sizes[(n * 7) % SIZES] % LONGEST;
}

/* Everybody sends EACH messages to everybody, himself too, and receives them in the opposite order
 * of their tags. */
static void all_pairs(const struct memory *m, int rank, int size)
{
    int n = 2 * size * EACH;
    MPI_Request *q = malloc((size_t)n * sizeof *q);
    MPI_Status *s = malloc((size_t)n * sizeof *s);
    n = 0;
    for (int k = 0; k < EACH; k++) {
        fill(m->out + k * LONGEST, size_of(k), rank, k);
        for (int peer = 0; peer < size; peer++)
            MPI_Isend(m->out + k * LONGEST, size_of(k), MPI_BYTE, peer, k, MPI_COMM_WORLD, &q[n++]);
    }
    for (int k = EACH - 1; k >= 0; k--)
        for (int peer = 0; peer < size; peer++)
            MPI_Irecv(m->in + (size_t)(k * size + peer) * LONGEST, LONGEST, MPI_BYTE, peer, k,
                      MPI_COMM_WORLD, &q[n++]);
    CHECK_EQ(MPI_Waitall(n, q, s), MPI_SUCCESS);
    for (int i = n / 2; i < n; i++) {
        int k = EACH - 1 - (i - n / 2) / size, peer = (i - n / 2) % size, count;
        MPI_Get_count(&s[i], MPI_BYTE, &count);
        CHECK_EQ(q[i] == MPI_REQUEST_NULL, 1);
        CHECK_EQ(s[i].MPI_SOURCE, peer);
        CHECK_EQ(s[i].MPI_TAG, k);
        CHECK_EQ(count, size_of(k));
        check_filled(m->in + (size_t)(k * size + peer) * LONGEST, count, peer, k);
    }
    free(q);
    free(s);
}

/* Large messages to one rank, asked for from the last to the first, by blocking receives. */
static void backwards(const struct memory *m, int rank, int size)
{
    MPI_Request q[EACH];
    int peer = rank ^ 1;
    if (peer >= size)
        return;
    for (int k = 0; k < EACH && rank % 2 == 0; k++) {
        fill(m->out + k * LONGEST, LONGEST - k, rank, k);
        MPI_Isend(m->out + k * LONGEST, LONGEST - k, MPI_BYTE, peer, k, MPI_COMM_WORLD, &q[k]);
    }
    for (int k = EACH - 1; k >= 0 && rank % 2 == 1; k--) {
        MPI_Recv(m->in, LONGEST, MPI_BYTE, peer, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check_filled(m->in, LONGEST - k, peer, k);
    }
    for (int left = EACH; left && rank % 2 == 0; left--) {
        int i;
        CHECK_EQ(MPI_Waitany(EACH, q, &i, MPI_STATUS_IGNORE), MPI_SUCCESS);
        CHECK(i >= 0 && i < EACH && q[i] == MPI_REQUEST_NULL);
    }
}

/* Rank 0 hears from all, in whatever order they come. */
static void some(const struct memory *m, int rank, int size)
{
    if (rank) {
        fill(m->out, 300, rank, 5);
        MPI_Send(m->out, rank % 2 ? 3 : 300, MPI_BYTE, 0, 5, MPI_COMM_WORLD);
        return;
    }
    MPI_Request *q = malloc((size_t)size * sizeof *q);
    int *indices = malloc((size_t)size * sizeof *indices), got = 0, n;
    q[0] = MPI_REQUEST_NULL;
    for (int i = 1; i < size; i++)
        MPI_Irecv(m->in + i * LONGEST, 300, MPI_BYTE, i, 5, MPI_COMM_WORLD, &q[i]);
    for (int round = 0; got < size - 1; got += n, round++) {
        if (round % 2)
            MPI_Testsome(size, q, &n, indices, MPI_STATUSES_IGNORE);
        else
            MPI_Waitsome(size, q, &n, indices, MPI_STATUSES_IGNORE);
        CHECK(n >= 1 - round % 2);
        for (int i = 0; i < n; i++)
            check_filled(m->in + indices[i] * LONGEST, indices[i] % 2 ? 3 : 300, indices[i], 5);
    }
    MPI_Waitsome(size, q, &n, indices, MPI_STATUSES_IGNORE);
    CHECK_EQ(n, MPI_UNDEFINED);
    free(q);
    free(indices);
}

/* A rank that tests until something happens lets it happen. */
static void test(const struct memory *m, int rank, int size)
{
    MPI_Request q;
    MPI_Status s;
    int flag = 0;
    MPI_Irecv(m->in, 8000, MPI_BYTE, (rank + size - 1) % size, 9, MPI_COMM_WORLD, &q);
    MPI_Test(&q, &flag, &s);
    fill(m->out, 8000, rank, 9);
    MPI_Request send;
    MPI_Isend(m->out, 8000, MPI_BYTE, (rank + 1) % size, 9, MPI_COMM_WORLD, &send);
    MPI_Request_free(&send);
    CHECK(send == MPI_REQUEST_NULL);
    while (!flag) {
        MPI_Request_get_status(q, &flag, MPI_STATUS_IGNORE);
        CHECK(q != MPI_REQUEST_NULL);
    }
    MPI_Test(&q, &flag, &s);
    CHECK_EQ(flag, 1);
    CHECK(q == MPI_REQUEST_NULL);
    check_filled(m->in, 8000, (rank + size - 1) % size, 9);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void none(void)
{
    MPI_Request q[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    MPI_Status s = {.MPI_SOURCE = 77, .MPI_TAG = 77};
    int flag = 0, i = 0, count = 1;
    CHECK_EQ(MPI_Wait(&q[0], &s), MPI_SUCCESS);
    MPI_Get_count(&s, MPI_BYTE, &count);
    CHECK_EQ(s.MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_EQ(s.MPI_TAG, MPI_ANY_TAG);
    CHECK_EQ(count, 0);
    MPI_Testany(2, q, &i, &flag, &s);
    CHECK_EQ(flag, 1);
    CHECK_EQ(i, MPI_UNDEFINED);
    MPI_Isend(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Irecv(NULL, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &q[1]);
    MPI_Status both[2];
    MPI_Waitall(2, q, both);
    CHECK_EQ(both[1].MPI_SOURCE, MPI_PROC_NULL);
    CHECK_EQ(both[1].MPI_TAG, MPI_ANY_TAG);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank = world_rank(), size = world_size();
    struct memory m = {malloc((size_t)LONGEST * EACH * (size_t)size),
                       malloc((size_t)LONGEST * EACH)};
    none();
    all_pairs(&m, rank, size);
    backwards(&m, rank, size);
    some(&m, rank, size);
    test(&m, rank, size);
    free(m.in);
    free(m.out);
    MPI_Finalize();
    return 0;
}
