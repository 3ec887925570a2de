/* SPDX-License-Identifier: MIT */
/* Functions of the program that MPI calls run as the program does: with the rank's own thread-local
 * variables, and, if they may call MPI, while other threads of the rank do. One that jumps out of
 * its call has ended it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>

#include "check.h"

enum { TIMES = 20 };

static int rank, size;
static bool threads; /* that call MPI as they like */
static _Thread_local int mine;
static int calls;
static jmp_buf back;

/* Ranks that share a core have taken turns since this one set it. */
static void called(void)
{
    CHECK_EQ(mine, 100 + rank);
    calls++;
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    called();
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void *sums(void *arg)
{
    int sum;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, *(MPI_Comm *)arg);
    CHECK_EQ(sum, size * (size - 1) / 2);
    return arg;
}

/* All threads of all ranks that are there meet. */
static void beside(void)
{
    MPI_Comm world = MPI_COMM_WORLD;
    pthread_t thread;
    if (!threads)
        return;
    CHECK_EQ(pthread_create(&thread, NULL, sums, &world), 0);
    pthread_join(thread, NULL);
}

static int deletes(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)value, (void)extra;
    called();
    beside();
    return MPI_SUCCESS;
}

static void handles(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    CHECK(*code == MPI_ERR_RANK || *code == MPI_ERR_TRUNCATE);
    called();
    beside();
}

static void jumps(MPI_Comm *comm, int *code, ...)
{
    handles(comm, code);
    longjmp(back, 1);
}

/* A call that has waited while others ran. */
static void truncates(MPI_Comm comm)
{
    int two[2] = {0}, next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Request q;
    MPI_Isend(two, 2, MPI_INT, next, 0, comm, &q);
    if (setjmp(back) == 0)
        CHECK_EQ(MPI_Recv(two, 1, MPI_INT, last, 0, comm, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    MPI_Wait(&q, MPI_STATUS_IGNORE);
}

static void fails(MPI_Comm comm, MPI_Comm_errhandler_function *handler)
{
    MPI_Errhandler e;
    volatile int times = 0;
    MPI_Comm_create_errhandler(handler, &e);
    MPI_Comm_set_errhandler(comm, e);
    while (times < TIMES) {
        times = times + 1;
        if (setjmp(back) == 0)
            CHECK_EQ(MPI_Send(&rank, 1, MPI_INT, size, 0, comm), MPI_ERR_RANK);
        truncates(comm);
        sums(&comm);
        beside();
    }
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&e);
}

int main(int argc, char **argv)
{
    int provided, key, sum;
    MPI_Op op;
    MPI_Comm comm;
    MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    threads = provided == MPI_THREAD_MULTIPLE;
    CHECK(threads || argc < 2);
    mine = 100 + rank;
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < TIMES; i++) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD);
        CHECK_EQ(sum, size * (size - 1) / 2);
        MPI_Request q;
        MPI_Iallreduce(&rank, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, &q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        CHECK_EQ(sum, size * (size - 1) / 2);
    }
    MPI_Op_free(&op);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    fails(comm, handles);
    fails(comm, jumps);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deletes, &key, NULL);
    MPI_Comm_set_attr(comm, key, &key);
    MPI_Comm_free(&comm);
    MPI_Comm_free_keyval(&key);
    CHECK(calls >= 4 * TIMES + 1);
    MPI_Finalize();
    return 0;
}
