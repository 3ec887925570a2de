/* SPDX-License-Identifier: MIT */
/* What a program finds on bare metal, by its first argument; what does not hold ends it with 1. */
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>

#define CHECK(x) ((x) ? (void)0 : failed(#x, __LINE__))

static int rank, size;

static void failed(const char *what, int line)
{
    fprintf(stderr, "probe.c:%d: rank %d: failed: %s\n", line, rank, what);
    exit(1);
}

static void meet(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Each rank has its variables for itself, whatever kind they are, and the C library's. */
int shared = 5;
int *pointer = &shared;
static int zero[64];
static _Thread_local int own = 7;
static int (*const function)(const char *) = puts;
static double (*const roots[])(double) = {sqrt, cbrt};

static void variables(void)
{
    char words[] = "a,b", *all[64];
    CHECK(shared == 5 && pointer == &shared && zero[0] == 0 && own == 7);
    *pointer += rank;
    zero[0] = zero[63] = rank + 1;
    own += rank;
    errno = 100 + rank;
    CHECK(strcmp(strtok(words, ","), "a") == 0);
    srand((unsigned)rank);
    int first = rand();
    meet();
    CHECK(shared == 5 + rank && zero[0] == rank + 1 && zero[63] == rank + 1);
    CHECK(own == 7 + rank && errno == 100 + rank);
    CHECK(strcmp(strtok(NULL, ","), "b") == 0);
    meet();
    srand((unsigned)rank);
    CHECK(rand() == first);
    CHECK(roots[0](16) == 4 && roots[1](27) == 3);
    MPI_Allgather(&pointer, sizeof pointer, MPI_BYTE, all, sizeof pointer, MPI_BYTE,
                  MPI_COMM_WORLD);
    for (int i = 0; i < size; i++)
        CHECK((all[i] == (char *)&shared) == (i == rank));
    function("variables");
}

static void arguments(int argc, char **argv)
{
    const char *word = getenv("PROBE");
    for (int i = 0; i <= argc; i++)
        CHECK((!argv[i]) == (i == argc));
    meet();
    memset(argv[2], 'a' + rank, strlen(argv[2])); /* its own */
    meet();
    printf("%d %s %s %s\n", argc, argv[2], argv[3], word ? word : "none");
}

/* All of the cluster's memory, then as much again; the first core of each cluster has one rank. */
/* Pieces of four sizes, each size when the smaller ones are free again: no more is taken. */
static void sizes(void)
{
    static const struct {
        size_t bytes;
        int n;
    } of[] = {{400, 100}, {4000, 10}, {40000, 10}, {100000, 4}};
    void *p[100];
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < of[k].n; i++) {
            CHECK((p[i] = malloc(of[k].bytes)) && (uintptr_t)p[i] % 16 == 0);
            memset(p[i], i, of[k].bytes);
        }
        for (int i = 0; i < of[k].n; i++) {
            CHECK(((char *)p[i])[0] == i && ((char *)p[i])[of[k].bytes - 1] == i);
            free(p[i]);
        }
    }
}

static void others(void)
{
    char *p = calloc(300, 10), *q = NULL;
    CHECK(p && p[0] == 0 && memcmp(p, p + 1, 2999) == 0);
    strcpy(p, "kept");
    CHECK((p = realloc(p, 30000)) && strcmp(p, "kept") == 0);
    CHECK(realloc(p, 5) == p && strcmp(p, "kept") == 0);
    CHECK((q = aligned_alloc(4096, 5000)) && (uintptr_t)q % 4096 == 0);
    memset(q, 7, 5000);
    CHECK(strcmp(p, "kept") == 0);
    free(p);
    free(q);
    void *whole = NULL;
    CHECK(posix_memalign(&whole, 64, 100) == 0 && (uintptr_t)whole % 64 == 0);
    CHECK(posix_memalign(&whole, 3, 100) == EINVAL);
    free(whole);
    volatile size_t most = SIZE_MAX; /* the compiler knows that it is too much */
    CHECK(!calloc(most / 2, 3) && !malloc(most) && errno == ENOMEM);
    CHECK(!aligned_alloc(16, most - 8)); /* both together are a few bytes */
    errno = 0;
}

static void memory(void)
{
    sizes();
    others();
    void *list = NULL;
    for (int round = 0; round < 3; round++) {
        size_t n = 0;
        for (void **p; (p = malloc(50000)); list = p, n++) {
            memset(p, rank, 50000);
            *p = list;
        }
        CHECK(errno == ENOMEM && n >= 10 && n < 40);
        while (list) {
            void *next = *(void **)list;
            free(list);
            list = next;
        }
        errno = 0;
    }
    CHECK(MPI_Alloc_mem(500000, MPI_INFO_NULL, &list) == MPI_SUCCESS); /* malloc's was given back */
    puts("memory");
}

static int deep(int n)
{
    volatile char page[512];
    page[0] = (char)n;
    return n == 0 ? 0 : deep(n - 1) + page[0];
}

/* More than a stack at once, from below: written over before the guard is met is what the rank and
 * its core have beside it. */
static int leap(void)
{
    volatile int large[20000];
    for (int i = 0; i < 20000; i++)
        large[i] = -i;
    return large[rank];
}

/* All compute for a while, by the machine's clock not longer than so many milliseconds. */
static void compute(int most)
{
    meet();
    double begin = MPI_Wtime();
    for (volatile int i = 0; i < 20000; i = i + 1) {
    }
    meet();
    double ms = (MPI_Wtime() - begin) * 1e3;
    if (ms >= most)
        printf("%.0f ms, at most %d are right\n", ms, most);
    CHECK(ms < most);
}

static void loop(void)
{
    for (volatile int i = 0;; i = i + 1) {
    }
}

static void at_exit(void)
{
    printf("rank %d: atexit\n", rank);
}

static void ends(const char *how)
{
    int n;
    if (strcmp(how, "code") == 0 && rank == 1) {
        MPI_Finalize();
        exit(7);
    } else if (strcmp(how, "abort") == 0 && rank == size - 1) {
        MPI_Abort(MPI_COMM_WORLD, 9);
    } else if (strcmp(how, "early") == 0 && rank == 1) {
        exit(3);
    } else if (strcmp(how, "stuck") == 0) {
        MPI_Recv(&n, 1, MPI_INT, (rank + 1) % size, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "loop") == 0 && rank == 1) {
        loop();
    } else if (strcmp(how, "loop") == 0) {
        MPI_Recv(&n, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (strcmp(how, "deep") == 0 && rank == 0) {
        printf("%d\n", deep(100000));
    } else if (strcmp(how, "leap") == 0) {
        printf("%d\n", leap());
    } else if (strcmp(how, "sleep") == 0) {
        /* In nanoseconds this is more than 64 bits hold, by a third of a second. */
        struct timespec t = {18446744074, 0};
        clock_nanosleep(CLOCK_MONOTONIC, rank % 2 == 0 ? 0 : TIMER_ABSTIME, &t, NULL);
        printf("rank %d is awake\n", rank);
    } else if (strcmp(how, "atexit") == 0) {
        atexit(at_exit);
    }
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (strcmp(what, "variables") == 0)
        variables();
    else if (strcmp(what, "arguments") == 0)
        arguments(argc, argv);
    else if (strcmp(what, "compute") == 0)
        compute(argc > 2 ? atoi(argv[2]) : 0);
    else if (strcmp(what, "memory") == 0)
        memory();
    else if (strcmp(what, "lines") == 0) {
        printf("out %d, a line of %.3f", rank, 1.0 / 3);
        fprintf(stderr, "err %d\n", rank);
        printf(" pieces\nhalf %d", rank);
    } else
        ends(what);
    MPI_Finalize();
    return 0;
}
