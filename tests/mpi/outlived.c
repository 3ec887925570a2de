/* SPDX-License-Identifier: MIT */
/* The process ends otherwise than by the end of main, after MPI_Finalize, which is no error: main
 * ends by pthread_exit, as programs with threads do, or another thread ends the process. */
#include <pthread.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static void (*const ends[])(int) = {exit, _exit, quick_exit};

static void *outlive(void *how)
{
    thrd_sleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    if (*(int *)how > 0)
        ends[*(int *)how - 1](0);
    return NULL;
}

/* outlived HOW: by pthread_exit (0), exit (1), _exit (2), quick_exit (3). */
int main(int argc, char **argv)
{
    static int how;
    pthread_t thread;
    how = argc > 1 ? atoi(argv[1]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    CHECK_EQ(pthread_create(&thread, NULL, outlive, &how), 0);
    if (how == 0)
        pthread_exit(NULL);
    for (;;)
        pause();
}
