/* SPDX-License-Identifier: MIT */
/* What stands in place of the program's main: reads the job, makes the machine, which runs the
 * program's main once per rank, and returns the status of the process. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/machine.h>
#include <launcher/profile.h>
#include <launcher/stats.h>
#include <process/image.h>

struct image image;
static double begin;
static bool results; /* that are asked for have times in them */

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

static void print_stats(const struct image *im, double seconds, const char *computation)
{
    struct launcher_stats s = {
        .machine = hal_machine()->name,
        .hz = hal_machine()->hz,
        .job = im->job,
        .clusters = (int)hal_machine()->compute_clusters,
        .wall = seconds,
        .computation = image_is_virtual() ? computation : NULL,
        .name = counter_name,
        .sum = counter_sum,
    };
    hal_result(&s.result);
    launcher_stats_print(stderr, &s);
}

int image_tell_end(int status)
{
    char computation[512];
    if ((image_compute_tell(computation, sizeof computation) || results) && !image.stats)
        fprintf(stderr, "lwmpi: computation %s\n", computation);
    if (image.stats && hal_machine())
        print_stats(&image, wall() - begin, computation);
    if (image.stats && image_memory_print)
        image_memory_print(stderr);
    if (image.memory_map && !image_memory_draw)
        fprintf(stderr,
                "lwmpi: --memory-map %s: not drawn: what a static program has in memory is not "
                "known; link it with the shared library\n",
                image.memory_map);
    else if (image.memory_map && !image_memory_draw(image.memory_map))
        status = hal_status(status, false);
    return hal_status(status, !ferror(stderr));
}

static void forked(void)
{
    if (image_stack_forked)
        image_stack_forked();
    image_ranks_done();
    image_output_forked();
}

/* Of exit(), or of the end of the last thread: pthread_exit. */
static void ended(int status, void *arg)
{
    (void)arg;
    int code = getpid() == image.process ? image_cut_off(status) : status;
    if (code != status)
        _exit(code);
}

int image_main(int argc, char **argv, char **envp)
{
    char why[256], memory[IMAGE_HEAP_TEXT];
    image.own.argc = argc;
    image.own.argv = argv;
    image.envp = envp;
    if (image_params(&image, why, sizeof why) < 0) {
        fprintf(stderr, "lwmpi: %s\n", why);
        return 2;
    }
    image.process = getpid();
    pthread_atfork(NULL, NULL, forked);
    begin = wall();
    results = getenv(PROFILE_VARIABLE) && image_is_virtual(); /* a layer that profiles unsets it */
    image_output_begin(&image);
    if (image.shared || image_is_virtual())
        image_crash_watch();
    if (image_last_watch)
        image_last_watch();
    on_exit(ended, NULL);
    int status = hal_enter(image_boot, &image);
    image_compute_end();
    image.over = true;
    image_ranks_done();
    image_output_end();
    image_stop_end();
    if (image_heap_report) {
        image_heap_report(memory, sizeof memory);
        fputs(memory, stderr);
    }
    if (image.codes)
        image_ranks_print_codes();
    status = image_tell_end(status);
    if (image.quits)
        _exit(status);
    return status;
}
