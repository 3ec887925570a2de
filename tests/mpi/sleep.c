/* SPDX-License-Identifier: MIT */
/* A rank that sleeps sleeps long enough, by every clock, and alone: others meet meanwhile. With an
 * argument also for so many seconds, which in virtual time are over at once. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static const double NAP = 0.002;

static void by_sleep(double seconds)
{
    sleep((unsigned)seconds);
}

static void by_usleep(double seconds)
{
    CHECK_EQ(usleep((useconds_t)(seconds * 1e6)), 0);
}

static void by_nanosleep(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds,
                         .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    CHECK_EQ(nanosleep(&t, NULL), 0);
}

static void until(double seconds)
{
    struct timespec t;
    CHECK_EQ(clock_gettime(CLOCK_MONOTONIC, &t), 0);
    t.tv_nsec += (long)(seconds * 1e9);
    t.tv_sec += t.tv_nsec / 1000000000;
    t.tv_nsec %= 1000000000;
    CHECK_EQ(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL), 0);
    CHECK_EQ(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL), 0); /* over already */
}

static void by_select(double seconds)
{
    struct timeval t = {.tv_usec = (suseconds_t)(seconds * 1e6)};
    CHECK_EQ(select(0, NULL, NULL, NULL, &t), 0);
}

static void by_poll(double seconds)
{
    CHECK_EQ(poll(NULL, 0, (int)(seconds * 1000)), 0);
}

static double of_day(void)
{
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

static double monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void takes(double seconds, void (*pause_for)(double seconds))
{
    double mpi = MPI_Wtime(), day = of_day(), steady = monotonic();
    time_t date = time(NULL);
    pause_for(seconds);
    CHECK(MPI_Wtime() - mpi >= seconds * 0.999);
    CHECK(monotonic() - steady >= seconds * 0.999);
    CHECK(of_day() - day >= seconds * 0.9); /* may be set while the program runs */
    CHECK(time(NULL) - date >= (time_t)seconds);
}

/* Even ranks sleep between looks at what odd ones send, who yield. */
static void others_run(int rank, int size)
{
    int flag = 0, number = rank, other = rank ^ 1;
    if (other >= size)
        return;
    if (rank % 2 == 1) {
        for (int i = 0; i < 10; i++)
            CHECK_EQ(sched_yield(), 0);
        MPI_Ssend(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
        return;
    }
    for (;;) {
        MPI_Iprobe(other, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        if (flag)
            break;
        usleep(100);
    }
    MPI_Recv(&number, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_EQ(number, other);
}

int main(int argc, char **argv)
{
    int rank, size;
    struct timespec wrong = {.tv_nsec = 1000000000};
    usleep(1); /* also before MPI_Init */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    takes(NAP, by_usleep);
    takes(NAP, by_nanosleep);
    takes(NAP, until);
    takes(NAP, by_select);
    takes(NAP, by_poll);
    CHECK(nanosleep(&wrong, NULL) == -1 && errno == EINVAL);
    others_run(rank, size);
    if (argc > 1 && rank == size - 1)
        takes(atof(argv[1]), by_sleep);
    if (argc > 1 && rank == 0)
        printf("%ld\n", (long)time(NULL)); /* the same in every run */
    MPI_Finalize();
    return 0;
}
