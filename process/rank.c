/* SPDX-License-Identifier: MIT */
/* One rank: the program's main, called on a kernel thread's stack. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/config.h>
#include <base/error.h>
#include <hal/core.h>
#include <hal/hosted.h>
#include <hal/power.h>
#include <kernel/cluster.h>
#include <process/image.h>
#include <sys/k_info.h>

#include "debug.h"
#include "instance.h"

/* A kernel thread that is a rank. The arguments hang here and not on the rank's stack alone, so
 * that they are not lost when a machine ends in the middle of its ranks. */
struct image_slot {
    struct image_rank *rank; /* NULL: no rank */
    char **argv;             /* its copy */
};

/* By cluster and thread slot. A cluster's row is written by the cluster alone. */
static struct image_slot *rows[HAL_CLUSTERS_MAX];
static uint32_t row_slots; /* in each */

const struct hal_debug_word image_debug_ranks[] = {
    {HAL_DEBUG_ADDRESS(rows)},
    {HAL_DEBUG_ADDRESS(row_slots)},
    {HAL_DEBUG_VALUE(HAL_CLUSTERS_MAX)},
    {HAL_DEBUG_SIZE(image_slot)},
    {HAL_DEBUG_MEMBER(image_slot, rank)},
    {HAL_DEBUG_MEMBER(image_rank, place.rank)},
    {HAL_DEBUG_MEMBER(image_rank, thread)},
    {HAL_DEBUG_MEMBER(image_rank, doing)},
    {HAL_DEBUG_MEMBER(image_rank, instance)},
    {NULL, 0},
};

/* Exit code of each rank that ended here, by rank; -1: it did not, or lives elsewhere. NULL: nobody
 * asked. */
static short *codes;

/* True on OS threads that are cores of the machine: only there has the question "which kernel
 * thread am I" an answer. Ranks never leave their core, so the flag needs no care at switches. */
_Thread_local bool image_on_core __attribute__((tls_model("initial-exec")));

static void codes_prepare(void)
{
    codes = malloc((size_t)svc_spawn_total(&image.job) * sizeof *codes);
    for (int i = 0; codes && i < svc_spawn_total(&image.job); i++)
        codes[i] = -1;
}

void image_ranks_print_codes(void)
{
    for (int i = 0, last; codes && i < svc_spawn_total(&image.job); i = last + 1) {
        last = i;
        if (codes[i] < 0)
            continue;
        while (last + 1 < svc_spawn_total(&image.job) && codes[last + 1] >= 0)
            last++;
        fprintf(stderr, "mpiexec: exit codes of ranks %d-%d: ", i, last);
        for (int k = i; k <= last; k++)
            fprintf(stderr, k == i ? "%d" : ",%d", codes[k]);
        fprintf(stderr, "\n");
    }
}

/* Rows are never freed: a machine that ends in the middle of its ranks still points to them. */
int image_ranks_prepare(void)
{
    if (image.codes && !codes)
        codes_prepare();
    row_slots = hal_machine()->threads;
    if (!rows[hal_cluster()])
        rows[hal_cluster()] = calloc(row_slots, sizeof *rows[0]);
    return !rows[hal_cluster()] ? -B_ENOMEM : 0;
}

/* Where a machine in virtual time looks after itself there is no cluster. */
static struct image_slot *slot(void)
{
    struct kern_thread *t = kern_cluster() ? kern_current() : NULL;
    return t ? &rows[hal_cluster()][t - kern_cluster()->thread] : NULL;
}

struct image_rank *image_rank_self(void)
{
    struct image_slot *s = image_on_core && rows[hal_cluster()] ? slot() : NULL;
    return s ? s->rank : NULL;
}

__attribute__((visibility("default"))) bool image_is_io_rank(void)
{
    const struct image_rank *r = image_rank_self();
    return r && r->place.rank >= r->place.job->ranks;
}

const struct kern_thread *image_ranks_thread(const struct cluster *c, int i, int *rank)
{
    const struct image_slot *row = rows[c->id];
    for (uint32_t k = 0; row && k < c->machine->threads; k++) {
        if (!row[k].rank || i-- > 0)
            continue;
        *rank = row[k].rank->place.rank;
        return &c->thread[k];
    }
    return NULL;
}

void image_ranks_done(void)
{
    image_on_core = false;
}

void image_ranks_each(void (*fn)(struct image_rank *r))
{
    if (getpid() != image.process)
        return;
    for (int c = 0; c < HAL_CLUSTERS_MAX; c++) {
        for (uint32_t i = 0; rows[c] && i < hal_machine()->threads; i++)
            if (rows[c][i].rank)
                fn(rows[c][i].rank);
    }
}

/* A program may write to argv and its strings, so each rank gets its own. One block: pointers, then
 * strings. */
static char **copy_arguments(int argc, char **argv)
{
    size_t size = ((size_t)argc + 1) * sizeof *argv;
    for (int i = 0; i < argc; i++)
        size += strlen(argv[i]) + 1;
    char **copy = malloc(size);
    if (!copy)
        hal_abort(1, "out of memory for a rank's arguments");
    char *text = (char *)(copy + argc + 1);
    for (int i = 0; i < argc; i++) {
        copy[i] = text;
        text = stpcpy(text, argv[i]) + 1;
    }
    copy[argc] = NULL;
    return copy;
}

/* A program may call MPI_Finalize in a function of atexit, or in the destructor of an object that
 * C++ registers so. They run when the process ends, which is too late for a rank. */
static void end_late(const struct image_rank *r)
{
    if (image.shared)
        image_first_end(r->instance, r->object);
    else
        __cxa_finalize(NULL);
}

/* In a function of its own: no variable here changes between setjmp and longjmp. */
static void call_main(struct image_rank *r, const struct image_program *p, char **argv)
{
    const struct image_privately *own = image.privately;
    if (setjmp(r->end) == 0) {
        if (own)
            own->begin(r);
        image_main_function *main =
            image_instance_begin(r->instance, p->main, p->argc, argv, image.envp);
        r->runs = true;
        image_compute_start();
        r->status = main(p->argc, argv, image.envp);
    }
    image_compute_finish();
    if (own) {
        own->back();
        if (!r->quits && setjmp(r->end) == 0)
            own->finish(r);
    }
    if (!r->quits && setjmp(r->end) == 0)
        image_instance_end(r->instance);
    if (!r->quits && image_layer.rank_open && image_layer.rank_open() && setjmp(r->end) == 0)
        end_late(r);
    r->runs = false;
    if (own)
        own->end(r);
}

/* What a core's thread has if it runs ranks that share the process. */
static pthread_key_t thread_key;

/* By pthread_exit: the other ranks of the core would never run again. */
static void thread_ended(void *arg)
{
    (void)arg;
    if (getpid() == image.process && !image.over)
        _exit(image_cut_off(0));
}

static void make_key(void)
{
    pthread_key_create(&thread_key, thread_ended);
}

static void watch_thread(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_key);
    pthread_setspecific(thread_key, &once);
}

/* Where the process is one rank: the first that asks ends it, its own thread or another one. */
enum { ABSENT, HERE, ENDS };
static atomic_int alone;

static bool may_end(void)
{
    int here = HERE;
    return image.shared || image_is_virtual() ||
           atomic_compare_exchange_strong(&alone, &here, ENDS);
}

/* Another thread is about to end the process. */
static _Noreturn void wait_for_end(void)
{
    for (;;)
        pause();
}

int image_rank_main(int rank, void *arg)
{
    struct image *im = arg;
    struct image_rank r = {
        .place = {&im->job, rank}, .computed = {.calls = 1}, .thread = kern_current()};
    const struct image_program *p = &im->program[svc_spawn_program(&im->job, rank)];
    image_on_core = true;
    if (im->shared)
        watch_thread();
    struct image_slot *s = slot();
    s->rank = &r;
    if (image_stack_begin)
        image_stack_begin(&r);
    s->argv = im->shared ? copy_arguments(p->argc, p->argv) : NULL;
    int e = image_layer.rank_begin(&r.place);
    if (e < 0) {
        char why[128];
        snprintf(why, sizeof why, "rank %d cannot start: %s", rank, b_error_message(e));
        hal_abort(1, why);
    }
    atomic_store(&alone, HERE);
    image_output_start(&r);
    r.object = p->object;
    r.instance = im->shared ? image_instance_new(p->object) : NULL;
    if (image_rank_doing)
        r.doing = image_rank_doing(k_cluster_local(), rank);
    image_debug_begins(&r);
    call_main(&r, p, s->argv ? s->argv : p->argv);
    if (getpid() != im->process)
        exit(r.status); /* a forked child came back from main */
    image_uncounted_judge(&r);
    r.doing = NULL;
    if (!may_end())
        wait_for_end();
    int status = image_layer.rank_end(r.status & 255);
    image_output_finish(&r);
    if (image_heap_end)
        image_heap_end(&r);
    free(s->argv);
    *s = (struct image_slot){0};
    if (codes)
        codes[rank] = (short)(status & 255);
    return status;
}

/* By another thread of the program, or by pthread_exit: after MPI_Finalize others miss nothing. */
static int end_alone(int status)
{
    if (!may_end() || (image_layer.rank_open && image_layer.rank_open()))
        return status;
    status = image_layer.rank_end(status & 255);
    hal_detach(status);
    return status;
}

int image_cut_off(int status)
{
    if (image.over)
        return status;
    if (!image.shared)
        return image_is_virtual() ? status : end_alone(status);
    fprintf(stderr,
            "lwmpi: the program ended the process of several ranks with status %d: by exit() in a "
            "thread of its own, or by pthread_exit()\n",
            status);
    return status == 0 ? 1 : status;
}

int image_quit(int status)
{
    /* Before the rest: a child made by vfork runs on the stack of its parent. */
    if (getpid() != image.process)
        return status;
    struct image_rank *r = image_rank_self();
    if (r) {
        r->quits = true;
        if (!image.shared)
            image.quits = true;
        image_exit(status);
    }
    status = image_cut_off(status);
    image_output_rescue();
    return status;
}

void image_exit(int status)
{
    struct image_rank *r = image_rank_self();
    if (r) {
        r->status = status;
        longjmp(r->end, 1);
    }
    if (getpid() != image.process)
        image_output_end(); /* a forked child: its text after the last line end */
}
