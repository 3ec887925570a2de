/* SPDX-License-Identifier: MIT */
/* Nonblocking broadcasts and scatters: more at once than there is room for, in all lengths, by
 * roots in turn, roots that are far ahead of the others, blocks that are too long in all, ones that
 * end in an error, communicators that come and go. An argument: rank 0 has a helper, and computes
 * while others wait for what it has started. */
#include <sched.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MANY = 90, LONGEST = 200000, KEPT = 5, BLOCK = 30000 };

static const int lengths[] = {0, 8, 1000, 1049, 20000, 65536, 65537, LONGEST};
enum { LENGTHS = sizeof lengths / sizeof lengths[0] };

static int n, me;
static unsigned char *data[MANY];

static int length_of(int i)
{
    return lengths[i % LENGTHS];
}

static void start(MPI_Comm comm, int i, int root, MPI_Request *q)
{
    memset(data[i], 0xee, (size_t)length_of(i) + 1);
    if (me == root)
        fill(data[i], length_of(i), i, 3);
    MPI_Ibcast(data[i], length_of(i), MPI_BYTE, root, comm, q);
}

static void finish(int many, MPI_Request *q)
{
    for (int i = many - 1; i >= 0; i--) {
        MPI_Wait(&q[i], MPI_STATUS_IGNORE);
        check_filled(data[i], length_of(i), i, 3);
        CHECK_EQ(data[i][length_of(i)], 0xee);
    }
}

/* The others begin when they have the root's message, which comes after all of them. */
static void ahead(MPI_Comm comm)
{
    MPI_Request q[MANY];
    begin_after_first();
    for (int i = 0; i < MANY; i++)
        start(comm, i, 0, &q[i]);
    first_has_begun();
    finish(MANY, q);
}

/* With operations of other kinds between them. */
static void in_turn(MPI_Comm comm)
{
    MPI_Request q[MANY], other[MANY];
    int sum[MANY], one = 1;
    for (int i = 0; i < MANY; i++) {
        start(comm, i, i % n, &q[i]);
        other[i] = MPI_REQUEST_NULL;
        if (i % 3 == 0)
            MPI_Iallreduce(&one, &sum[i], 1, MPI_INT, MPI_SUM, comm, &other[i]);
    }
    finish(MANY, q);
    MPI_Waitall(MANY, other, MPI_STATUSES_IGNORE);
    for (int i = 0; i < MANY; i += 3)
        CHECK_EQ(sum[i], n);
}

/* Rank r gets r * each elements; of 20 ranks those of middle length have all of a multicast's
 * memory, and the longer ones are too much for it, which the root alone knows. Every second number
 * is left out. */
static void scatters(MPI_Comm comm)
{
    static const int eachs[] = {0, 3, 100, 1000, BLOCK};
    MPI_Datatype gaps;
    MPI_Request q[2 * KEPT];
    int *all[KEPT], *own[2 * KEPT], counts[KEPT][64], displs[KEPT][64];
    MPI_Type_vector(1, 1, 2, MPI_INT, &gaps);
    MPI_Type_create_resized(gaps, 0, 2 * sizeof(int), &gaps);
    MPI_Type_commit(&gaps);
    for (int k = 0; k < KEPT; k++) {
        bool gives = me == k % n || me == (k + 1) % n;
        int total = gives ? n * n * eachs[k] + n : 1;
        all[k] = malloc((size_t)total * 2 * sizeof(int));
        for (int i = 0; i < 2 * total; i++)
            all[k][i] = i % 2 ? -1 : i / 2 + k;
        for (int r = 0; r < n; r++) {
            counts[k][r] = r * eachs[k];
            displs[k][r] = r * n * eachs[k];
        }
        own[k] = calloc((size_t)n * (size_t)eachs[k] + 1, sizeof(int));
        own[k + KEPT] = calloc((size_t)n * (size_t)eachs[k] + 1, sizeof(int));
        MPI_Iscatterv(all[k], counts[k], displs[k], gaps, own[k], counts[k][me], MPI_INT, k % n,
                      comm, &q[k]);
        MPI_Iscatter(all[k], eachs[k], gaps, own[k + KEPT], eachs[k], MPI_INT, (k + 1) % n, comm,
                     &q[k + KEPT]);
    }
    MPI_Waitall(2 * KEPT, q, MPI_STATUSES_IGNORE);
    for (int k = 0; k < KEPT; k++) {
        for (int i = 0; i < counts[k][me]; i++)
            CHECK_EQ(own[k][i], displs[k][me] + i + k);
        for (int i = 0; i < eachs[k]; i++)
            CHECK_EQ(own[k + KEPT][i], me * eachs[k] + i + k);
        free(all[k]);
        free(own[k]);
        free(own[k + KEPT]);
    }
    MPI_Type_free(&gaps);
}

enum wrong { ROOTS, SHORT, TYPE, ABSENT, WRONGS };

/* The last rank says something else than the others, and learns it, unless it is a second root:
 * then one of the two does. What was started before and what comes afterwards is not concerned. */
static void disagree(MPI_Comm comm, enum wrong how)
{
    enum { BEFORE = 12 };
    MPI_Request before[BEFORE], q = MPI_REQUEST_NULL;
    bool odd = me == n - 1;
    int rc, at = BEFORE + 4, count = how == SHORT ? 1 : how == ABSENT ? -1 : 2;
    for (int i = 0; i < BEFORE; i++)
        start(comm, i, i % n, &before[i]);
    if (odd && how == TYPE)
        rc = MPI_Ibcast(data[at], 1, MPI_DOUBLE, 0, comm, &q);
    else
        rc =
            MPI_Ibcast(data[at], !odd ? 2 : count, MPI_INT, odd && how == ROOTS ? me : 0, comm, &q);
    if (rc == MPI_SUCCESS)
        rc = MPI_Wait(&q, MPI_STATUS_IGNORE);
    CHECK(rc != MPI_SUCCESS || n == 1 || !odd || how == ROOTS);
    finish(BEFORE, before);
    in_turn(comm);
}

static void communicators(void)
{
    for (int i = 0; i < 2 * WRONGS; i++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
        if (i % 2)
            ahead(comm);
        disagree(comm, (enum wrong)(i % WRONGS));
        scatters(comm);
        MPI_Comm_free(&comm);
    }
}

/* Rank 0 must go on while it computes, or the others wait until it has computed. That takes a tenth
 * of a second, or nearly one beside jobs that want the processors, too. */
static void computes(void)
{
    MPI_Request q[MANY];
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < MANY; i++)
        start(MPI_COMM_WORLD, i, 0, &q[i]);
    double end = MPI_Wtime() + 4;
    while (!me && MPI_Wtime() < end)
        sched_yield();
    finish(MANY, q);
    CHECK(!me || MPI_Wtime() < end - 1);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    n = world_size();
    me = world_rank();
    for (int i = 0; i < MANY; i++)
        data[i] = malloc((size_t)length_of(i) + 64);
    ahead(MPI_COMM_WORLD);
    in_turn(MPI_COMM_WORLD);
    scatters(MPI_COMM_WORLD);
    communicators();
    if (argc > 1)
        computes();
    for (int i = 0; i < MANY; i++)
        free(data[i]);
    MPI_Finalize();
    return 0;
}
