/* SPDX-License-Identifier: MIT */
/* One rank on bare metal: its copy of the program, what it asks of the system, its end. */
#include "rank.h"

#include <setjmp.h>
#include <stdbool.h>
#include <string.h>

#include <base/error.h>
#include <base/fmt.h>
#include <hal/virt.h>
#include <mpiutil/boot.h>
#include <mpiutil/machine.h>
#include <sys/k_info.h>
#include <sys/k_thread.h>

#include "bare.h"

#define WRITE_MOST 512
#define WORD       16 /* to a multiple of which memory is aligned */

/* Memory of a rank's, which begins with this. */
struct chunk {
    _Alignas(WORD) struct chunk *next;
    size_t bytes;
};

struct bare_rank {
    int rank, status;
    struct chunk *chunks;
    char *rest; /* of the chunk of the arguments, for who asks first */
    size_t rest_bytes;
    jmp_buf end;
};

/* In a variable that the compiler must load, as a call of the function itself would be one of the
 * first copy's. */
static void (*volatile program)(struct bare_rank *r, int argc, char **argv,
                                char **envp) = bare_program;

void bare_exit(struct bare_rank *r, int status)
{
    r->status = status;
    longjmp(r->end, 1);
}

void bare_write(struct bare_rank *r, int fd, const char *text, size_t n)
{
    char frame[WRITE_MOST + 32];
    while (n > 0) {
        size_t part = n < WRITE_MOST ? n : WRITE_MOST;
        int head = b_fmt(frame, sizeof frame, HAL_VIRT_OUTPUT, fd, r->rank, (int)part);
        memcpy(frame + head, text, part);
        k_console(frame, (size_t)head + part);
        text += part;
        n -= part;
    }
}

bool bare_reads_input(const struct bare_rank *r)
{
    return r->rank == 0;
}

long bare_host(long operation, const void *arguments)
{
    return hal_virt_host(operation, arguments);
}

void *bare_memory(struct bare_rank *r, size_t n, size_t *got)
{
    void *pages;
    size_t page = hal_virt()->machine.page_size;
    if (n > SIZE_MAX / 2)
        return NULL;
    if (n <= r->rest_bytes) {
        *got = r->rest_bytes;
        r->rest_bytes = 0;
        return r->rest;
    }
    size_t bytes = (n + sizeof(struct chunk) + page - 1) / page * page;
    if (k_page_alloc(bytes, &pages) < 0)
        return NULL;
    struct chunk *c = pages;
    *c = (struct chunk){r->chunks, bytes};
    r->chunks = c;
    *got = bytes - sizeof *c;
    return c + 1;
}

bool bare_memory_free(struct bare_rank *r, void *p, size_t n)
{
    struct chunk **at = &r->chunks, *c;
    while (*at && *at + 1 != p)
        at = &(*at)->next;
    c = *at;
    if (!c || n != c->bytes - sizeof *c)
        return false;
    *at = c->next;
    k_page_free(c, c->bytes);
    return true;
}

uint64_t bare_time(void)
{
    return k_time_ns();
}

void bare_sleep(uint64_t ns)
{
    uint64_t hz = hal_virt()->machine.hz;
    uint64_t seconds = ns / 1000000000, rest = ns % 1000000000 * hz / 1000000000;
    k_thread_sleep(seconds < UINT64_MAX / hz ? seconds * hz + rest : UINT64_MAX);
}

void bare_yield(void)
{
    k_thread_yield();
}

const char *bare_node(void)
{
    return mpu_info()->node_name;
}

static void free_chunks(struct bare_rank *r)
{
    for (struct chunk *c = r->chunks, *next; c; c = next) {
        next = c->next;
        k_page_free(c, c->bytes);
    }
}

/* Lists of pointers to the arguments and the variables. A program may write to its arguments, so
 * they are copied; the variables' strings are the machine's description. */
static char **words(struct bare_rank *r, char ***variables)
{
    const struct hal_virt *v = hal_virt();
    const char *text = v->text;
    size_t got, bytes = 0, n = v->arguments + v->variables;
    for (uint32_t i = 0; i < v->arguments; i++)
        bytes += strlen(text + bytes) + 1;
    size_t need = ((n + 2) * sizeof(char *) + bytes + WORD - 1) / WORD * WORD;
    char **list = bare_memory(r, need, &got);
    if (!list)
        k_abort(1, "no memory for the arguments and the environment of a rank");
    r->rest = (char *)list + need;
    r->rest_bytes = got - need;
    char *own = memcpy(list + n + 2, text, bytes), **to = list;
    for (uint32_t i = 0; i < v->arguments; i++, own += strlen(own) + 1)
        *to++ = own;
    *to++ = NULL;
    *variables = to;
    text += bytes;
    for (uint32_t i = 0; i < v->variables; i++, text += strlen(text) + 1)
        *to++ = (char *)(uintptr_t)text;
    *to = NULL;
    return list;
}

/* In a function of its own: no variable here changes between setjmp and longjmp. */
static void run(struct bare_rank *r, int copy)
{
    char **variables, **arguments = words(r, &variables);
    void (*entry)(struct bare_rank * r, int argc, char **argv, char **envp);
    void *there = hal_virt_copy(copy, (const void *)(uintptr_t)program);
    memcpy(&entry, &there, sizeof entry);
    if (setjmp(r->end) == 0)
        entry(r, (int)hal_virt()->arguments, arguments, variables);
}

struct mpu_public *mpu_public(void)
{
    return &bare_public;
}

static int copy_of(const struct svc_job *job, int rank)
{
    struct k_info info;
    int copy = 0;
    k_info(&info);
    while (svc_spawn_rank(job, info.cluster, copy, info.compute_clusters) != rank)
        copy++;
    return copy;
}

int bare_rank_main(int rank, void *arg)
{
    struct bare_rank r = {.rank = rank};
    char why[128];
    int copy = copy_of(arg, rank);
    k_thread_hold(); /* ranks of a core share what libmpi keeps for neighbours, without a lock */
    hal_virt_enter(copy);
    b_fmt(bare_public.who, sizeof bare_public.who, "rank %d", rank);
    int e = mpu_rank_enter(rank);
    if (e < 0) {
        b_fmt(why, sizeof why, "rank %d cannot start: %s", rank, b_error_message(e));
        k_abort(1, why);
    }
    run(&r, copy);
    int status = mpu_rank_leave(r.status & 255);
    hal_virt_leave();
    free_chunks(&r);
    k_thread_release();
    return status;
}
