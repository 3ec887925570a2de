/* SPDX-License-Identifier: MIT */
/* The global master. Stripe number s goes to local master s modulo their number, and its rows are
 * fetched before that master's next stripe is sent: so rows come back in order, and one stripe of
 * memory is enough for a picture of any height. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#include "filter.h"
#include "options.h"
#include "plan.h"

enum { STRIPE_BYTES = 192 * 1024 }; /* lines of one stripe, if a picture's rows are not larger */

struct master {
    const struct gf_options *options;
    struct gf_plan plan;
    int *local;  /* the local masters */
    int locals;  /* how many */
    int *leader; /* of each rank: its local master */
    int32_t *mask;
    unsigned char *lines, *rows;
    struct picture in, out;
    struct filter_feed feed;
    int stripes;
    int loaded;      /* rows of the stripe that is in lines */
    char wrong[200]; /* what the check found */
    const char *why; /* first failure */
};

static int stripe_rows(const struct master *m, int stripe)
{
    long long height = m->in.height;

    return (int)(height * (stripe + 1) / m->stripes - height * stripe / m->stripes);
}

/* Learns from each rank where it is, and makes the lowest rank but 0 of each cluster its master. */
static void find_locals(struct master *m, int ranks)
{
    size_t size = MPI_MAX_PROCESSOR_NAME + 1;
    char *names = calloc((size_t)ranks, size);

    m->local = calloc((size_t)ranks, sizeof *m->local);
    m->leader = calloc((size_t)ranks, sizeof *m->leader);
    if (!names || !m->local || !m->leader)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int rank = 1; rank < ranks; rank++) {
        char *name = names + (size_t)m->locals * size;
        int i = 0;
        memset(name, 0, size);
        MPI_Recv(name, (int)size - 1, MPI_CHAR, rank, TAG_NAME, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        while (strcmp(names + (size_t)i * size, name) != 0)
            i++;
        if (i == m->locals)
            m->local[m->locals++] = rank;
        m->leader[rank] = m->local[i];
    }
    free(names);
}

/* Sends every rank its plan, and the local masters their workers and the mask. */
static void instruct(const struct master *m, int ranks)
{
    int *workers = malloc((size_t)ranks * sizeof *workers);

    if (!workers)
        MPI_Abort(MPI_COMM_WORLD, 3);
    for (int rank = 1; rank < ranks; rank++) {
        struct gf_plan plan = m->plan;
        plan.master = m->leader[rank] == rank ? 0 : m->leader[rank];
        for (int other = 1; other < ranks && !plan.master; other++)
            if (other != rank && m->leader[other] == rank)
                workers[plan.workers++] = other;
        MPI_Send(&plan, GF_PLAN_INTS, MPI_INT, rank, TAG_PLAN, MPI_COMM_WORLD);
        if (plan.stop || plan.master)
            continue;
        if (plan.workers)
            MPI_Send(workers, plan.workers, MPI_INT, rank, TAG_WORKERS, MPI_COMM_WORLD);
        MPI_Send(m->mask, plan.mask * plan.mask, MPI_INT32_T, rank, TAG_MASK, MPI_COMM_WORLD);
    }
    free(workers);
}

/* Keeps the first failure; 1, for the sake of its callers. */
static int fail(struct master *m, const char *why)
{
    if (!m->why)
        m->why = why;
    return 1;
}

/* Opens the pictures and fixes the stripes: nearly equal, a multiple of the local masters. 0, or 1
 * after a failure. */
static int prepare(struct master *m)
{
    const struct gf_options *o = m->options;
    int dealers = m->locals ? m->locals : 1;

    if (picture_open(&m->in, o->input))
        return fail(m, m->in.why);
    if (picture_create(&m->out, o->output, m->in.width, m->in.height, m->in.channels))
        return fail(m, m->out.why);
    m->plan = (struct gf_plan){
        .width = m->in.width, .channels = m->in.channels, .mask = o->mask, .cycles = o->cycles};
    int most = STRIPE_BYTES / gf_row_bytes(&m->plan) - (o->mask - 1);
    most = most < 1 ? 1 : most;
    if (o->rows)
        most = o->rows;
    long long rounds = ((long long)m->in.height - 1) / ((long long)most * dealers) + 1;
    m->stripes = rounds * dealers < m->in.height ? (int)rounds * dealers : m->in.height;
    m->plan.rows = (m->in.height - 1) / m->stripes + 1;
    m->feed = (struct filter_feed){.picture = &m->in, .radius = o->mask / 2};
    m->mask = malloc((size_t)(o->mask * o->mask) * sizeof *m->mask);
    m->lines = malloc((size_t)gf_lines_bytes(&m->plan, m->plan.rows));
    m->rows = malloc((size_t)m->plan.rows * (size_t)gf_row_bytes(&m->plan));
    if (!m->mask || !m->lines || !m->rows)
        return fail(m, "no memory for one stripe of the picture");
    filter_mask(m->mask, o->mask, o->sigma);
    return 0;
}

/* Loads stripe s into m->lines; false when the picture cannot be read on. */
static bool load(struct master *m, int s)
{
    int rows = stripe_rows(m, s), old = m->loaded;

    m->loaded = rows;
    if (filter_feed_window(&m->feed, m->lines, old, rows))
        fail(m, m->in.why);
    return !m->why;
}

static void store(struct master *m, int s)
{
    for (int y = 0; y < stripe_rows(m, s) && !m->why; y++)
        if (picture_write(&m->out, m->rows + (size_t)y * (size_t)gf_row_bytes(&m->plan)))
            fail(m, m->out.why);
    if (m->options->progress && !m->why) {
        int done = 40 * (s + 1) / m->stripes;
        fprintf(stderr, "\rgf [%.*s%.*s] %3d %%%s", done,
                "########################################", 40 - done,
                "                                        ", 100 * (s + 1) / m->stripes,
                s + 1 == m->stripes ? "\n" : "");
        fflush(stderr);
    }
}

/* With nobody else: filters by itself. */
static void run_alone(struct master *m)
{
    for (int s = 0; s < m->stripes && load(m, s); s++) {
        gf_compute(&m->plan, m->mask, m->lines, m->rows, stripe_rows(m, s));
        store(m, s);
    }
}

/* Deals the stripes; after a failure it only fetches what is still on its way. */
static void run_dealing(struct master *m)
{
    int sent = 0;

    for (int s = 0; s < m->stripes + m->locals; s++) {
        int back = s - m->locals;
        if (back >= 0 && back < sent) {
            MPI_Recv(m->rows, m->plan.rows * gf_row_bytes(&m->plan), MPI_BYTE,
                     m->local[back % m->locals], TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            store(m, back);
        }
        if (s < m->stripes && !m->why && load(m, s)) {
            MPI_Send(m->lines, gf_lines_bytes(&m->plan, stripe_rows(m, s)), MPI_BYTE,
                     m->local[s % m->locals], TAG_LINES, MPI_COMM_WORLD);
            sent++;
        }
    }
    for (int i = 0; i < m->locals; i++)
        MPI_Send(NULL, 0, MPI_BYTE, m->local[i], TAG_LINES, MPI_COMM_WORLD);
}

/* One line about what was done. */
static void report(const struct master *m, int ranks, double seconds)
{
    static const char *const kinds[] = {"", "gray", "", "RGB", "RGBA"};
    int workers = ranks - 1 - m->locals;

    printf("gf: %d x %d %s, mask %d x %d, sigma %g, %d stripes; %d rank%s: %d local master%s, "
           "%d worker%s; %.6f s\n",
           m->in.width, m->in.height, kinds[m->in.channels], m->plan.mask, m->plan.mask,
           m->options->sigma, m->stripes, ranks, ranks == 1 ? "" : "s", m->locals,
           m->locals == 1 ? "" : "s", workers, workers == 1 ? "" : "s", seconds);
}

/* The measured part, then the answer's own test. The picture gets its name only if all went
 * well. */
static void run(struct master *m, int ranks)
{
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    if (m->locals)
        run_dealing(m);
    else
        run_alone(m);
    double seconds = MPI_Wtime() - begin;
    if (!m->why && picture_commit(&m->out))
        fail(m, m->out.why);
    if (!m->why && m->options->check && gf_check(m->options, m->mask, m->wrong, sizeof m->wrong))
        fail(m, m->wrong);
    if (!m->why)
        report(m, ranks, seconds);
}

static void release(struct master *m)
{
    free(m->rows);
    free(m->lines);
    free(m->mask);
    free(m->leader);
    free(m->local);
}

int gf_master(const struct gf_options *o, int ranks)
{
    struct master m = {.options = o, .plan.stop = 1};

    find_locals(&m, ranks);
    if (o)
        m.plan.stop = prepare(&m);
    instruct(&m, ranks);
    if (!m.plan.stop)
        run(&m, ranks);
    picture_close(&m.in);
    picture_close(&m.out);
    if (m.why)
        fprintf(stderr, "gf: %s\n", m.why);
    release(&m);
    return m.why ? 1 : 0;
}
