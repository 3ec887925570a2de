/* SPDX-License-Identifier: MIT */
/* What programs ask of POSIX beside streams and files: time, sleep, the processor for others, the
 * node's name. */
#include <errno.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "need.h"

static long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void sleeps(void)
{
    struct timespec left = {1, 1}, t = {0, 200000}, wrong = {0, 1000000000};
    long long begin = now();
    need(nanosleep(&t, &left) == 0 && now() - begin >= 200000, "nanosleep");
    begin = now();
    need(clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL) == 0 && now() - begin >= 200000,
         "clock_nanosleep for a time");
    long long until = now() + 300000;
    t = (struct timespec){until / 1000000000, until % 1000000000};
    need(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0 && now() >= until,
         "clock_nanosleep until a time");
    begin = now();
    need(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == 0 && now() - begin < 300000,
         "clock_nanosleep until a time that is over");
    need(clock_nanosleep(CLOCK_MONOTONIC, 0, &wrong, NULL) == EINVAL, "clock_nanosleep is wrong");
    errno = 0;
    need(nanosleep(&wrong, NULL) == -1 && errno == EINVAL, "nanosleep is wrong");
    begin = now();
    need(usleep(100) == 0 && now() - begin >= 100000, "usleep");
}

static void processor_time(void)
{
    struct tms t;
    struct rusage used, none;
    clock_t begin = clock();
    for (volatile int i = 0; i < 10000; i++)
        ;
    need(clock() > begin && clock() - begin < CLOCKS_PER_SEC, "clock goes on");
    need(times(&t) > begin && t.tms_utime > begin, "times");
    need(getrusage(RUSAGE_SELF, &used) == 0 && getrusage(RUSAGE_CHILDREN, &none) == 0 &&
             used.ru_utime.tv_sec * 1000000LL + used.ru_utime.tv_usec > 0 &&
             none.ru_utime.tv_sec == 0 && none.ru_utime.tv_usec == 0,
         "getrusage");
    errno = 0;
    need(getrusage(7, &used) == -1 && errno == EINVAL, "getrusage of nobody");
}

int main(int argc, char **argv)
{
    char node[MPI_MAX_PROCESSOR_NAME], host[MPI_MAX_PROCESSOR_NAME];
    struct timeval t;
    int length;
    MPI_Init(&argc, &argv);
    sleeps();
    processor_time();
    long long begin = now() / 1000;
    gettimeofday(&t, NULL);
    need(t.tv_sec * 1000000LL + t.tv_usec >= begin, "gettimeofday goes with clock_gettime");
    need(sched_yield() == 0, "sched_yield");
    MPI_Get_processor_name(node, &length);
    need(gethostname(host, sizeof host) == 0 && strcmp(node, host) == 0, "gethostname");
    errno = 0;
    need(gethostname(host, (size_t)length) == -1 && errno == ENAMETOOLONG, "no room for a name");
    need(gethostname(host, (size_t)length + 1) == 0, "just room for a name");
    MPI_Finalize();
    return 0;
}
