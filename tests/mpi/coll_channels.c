/* SPDX-License-Identifier: MIT */
/* Nonblocking and persistent operations of few bytes: more at once than there are channels for,
 * ranks that are far ahead, persistent ones started in any order, ones that end in an error. An
 * argument: rank 0 has a helper, and computes while others wait for what it has started. */
#include <sched.h>

#include "check.h"

enum { MANY = 40, BEFORE = 20, PERSISTENT = 12, ROUNDS = 6 };

static int n, me;

/* What rank r gives to operation i. */
static int given(int r, int i)
{
    return r * 1000 + i;
}

static int sum_of(int i)
{
    return n * (n - 1) / 2 * 1000 + n * i;
}

static int in[MANY], sum[MANY];

static void start(MPI_Comm comm, int i, MPI_Request *q)
{
    in[i] = given(me, i);
    sum[i] = -1;
    MPI_Iallreduce(&in[i], &sum[i], 1, MPI_INT, MPI_SUM, comm, q);
}

/* A rank is so far ahead that its operations wait behind each other; the others begin when they
 * have its message, which comes after all of them. */
static void ahead(MPI_Comm comm)
{
    MPI_Request q[MANY];
    begin_after_first();
    for (int i = 0; i < MANY; i++)
        start(comm, i, &q[i]);
    first_has_begun();
    for (int i = MANY - 1; i >= 0; i--) {
        MPI_Wait(&q[i], MPI_STATUS_IGNORE);
        CHECK_EQ(sum[i], sum_of(i));
    }
}

/* Started by each rank in an order of its own. */
static void persistent(MPI_Comm comm)
{
    MPI_Request q[PERSISTENT];
    for (int i = 0; i < PERSISTENT; i++)
        MPI_Allreduce_init(&in[i], &sum[i], 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &q[i]);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PERSISTENT; i++)
            in[i] = given(me, i + round);
        for (int i = 0; i < PERSISTENT; i++)
            MPI_Start(&q[(i + me * (round + 1)) % PERSISTENT]);
        for (int i = 0; i < PERSISTENT; i++) {
            int at = (i * (me % 2 ? 5 : 7)) % PERSISTENT;
            MPI_Wait(&q[at], MPI_STATUS_IGNORE);
            CHECK_EQ(sum[at], sum_of(at + round));
        }
    }
    for (int i = 0; i < PERSISTENT; i++)
        MPI_Request_free(&q[i]);
}

enum wrong { OTHER, ABSENT, ROOTED, WRONGS };

/* The last rank calls something else than the others, is wrong, or calls something else where the
 * others' operation ends for them without it. */
static int call(MPI_Comm comm, enum wrong how, MPI_Request *q)
{
    int *at = &sum[MANY - 1], *own = &in[MANY - 1];
    if (me == n - 1 && how == ABSENT)
        return MPI_Iallreduce(own, at, -1, MPI_INT, MPI_SUM, comm, q);
    if (me != n - 1 && how == ROOTED)
        return MPI_Ibcast(at, 1, MPI_INT, 0, comm, q);
    if (me == n - 1 && how == OTHER)
        return MPI_Ibarrier(comm, q);
    return MPI_Iallreduce(own, at, 1, MPI_INT, MPI_SUM, comm, q);
}

/* Of such a call those know who need the other, some of them before they have begun what they have
 * started before; what comes before and after is not concerned. */
static void disagree(MPI_Comm comm, enum wrong how)
{
    MPI_Request before[BEFORE], q = MPI_REQUEST_NULL;
    for (int i = 0; i < BEFORE; i++)
        start(comm, i, &before[i]);
    int rc = call(comm, how, &q);
    if (rc == MPI_SUCCESS)
        rc = MPI_Wait(&q, MPI_STATUS_IGNORE);
    CHECK(rc != MPI_SUCCESS || n == 1 || (how == ROOTED && me != n - 1));
    for (int i = 0; i < BEFORE; i++) {
        MPI_Wait(&before[i], MPI_STATUS_IGNORE);
        CHECK_EQ(sum[i], sum_of(i));
    }
    ahead(comm);
}

/* Communicators come and go, whose operations did not all end well. */
static void communicators(void)
{
    for (int i = 0; i < 10; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        if (i % 4)
            disagree(comm, (enum wrong)(i % 4 - 1));
        ahead(comm);
        disagree(comm, (enum wrong)(i % WRONGS));
        ahead(comm);
        persistent(comm);
        MPI_Comm_free(&comm);
    }
}

/* More than there are channels for: rank 0 must go on while it computes, or the others wait until
 * it has computed. */
static void computes(void)
{
    MPI_Request q[MANY];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < MANY; i++)
        start(MPI_COMM_WORLD, i, &q[i]);
    double end = MPI_Wtime() + 2;
    while (!me && MPI_Wtime() < end)
        sched_yield();
    MPI_Waitall(MANY, q, MPI_STATUSES_IGNORE);
    CHECK(!me || MPI_Wtime() < end - 1);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(sum[i], sum_of(i));
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    n = world_size();
    me = world_rank();
    ahead(MPI_COMM_WORLD);
    persistent(MPI_COMM_WORLD);
    communicators();
    if (argc > 1)
        computes();
    MPI_Finalize();
    return 0;
}
