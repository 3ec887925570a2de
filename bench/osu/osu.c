/* SPDX-License-Identifier: MIT */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "osu.h"

enum { LARGE = 8192 }; /* from here on fewer repetitions do */

void osu_say(const struct osu *o, const char *format, ...)
{
    va_list list;

    if (o->rank != 0)
        return;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    fflush(stdout);
}

_Noreturn void osu_leave(const struct osu *o, int code, const char *why, const char *what)
{
    if (o->rank == 0)
        fprintf(code ? stderr : stdout, "%s%s\n", why, what);
    MPI_Finalize();
    exit(code);
}

static long number(const struct osu *o, const char *option, const char *text, char end, long least,
                   long most)
{
    char *rest, why[80];

    errno = 0;
    long n = text ? strtol(text, &rest, 10) : -1;
    if (!text || errno || rest == text || *rest != end || n < least || n > most) {
        snprintf(why, sizeof why, "osu: %s takes numbers from %ld to %ld, not ", option, least,
                 most);
        osu_leave(o, 2, why, text ? text : "nothing");
    }
    return n;
}

static void take_sizes(struct osu *o, const char *text)
{
    const char *colon = text ? strchr(text, ':') : NULL;

    if (colon)
        o->least = (size_t)number(o, "-m", text, ':', 0, INT_MAX);
    o->most = (size_t)number(o, "-m", colon ? colon + 1 : text, '\0', 0, INT_MAX);
    if (o->least > o->most)
        osu_leave(o, 2, "osu: -m is [LEAST:]MOST bytes, not ", text);
}

static void take_iterations(struct osu *o, const char *text)
{
    o->iterations = (int)number(o, "-i", text, '\0', 1, INT_MAX);
}

static void take_skip(struct osu *o, const char *text)
{
    o->skip = (int)number(o, "-x", text, '\0', 0, INT_MAX);
}

static void take_window(struct osu *o, const char *text)
{
    o->window = (int)number(o, "-W", text, '\0', 1, 100000);
}

static void take_pair(struct osu *o, const char *text)
{
    const char *colon = text ? strchr(text, ':') : NULL;

    o->from = (int)number(o, "-p", text, ':', 0, o->ranks - 1);
    o->to = (int)number(o, "-p", colon ? colon + 1 : NULL, '\0', 0, o->ranks - 1);
    if (o->from == o->to)
        osu_leave(o, 2, "osu: -p names two ranks, not ", text);
}

static void take_full(struct osu *o, const char *text)
{
    (void)text;
    o->full = true;
}

static void take_row(struct osu *o, const char *text)
{
    (void)text;
    o->row = true;
}

static const struct {
    const char *name, *value, *help;
    void (*take)(struct osu *o, const char *text);
} table[] = {
    {"-m", "[LEAST:]MOST", "bytes of a message, powers of two in between", take_sizes},
    {"-i", "N", "measured repetitions", take_iterations},
    {"-x", "N", "repetitions before those", take_skip},
    {"-W", "N", "messages in a row before an answer (64)", take_window},
    {"-p", "FROM:TO", "osu_send: whose MPI_Send is measured, and to whom (0:1)", take_pair},
    {"-f", NULL, "print minimum, maximum and repetitions, too", take_full},
    {"-r", NULL, "blocking collectives in a row: the clock is read at its ends only", take_row},
};

enum { OPTIONS = sizeof table / sizeof *table };

static _Noreturn void help(const struct osu *o, const char *program, const char *more)
{
    osu_say(o, "usage: %s [options]%s\n", program, more ? more : "");
    for (int i = 0; i < OPTIONS; i++)
        osu_say(o, "  %-3s %-13s %s\n", table[i].name, table[i].value ? table[i].value : "",
                table[i].help);
    osu_leave(o, 0, "", "");
}

static void read_arguments(struct osu *o, int argc, char **argv, const char *more)
{
    for (int i = 1; i < argc; i++) {
        int k = 0;
        while (k < OPTIONS && strcmp(argv[i], table[k].name) != 0)
            k++;
        if (k < OPTIONS)
            table[k].take(o, table[k].value ? argv[++i] : NULL);
        else if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            help(o, argv[0], more);
        else if (argv[i][0] == '-' || o->name || !more)
            osu_leave(o, 2, "osu: --help lists what may be said; this may not: ", argv[i]);
        else
            o->name = argv[i];
    }
}

void osu_begin(struct osu *o, int argc, char **argv, int ranks, const char *more)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &o->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &o->ranks);
    o->iterations = o->skip = -1;
    o->window = 64;
    o->to = 1;
    read_arguments(o, argc, argv, more);
    if (ranks > 0 && o->ranks != ranks)
        osu_leave(o, 2, "osu: this needs exactly two ranks: mpiexec -n 2", "");
    if (ranks < 0 && o->ranks % 2)
        osu_leave(o, 2, "osu: this needs an even number of ranks", "");
}

int osu_iterations(const struct osu *o, size_t n)
{
    if (o->iterations >= 0)
        return o->iterations;
    return n > LARGE ? 100 : 1000;
}

int osu_skip(const struct osu *o, size_t n)
{
    if (o->skip >= 0)
        return o->skip;
    return n > LARGE ? 10 : 100;
}

size_t osu_next(size_t n)
{
    return n ? n * 2 : 1;
}

/* Blocks hang in a list. */
struct osu_block {
    struct osu_block *next;
    max_align_t data[];
};

void *osu_memory(struct osu *o, size_t n)
{
    struct osu_block *b = malloc(sizeof *b + n);

    if (!b) {
        fprintf(stderr, "osu: no memory for %zu bytes\n", n);
        MPI_Abort(MPI_COMM_WORLD, 3);
        exit(3);
    }
    b->next = o->block;
    o->block = b;
    return memset(b->data, 1, n);
}

void osu_end(struct osu *o)
{
    while (o->block) {
        struct osu_block *b = o->block;
        o->block = b->next;
        free(b);
    }
    MPI_Finalize();
}

void osu_title(const struct osu *o, const char *what, const char *columns)
{
    osu_say(o, "\n# OSU MPI %s Test\n%s\n", what, columns);
}

void osu_latency(const struct osu *o, size_t n, double mine, int iterations)
{
    double sum, least, most;

    MPI_Reduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &least, 1, MPI_DOUBLE, MPI_MIN, 0, MPI_COMM_WORLD);
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    osu_say(o, "%-10zu%18.2f", n, sum / o->ranks);
    if (o->full)
        osu_say(o, "%18.2f%18.2f%12d", least, most, iterations);
    osu_say(o, "\n");
}
