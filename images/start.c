/* SPDX-License-Identifier: MIT */
/* How a program meets its machine. A dynamically linked program's first instruction asks the C
 * library for __libc_start_main; as this library stands before the C library in the search order,
 * the program gets the one below, which puts a main of its own in place of the program's. That main
 * makes the machine and runs the program's main once per rank. Only programs that are linked with
 * this library load it, so no others are affected. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/machine.h>
#include <launcher/stats.h>

#include "image.h"

struct image image;

void *image_next(const char *name)
{
    void *next = dlsym(RTLD_NEXT, name);
    if (next == NULL) {
        fprintf(stderr, "lwmpi: the C library has no %s: link the program with it, dynamically\n",
                name);
        _Exit(127);
    }
    return next;
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const char *counter_name(const void *source, int i)
{
    (void)source;
    return hal_counter_name(i);
}

static uint64_t counter_sum(const void *source, int i)
{
    (void)source;
    return hal_counter_sum(i);
}

static void print_stats(const struct image *im, double seconds)
{
    struct launcher_stats s = {
        .machine = hal_machine()->name,
        .hz = hal_machine()->hz,
        .job = im->job,
        .clusters = (int)hal_machine()->compute_clusters,
        .wall = seconds,
        .name = counter_name,
        .sum = counter_sum,
    };
    hal_result(&s.result);
    launcher_stats_print(stderr, &s);
}

static void forked(void)
{
    image_ranks_done();
    image_output_forked();
}

static int machine_main(int argc, char **argv, char **envp)
{
    char why[256];
    image.argc = argc;
    image.argv = argv;
    image.envp = envp;
    if (image_params(&image, why, sizeof why) < 0) {
        fprintf(stderr, "lwmpi: %s\n", why);
        return 2;
    }
    image.process = getpid();
    pthread_atfork(NULL, NULL, forked);
    double begin = wall();
    image_output_begin(&image);
    if (image.shared)
        image_crash_watch();
    int status = hal_enter(image_boot, &image);
    image_ranks_done();
    image_output_end();
    if (image.stats && hal_machine() != NULL)
        print_stats(&image, wall() - begin);
    return status;
}

typedef int main_function(int, char **, char **);
typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void),
                           void (*)(void), void *);

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*rtld_fini)(void), void *stack_end);

__attribute__((visibility("default"))) int
__libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
                  void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
    start_function *start;
    *(void **)&start = image_next("__libc_start_main");
    image.main = main;
    return start(machine_main, argc, argv, init, fini, rtld_fini, stack_end);
}
