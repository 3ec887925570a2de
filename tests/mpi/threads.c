/* SPDX-License-Identifier: MIT */
/* Threads of a rank: each level is granted where it can be, and then threads call MPI at once:
 * messages to and from every thread, collectives on a communicator per thread, waits that end by
 * what another thread does. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "check.h"

enum { THREADS = 4, TIMES = 20, BIG = 40000, LONG = 20000 };

static int rank, size;

struct worker {
    int number;
    MPI_Comm comm;
};

/* Around the ring, with a tag per thread, short and long. */
static void messages(const struct worker *w)
{
    unsigned char *out = malloc(BIG), *in = malloc(BIG);
    int next = (rank + 1) % size, last = (rank + size - 1) % size;
    for (int i = 0; i < TIMES; i++) {
        int n = i % 5 == 4 ? BIG : 8 + i;
        MPI_Request q;
        MPI_Status status;
        fill(out, n, rank, i + 100 * w->number);
        MPI_Isend(out, n, MPI_BYTE, next, w->number, MPI_COMM_WORLD, &q);
        MPI_Recv(in, n, MPI_BYTE, last, w->number, MPI_COMM_WORLD, &status);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        check_filled(in, n, last, i + 100 * w->number);
    }
    free(out);
    free(in);
}

static void collectives(const struct worker *w)
{
    for (int i = 0; i < TIMES; i++) {
        int sum, mine = rank + i * w->number;
        MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, w->comm);
        CHECK_EQ(sum, size * (size - 1) / 2 + size * i * w->number);
        MPI_Barrier(w->comm);
    }
}

static int element(const struct worker *w, int from, int time, int i)
{
    return from + 10 * w->number + 100 * time + i;
}

/* Of long data, which ranks that share processors leave in memory that all see. */
static void long_collectives(const struct worker *w)
{
    int *mine = malloc(LONG * sizeof *mine), *all = malloc((size_t)size * LONG * sizeof *all);
    for (int t = 0; t < TIMES; t++) {
        int wrong = 0;
        for (int i = 0; i < LONG; i++)
            mine[i] = element(w, rank, t, i);
        MPI_Allreduce(mine, all, LONG, MPI_INT, MPI_SUM, w->comm);
        for (int i = 0; i < LONG; i++)
            wrong += all[i] != size * element(w, 0, t, i) + size * (size - 1) / 2;
        CHECK_EQ(wrong, 0);
        MPI_Allgather(mine, LONG, MPI_INT, all, LONG, MPI_INT, w->comm);
        for (int i = 0; i < size * LONG; i++)
            wrong += all[i] != element(w, i / LONG, t, i % LONG);
        CHECK_EQ(wrong, 0);
        MPI_Scan(mine, all, LONG, MPI_INT, MPI_SUM, w->comm);
        for (int i = 0; i < LONG; i++)
            wrong += all[i] != (rank + 1) * element(w, 0, t, i) + rank * (rank + 1) / 2;
        CHECK_EQ(wrong, 0);
    }
    free(mine);
    free(all);
}

/* One thread waits for what the next one of its rank sends to it. */
static void each_other(const struct worker *w)
{
    int got = -1, to = (w->number + 1) % THREADS;
    MPI_Request q;
    MPI_Irecv(&got, 1, MPI_INT, rank, 1000 + w->number, MPI_COMM_WORLD, &q);
    MPI_Send(&w->number, 1, MPI_INT, rank, 1000 + to, MPI_COMM_WORLD);
    int done = 0;
    while (!done)
        MPI_Test(&q, &done, MPI_STATUS_IGNORE);
    CHECK_EQ(got, (w->number + THREADS - 1) % THREADS);
}

static void *work(void *arg)
{
    const struct worker *w = arg;
    int main_thread;
    MPI_Is_thread_main(&main_thread);
    CHECK_EQ(main_thread, 0);
    messages(w);
    collectives(w);
    long_collectives(w);
    each_other(w);
    return NULL;
}

static atomic_long questions;
static atomic_bool enough;

static void *ask(void *arg)
{
    int found;
    for (; !enough; questions++)
        MPI_Iprobe(MPI_ANY_SOURCE, 2000, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    return arg;
}

static int by_size(const void *a, const void *b)
{
    const long *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Who asks in vain, again and again, does not keep others out. */
static void beside_one_that_asks(void)
{
    enum { CALLS = 201, FEW = 10 };
    long during[CALLS];
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, ask, NULL), 0);
    for (int i = 0; i < CALLS; i++) {
        int mine = i, got = -1;
        long before = questions;
        while (questions - before < 3)
            sched_yield();
        before = questions;
        MPI_Sendrecv(&mine, 1, MPI_INT, 0, 0, &got, 1, MPI_INT, 0, 0, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        CHECK_EQ(got, i);
        during[i] = questions - before;
    }
    enough = true;
    pthread_join(thread, NULL);
    qsort(during, CALLS, sizeof during[0], by_size);
    CHECK(during[CALLS / 2] <= FEW);
}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool locked, inside;

static void add_locked(void *in, void *inout, int *count, MPI_Datatype *type)
{
    CHECK(*count == 1 && *type == MPI_INT);
    inside = true;
    pthread_mutex_lock(&lock);
    *(int *)inout += *(int *)in;
    pthread_mutex_unlock(&lock);
}

static void *read_locked(void *arg)
{
    MPI_Status status;
    int r, n, extent;
    MPI_Aint lb, span;
    pthread_mutex_lock(&lock);
    locked = true;
    while (!inside)
        sched_yield();
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    CHECK(r == rank && n == size && MPI_Wtime() > 0.0);
    MPI_Type_size(MPI_INT, &extent);
    MPI_Type_get_extent(MPI_INT, &lb, &span);
    CHECK_EQ(span, extent);
    MPI_Status_set_elements(&status, MPI_INT, 3);
    MPI_Get_count(&status, MPI_INT, &n);
    CHECK_EQ(n, 3);
    MPI_Initialized(&n);
    CHECK_EQ(n, 1);
    pthread_mutex_unlock(&lock);
    return arg;
}

/* An operation of the program waits for a lock whose owner asks MPI for what does not change. */
static void beside_an_operation(void)
{
    MPI_Op op;
    pthread_t thread;
    int two = 2, sum = 3;
    MPI_Op_create(add_locked, 1, &op);
    CHECK_EQ(pthread_create(&thread, NULL, read_locked, NULL), 0);
    while (!locked)
        sched_yield();
    MPI_Reduce_local(&two, &sum, 1, MPI_INT, op);
    CHECK_EQ(sum, 5);
    pthread_join(thread, NULL);
    MPI_Op_free(&op);
}

static void many(void)
{
    struct worker w[THREADS];
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
        w[i].number = i;
        MPI_Comm_dup(MPI_COMM_WORLD, &w[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        CHECK_EQ(pthread_create(&thread[i], NULL, work, &w[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        MPI_Comm_free(&w[i].comm);
    }
}

/* One call at a time, each from another thread. */
static void *one_turn(void *arg)
{
    int sum, one = 1;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK_EQ(sum, size);
    return arg;
}

static void turns(void)
{
    for (int i = 0; i < 5; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, one_turn, NULL), 0);
        pthread_join(thread, NULL);
    }
}

/* threads LEVEL least: asks for a level, must get at least the other one. */
int main(int argc, char **argv)
{
    static const char *const names[] = {"single", "funneled", "serialized", "multiple"};
    static const int levels[] = {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED,
                                 MPI_THREAD_MULTIPLE};
    int asked = 0, want = 0, provided, query, main_thread;
    for (int i = 0; i < 4 && argc == 3; i++) {
        asked = strcmp(argv[1], names[i]) == 0 ? i : asked;
        want = strcmp(argv[2], names[i]) == 0 ? i : want;
    }
    MPI_Init_thread(&argc, &argv, levels[asked], &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    CHECK_EQ(provided, levels[want]);
    MPI_Query_thread(&query);
    CHECK_EQ(query, provided);
    MPI_Is_thread_main(&main_thread);
    CHECK_EQ(main_thread, 1);
    if (provided == MPI_THREAD_SERIALIZED)
        turns();
    if (provided == MPI_THREAD_MULTIPLE)
        many(), beside_one_that_asks(), beside_an_operation();
    MPI_Finalize();
    return 0;
}
