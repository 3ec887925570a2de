/* SPDX-License-Identifier: MIT */
/* The global master. Stripe number s goes to local master s modulo their number, and its rows are
 * fetched before that master's next stripe is sent: so rows come back in order, and one stripe of
 * memory is enough for a picture of any height. The next stripe is loaded before those rows are
 * waited for: nobody waits meanwhile but for the master. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

int gf_fail(struct gf_job *j, const char *why)
{
    if (!j->why[0])
        snprintf(j->why, sizeof j->why, "%s", why);
    return -1;
}

static size_t rows_bytes(const struct gf_job *j, int rows)
{
    return (size_t)rows * gf_row_bytes(&j->plan);
}

/* Opens the source and makes the mask. 0, or -1 after a failure. */
static int prepare(struct gf_job *j)
{
    const struct gf_options *o = j->options;

    j->plan = (struct gf_plan){.mask = o->mask, .cycles = o->cycles, .published = o->published};
    j->mask = team_alloc(j->team, gf_mask_bytes(&j->plan), "the mask");
    filter_mask(j->mask, o->mask, o->sigma);
    if (j->source->open(j))
        return -1;
    j->lines = team_alloc(j->team, gf_lines_bytes(&j->plan, j->plan.rows), "the lines of a stripe");
    j->rows = team_alloc(j->team, rows_bytes(j, j->plan.rows), "the rows of a stripe");
    return 0;
}

static void release(struct gf_job *j)
{
    struct team *t = j->team;

    j->source->close(j);
    team_free(t, j->rows, rows_bytes(j, j->plan.rows));
    team_free(t, j->lines, gf_lines_bytes(&j->plan, j->plan.rows));
    team_free(t, j->mask, gf_mask_bytes(&j->plan));
}

static void show_progress(const struct gf_job *j, int s)
{
    int done = 40 * (s + 1) / j->stripes;

    fprintf(stderr, "\rgf [%.*s%.*s] %3d %%%s", done, "########################################",
            40 - done, "                                        ", 100 * (s + 1) / j->stripes,
            s + 1 == j->stripes ? "\n" : "");
    fflush(stderr);
}

static void store(struct gf_job *j, int s)
{
    if (!j->why[0] && j->source->store(j, s) == 0 && j->options->progress)
        show_progress(j, s);
}

/* With nobody else: filters by itself. */
static void run_alone(struct gf_job *j)
{
    for (int s = 0; s < j->stripes && !j->why[0] && j->source->load(j, s) == 0; s++) {
        gf_compute(j->team, &j->plan, j->mask, j->lines, j->rows, j->source->rows(j, s));
        store(j, s);
    }
}

static bool load(struct gf_job *j, int s)
{
    return s < j->stripes && !j->why[0] && j->source->load(j, s) == 0;
}

/* Deals the stripes; after a failure it only fetches what is still on its way. */
static void run_dealing(struct gf_job *j)
{
    struct team *t = j->team;
    int sent = 0;
    bool loaded = load(j, 0);

    for (int s = 0; s < j->stripes + t->crew; s++) {
        int back = s - t->crew;
        if (back >= 0 && back < sent) {
            team_recv(t, t->member[back % t->crew], j->rows, rows_bytes(j, j->plan.rows));
            store(j, back);
        }
        if (loaded && !j->why[0]) {
            gf_give(t, &j->plan, t->member[s % t->crew], j->lines,
                    gf_lines_bytes(&j->plan, j->source->rows(j, s)));
            sent++;
        }
        loaded = load(j, s + 1);
    }
    for (int i = 0; i < t->crew; i++)
        gf_give(t, &j->plan, t->member[i], NULL, 0);
}

/* One line about what was done. */
static void report(const struct gf_job *j, double seconds)
{
    const struct team *t = j->team;
    int workers = t->ranks - 1 - t->crew;

    printf("gf: ");
    j->source->describe(j);
    printf(", mask %d x %d, sigma %g, %d stripes%s%s; %s, %d rank%s in %d cluster%s: %d local "
           "master%s, %d worker%s; %.6f s\n",
           j->plan.mask, j->plan.mask, j->options->sigma, j->stripes,
           j->options->check ? ", as a serial run" : "",
           j->options->published ? ", the published way" : "", team_form_name, t->ranks,
           t->ranks == 1 ? "" : "s", t->clusters, t->clusters == 1 ? "" : "s", t->crew,
           t->crew == 1 ? "" : "s", workers, workers == 1 ? "" : "s", seconds);
}

/* The measured part, then the answer's own test. */
static void run(struct gf_job *j)
{
    struct team *t = j->team;

    team_broadcast(t, j->mask, gf_mask_bytes(&j->plan));
    team_barrier(t);
    double begin = team_time(t);
    if (t->crew)
        run_dealing(j);
    else
        run_alone(j);
    double seconds = team_time(t) - begin;
    if (!j->why[0] && j->source->finish(j) == 0)
        report(j, seconds);
}

int gf_master(struct team *t, const struct gf_options *o)
{
    struct gf_job *j = o ? calloc(1, sizeof *j) : NULL;
    struct gf_plan plan = {.stop = 1};
    int code = 0;

    if (j) {
        j->options = o;
        j->team = t;
        j->source = o->images ? &gf_images : &gf_files;
        j->dealers = t->crew ? t->crew : 1;
        if (prepare(j) == 0)
            plan = j->plan;
    }
    team_broadcast(t, &plan, sizeof plan);
    if (!plan.stop)
        run(j);
    if (j) {
        release(j);
        code = j->why[0] != 0;
        if (code)
            fprintf(stderr, "gf: %s\n", j->why);
    }
    free(j);
    return code;
}
