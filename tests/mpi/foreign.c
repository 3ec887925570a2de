/* SPDX-License-Identifier: MIT */
/* Threads that a program made, where they cannot act for their rank: several ranks share the
 * process, or time is virtual. What any thread may ask at any time is answered for the rank whose
 * program made the thread, or made the thread that made it; any other call is an error that says
 * so. foreign LEVEL THREADS [END]: THREADS: c11, or posix alone; END: which call is made. */
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <threads.h>

#include "check.h"

static int level; /* granted; the same for ranks that share their variables (static programs) */

static bool c11; /* there are threads of C, too */

/* What a thread must be told. */
struct phase {
    int initialized, finalized;
};

static int asks(void *arg)
{
    const struct phase *is = arg;
    int flag = -1, version = 0, sub, length;
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    MPI_Initialized(&flag);
    CHECK_EQ(flag, is->initialized);
    MPI_Finalized(&flag);
    CHECK_EQ(flag, is->finalized);
    MPI_Get_version(&version, &sub);
    CHECK_EQ(version, MPI_VERSION);
    CHECK_EQ(MPI_Get_library_version(text, &length), MPI_SUCCESS);
    if (is->initialized && !is->finalized) {
        int provided = -1;
        CHECK_EQ(MPI_Query_thread(&provided), MPI_SUCCESS);
        CHECK_EQ(provided, level);
        CHECK_EQ(MPI_Is_thread_main(&flag), MPI_SUCCESS);
        CHECK_EQ(flag, 0);
    }
    return 7;
}

static void *asks_posix(void *arg)
{
    asks(arg);
    return arg;
}

/* In a thread, one of C11, and one that another thread made. */
static void *asks_twice(void *arg)
{
    pthread_t thread;
    asks(arg);
    CHECK_EQ(pthread_create(&thread, NULL, asks_posix, arg), 0);
    pthread_join(thread, NULL);
    return arg;
}

static void ask_c11(struct phase *is)
{
    thrd_t thread;
    int result = 0;
    CHECK_EQ(thrd_create(&thread, asks, is), thrd_success);
    thrd_join(thread, &result);
    CHECK_EQ(result, 7);
}

static void ask(int initialized, int finalized)
{
    struct phase is = {initialized, finalized};
    pthread_t thread;
    void *back = NULL;
    CHECK_EQ(pthread_create(&thread, NULL, asks_twice, &is), 0);
    pthread_join(thread, &back);
    CHECK_EQ(back == &is, 1);
    if (c11)
        ask_c11(&is);
}

/* Each kind of call: on a communicator, of a message, of no object, one that may come before
 * MPI_Init, one that waits, one of virtual time. */
static void *calls(void *arg)
{
    int n = 0, sum;
    MPI_Info info;
    MPI_Request q;
    CHECK_EQ(MPI_Comm_rank(MPI_COMM_WORLD, &n), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Irecv(&n, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &q), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Barrier(MPI_COMM_WORLD), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Allreduce(&n, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Info_create(&info), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Pcontrol(MPIX_PCONTROL_WORK, 1e6), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Finalize(), MPI_ERR_OTHER);
    CHECK_EQ(MPI_Initialized(NULL), MPI_ERR_ARG);
    return arg;
}

static void *initializes(void *arg)
{
    MPI_Init(NULL, NULL);
    return arg;
}

static void *sends(void *arg)
{
    int n = 0;
    MPI_Send(&n, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    return arg;
}

static void in_thread(void *(*run)(void *))
{
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
    pthread_join(thread, NULL);
}

/* foreign LEVEL [init | send]: the level that is granted; the call with which rank 1, or the only
 * one, ends the job. */
int main(int argc, char **argv)
{
    const char *end = argc > 3 ? argv[3] : "";
    c11 = strcmp(argv[2], "c11") == 0;
    level = strcmp(argv[1], "single") == 0 ? MPI_THREAD_SINGLE : MPI_THREAD_FUNNELED;
    ask(0, 0);
    if (strcmp(end, "init") == 0)
        in_thread(initializes);
    int provided, rank, size;
    MPI_Init_thread(&argc, &argv, level, &provided);
    CHECK_EQ(provided, level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ask(1, 0);
    if (strcmp(end, "send") == 0 && rank == (size > 1))
        in_thread(sends);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    in_thread(calls);
    MPI_Barrier(MPI_COMM_WORLD);
    ask(1, 0);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Finalize();
    ask(1, 1);
    return 0;
}
