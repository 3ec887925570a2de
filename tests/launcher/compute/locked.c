/* SPDX-License-Identifier: MIT */
/* A library that asks for the time with a lock of all ranks of the process. */
#include <pthread.h>
#include <time.h>

double locked_seconds(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    struct timespec t;
    pthread_mutex_lock(&lock);
    for (volatile int i = 0; i < 5000; i++)
        ;
    clock_gettime(CLOCK_MONOTONIC, &t);
    pthread_mutex_unlock(&lock);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
