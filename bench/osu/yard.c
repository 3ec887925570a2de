/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "beside.h"

enum { PATIENCE = 1000000000 }; /* looks; some seconds */

struct yard_shared {
    struct {
        _Alignas(128) atomic_uint ball;
    } line[2]; /* line[i] is read by rank i */
    _Alignas(4096) char out[];
};

static _Noreturn void fail(const char *why)
{
    fprintf(stderr, "osu: %s\n", why);
    MPI_Abort(MPI_COMM_WORLD, 3);
    exit(3);
}

static void look_for_two_processors(const struct osu *o)
{
    int mine = sched_getcpu(), both[2];

    MPI_Allgather(&mine, 1, MPI_INT, both, 1, MPI_INT, MPI_COMM_WORLD);
    if (osu_virtual_hz() > 0)
        osu_leave(o, 2, "osu: this compares with the processors of this computer; ",
                  "here time is virtual");
    if (both[0] == both[1])
        osu_leave(o, 0, "osu: this needs a processor for each rank; ", "both are on the same");
}

/* A file that has lost its name is the one kind of memory that ranks share both as threads and as
 * processes. Rank 0 makes it. */
static struct yard_shared *map(const struct osu *o, size_t size)
{
    char name[] = "/tmp/osu-XXXXXX";
    int file = o->rank == 0 ? mkstemp(name) : -1;

    if (o->rank == 0 && (file < 0 || ftruncate(file, (off_t)size) != 0))
        fail("cannot make a file in /tmp");
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (o->rank != 0)
        file = open(name, O_RDWR | O_CLOEXEC);
    struct yard_shared *s =
        file < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (o->rank == 0)
        unlink(name);
    if (s == MAP_FAILED)
        fail("cannot share memory between the ranks");
    close(file);
    return s;
}

struct yard osu_yard(struct osu *o, size_t most)
{
    look_for_two_processors(o);
    struct yard y = {.me = o->rank, .most = most, .in = osu_memory(o, most)};

    y.shared = map(o, sizeof *y.shared + 2 * most);
    y.out = memset(y.shared->out + (size_t)y.me * most, 1, most);
    return y;
}

void osu_yard_end(struct yard *y)
{
    munmap(y->shared, sizeof *y->shared + 2 * y->most);
}

static void await(const struct yard *y)
{
    const atomic_uint *ball = &y->shared->line[y->me].ball;

    for (int i = 0; atomic_load_explicit(ball, memory_order_acquire) != y->turn; i++)
        if (i == PATIENCE)
            fail("the other rank does not answer");
}

static void take(struct yard *y, size_t n)
{
    await(y);
    memcpy(y->in, y->shared->out + (size_t)(1 - y->me) * y->most, n);
}

double osu_yard_ns(struct yard *y, size_t n, int rounds)
{
    atomic_uint *there = &y->shared->line[1 - y->me].ball;
    double begin = MPI_Wtime();

    for (int i = 0; i < rounds; i++) {
        y->turn++;
        if (y->me == 0)
            atomic_store_explicit(there, y->turn, memory_order_release);
        take(y, n);
        if (y->me == 1)
            atomic_store_explicit(there, y->turn, memory_order_release);
    }
    return (MPI_Wtime() - begin) * 1e9 / (2.0 * rounds);
}
