/* SPDX-License-Identifier: MIT */
/* Where MPI begins and ends; clocks, sizes. */
#include "hot.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* This library may be loaded where no MPI is (a shell of the job), so nothing of it is needed. */
#pragma weak PMPI_Comm_rank
#pragma weak PMPI_Comm_remote_size
#pragma weak PMPI_Comm_size
#pragma weak PMPI_Comm_test_inter
#pragma weak PMPI_Finalized
#pragma weak PMPI_Initialized
#pragma weak PMPI_Is_thread_main
#pragma weak PMPI_Query_thread
#pragma weak PMPI_Type_size_c
#pragma weak PMPI_Wtime

#define NEGLIGIBLE_NS 300
#define SOON_NS       5000
#define CALIBRATE_NS  20000

struct profile_layer profile_layer;

/* process/compute.h, process/image.h; not in other libraries of the ABI. */
__attribute__((weak)) double image_computed(void);
__attribute__((weak)) bool image_is_io_rank(void);

static struct profile_rank *ranks;
static int rank_count, room;
static bool machine; /* the clock is the machine's */
static bool alone;   /* no other rank lives in this process */
static struct profile_own *own;

void *profile_memory(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

uint64_t profile_other_clock(void)
{
    struct timespec t;
    if (machine)
        return (uint64_t)(PMPI_Wtime() * 1e9 + 0.5);
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* On linux what is shorter than a few trips of a line between processors is no waiting. */
static void set_ticks(void)
{
    if (machine)
        return;
    struct timespec t;
    uint64_t begin = profile_now(), from, ns;
    clock_gettime(CLOCK_MONOTONIC, &t);
    from = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
    do {
        clock_gettime(CLOCK_MONOTONIC, &t);
        ns = (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec - from;
    } while (ns < CALIBRATE_NS);
    uint64_t ticks = profile_now() - begin;
    profile_layer.negligible = ticks * NEGLIGIBLE_NS / ns;
    profile_layer.soon = ticks * SOON_NS / ns;
}

static void read_records(void)
{
    const char *text = getenv(PROFILE_VARIABLE);
    int fd, n, kind, shared;
    if (!text || sscanf(text, "%d:%d:%d:%d:%d", &fd, &n, &room, &kind, &shared) != 5 || n < 1)
        return;
    size_t each = sizeof *ranks + (size_t)room * sizeof(struct profile_record);
    void *p = mmap(NULL, (size_t)n * each, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    unsetenv(PROFILE_VARIABLE); /* what a rank starts is no rank of this job, */
    close(fd);                  /* and has no file of it */
    own = profile_memory((size_t)n * sizeof *own);
    if (p == MAP_FAILED || !own)
        return;
    machine = kind == PROFILE_MACHINE;
    alone = !shared;
    profile_layer.processor = kind == PROFILE_PROCESSOR;
    set_ticks();
    rank_count = n;
    ranks = p;
    profile_ranks(ranks, n);
}

/* Ranks that share the process may come at once, on several threads. */
static void find_records(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_records);
}

/* Number of the calling rank; -1: it is not between MPI_Init and MPI_Finalize, or this thread may
 * not call, which the function that it called is to say, or it is the I/O rank, which has no memory
 * here and whose number in its MPI_COMM_WORLD is that of another rank. */
static int asked(void)
{
    int begun = 0, ended = 1, may = 1, rank = -1;
    if (!ranks || PMPI_Initialized(&begun) != MPI_SUCCESS || !begun ||
        PMPI_Finalized(&ended) != MPI_SUCCESS || ended)
        return -1;
    if (!profile_layer.threads && PMPI_Is_thread_main(&may) == MPI_SUCCESS && !may)
        return -1;
    if (image_is_io_rank && image_is_io_rank())
        return -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank < rank_count ? rank : -1;
}

struct profile_own *profile_asked(void)
{
    int rank = asked();
    return rank < 0 || !own[rank].rank ? NULL : &own[rank];
}

static uint64_t ask_size(MPI_Datatype type)
{
    MPI_Count size = 0;
    return type != MPI_DATATYPE_NULL && PMPI_Type_size_c(type, &size) == MPI_SUCCESS && size > 0
               ? (uint64_t)size
               : 0;
}

/* Handles of predefined types are small numbers, and their sizes are asked for once. */
uint64_t profile_size(MPI_Datatype type)
{
    uintptr_t i = (uintptr_t)type;
    uint64_t size = ask_size(type);
    if (i < PROFILE_TYPES)
        atomic_store_explicit(&profile_layer.size[i], (unsigned short)(size + 1),
                              memory_order_relaxed);
    return size;
}

static int size_of_comm(MPI_Comm comm)
{
    int inter = 0, n = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &n);
    else
        PMPI_Comm_size(comm, &n);
    return n;
}

void profile_bytes_int(struct profile_call *c, const int counts[], MPI_Datatype type, MPI_Comm comm)
{
    int n = counts ? size_of_comm(comm) : 0;
    uint64_t size = n > 0 ? profile_size(type) : 0;
    for (int i = 0; i < n; i++)
        c->record.bytes += (uint64_t)counts[i] * size;
}

void profile_bytes_large(struct profile_call *c, const MPI_Count counts[], MPI_Datatype type,
                         MPI_Comm comm)
{
    int n = counts ? size_of_comm(comm) : 0;
    uint64_t size = n > 0 ? profile_size(type) : 0;
    for (int i = 0; i < n; i++)
        c->record.bytes += (uint64_t)counts[i] * size;
}

void profile_open(void)
{
    find_records();
    int rank = asked(), level = MPI_THREAD_SINGLE;
    if (rank < 0)
        return;
    struct profile_own *o = &own[rank];
    struct profile_record *records = (struct profile_record *)(ranks + rank_count);
    if (!profile_messages(o))
        return;
    o->self = rank;
    o->rank = &ranks[rank];
    PMPI_Query_thread(&level);
    if (level == MPI_THREAD_MULTIPLE) {
        profile_layer.threads = true;
        profile_layer.soon = 0;
    }
    profile_ring(o, records + (size_t)rank * (size_t)room, room, !machine);
    profile_communicators(o);
    atomic_store(&profile_layer.only, alone ? o : NULL);
    o->rank->computed = image_computed ? -image_computed() : 0;
    o->rank->begin = profile_now();
}

void profile_close(void)
{
    struct profile_own *o = profile_asked();
    if (!o)
        return;
    o->rank->end = profile_now();
    o->rank->computed = image_computed ? o->rank->computed + image_computed() : -1;
    profile_look(o);
    atomic_store(&profile_layer.only, NULL);
}
