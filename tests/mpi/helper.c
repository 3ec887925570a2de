/* SPDX-License-Identifier: MIT */
/* The helper (process/helper.c) is there when it is needed, and programs do not notice it: not by
 * threads, signals or children, and their own functions run on their own thread. Argument: how the
 * program ends. */
#define _GNU_SOURCE
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

enum { SMALL = 8, LARGE = 1 << 20, NUMBERS = 1000, WINDOW = 64 };

static int rank, peer;
static char in[LARGE], out[LARGE];
static pthread_t own;

static int threads(void)
{
    DIR *d = opendir("/proc/self/task");
    int n = 0;
    for (struct dirent *e; (e = readdir(d));)
        n += e->d_name[0] != '.';
    closedir(d);
    return n;
}

static void start(MPI_Request q[2], int bytes)
{
    MPI_Irecv(in, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Isend(out, bytes, MPI_CHAR, peer, 0, MPI_COMM_WORLD, &q[1]);
}

static void exchange(int bytes)
{
    MPI_Request q[2];
    start(q, bytes);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

/* While a function of the program runs inside a call nobody gets into that: no helper is armed. */
static MPI_Request inner[2];

static int deleted(MPI_Comm c, int key, void *value, void *extra)
{
    (void)c, (void)key, (void)value, (void)extra;
    start(inner, LARGE);
    usleep(20000);
    CHECK_EQ(threads(), 1);
    return MPI_SUCCESS;
}

static void check_nested(void)
{
    MPI_Comm c;
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, &key, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &c);
    MPI_Comm_set_attr(c, key, NULL);
    MPI_Comm_free(&c);
    MPI_Waitall(2, inner, MPI_STATUSES_IGNORE);
    MPI_Comm_free_keyval(&key);
}

/* Who has nothing long under way has one thread. */
static void check_lazy(void)
{
    MPI_Request q[WINDOW];
    CHECK_EQ(threads(), 1);
    for (int i = 0; i < WINDOW; i++)
        if (rank == 0)
            MPI_Isend(out, SMALL, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &q[i]);
        else
            MPI_Irecv(in, SMALL, MPI_CHAR, peer, 1, MPI_COMM_WORLD, &q[i]);
    MPI_Waitall(WINDOW, q, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(out, LARGE, MPI_CHAR, peer, 2, in, LARGE, MPI_CHAR, peer, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_EQ(threads(), 1);
    check_nested();
    exchange(LARGE);
    CHECK_EQ(threads(), 2);
}

static volatile sig_atomic_t caught;

static void catch (int number)
{
    (void)number;
    caught++;
}

/* A signal that the program blocks waits for the program. */
static void check_signals(void)
{
    sigset_t one, before, pending;
    MPI_Request q[2];
    signal(SIGUSR1, catch);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    sigprocmask(SIG_BLOCK, &one, &before);
    start(q, LARGE);
    kill(getpid(), SIGUSR1);
    usleep(20000);
    sigpending(&pending);
    CHECK_EQ(sigismember(&pending, SIGUSR1), 1);
    CHECK_EQ(caught, 0);
    sigprocmask(SIG_SETMASK, &before, NULL);
    CHECK_EQ(caught, 1);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

/* A child has no helper, and its end is its own. */
static void check_child(void)
{
    MPI_Request q[2];
    int status;
    start(q, LARGE);
    pid_t child = fork();
    if (child == 0)
        exit(3);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 3);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
}

static void add(void *a, void *b, int *n, MPI_Datatype *type)
{
    const int *more = a;
    int *sum = b;
    (void)type;
    CHECK(pthread_equal(pthread_self(), own));
    for (int i = 0; i < *n; i++)
        sum[i] += more[i];
}

/* An operation of the program's own is not done by the helper, even while something else is. */
static void check_operation(void)
{
    static int mine[NUMBERS], sum[NUMBERS];
    MPI_Request q[3];
    MPI_Op op;
    MPI_Op_create(add, 1, &op);
    for (int i = 0; i < NUMBERS; i++)
        mine[i] = rank + i;
    start(q, LARGE);
    MPI_Iallreduce(mine, sum, NUMBERS, MPI_INT, op, MPI_COMM_WORLD, &q[2]);
    usleep(20000);
    MPI_Waitall(3, q, MPI_STATUSES_IGNORE);
    for (int i = 0; i < NUMBERS; i++)
        CHECK_EQ(sum[i], 2 * i + 1);
    MPI_Op_free(&op);
}

static void quit(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
    MPI_Finalize();
    exit(5);
}

/* The program ends in the middle of a call, while the helper may have something to do. */
static void end_inside(void)
{
    MPI_Errhandler h;
    MPI_Request q[2];
    MPI_Comm_create_errhandler(quit, &h);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, h);
    start(q, LARGE);
    usleep(20000);
    MPI_Send(out, -1, MPI_CHAR, peer, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    own = pthread_self();
    check_lazy();
    check_signals();
    check_child();
    check_operation();
    exchange(LARGE);
    if (strcmp(how, "inside") == 0)
        end_inside();
    MPI_Request q[2];
    start(q, LARGE);
    if (strcmp(how, "abort") == 0 && rank == 0)
        abort();
    if (strcmp(how, "exec") == 0)
        execl("/bin/sh", "sh", "-c", "exit 7", (char *)NULL);
    MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
