/* SPDX-License-Identifier: MIT */
/* Local masters and workers. Every wait here is for the one rank that must act next: a worker for
 * its master's lines, a master for a worker's rows in the order in which it dealt the chunks. */
#include "chunks.h"
#include "filter.h"

enum { STOP = 1, WORK = 2 }; /* the word that stands before a message, as published */

void gf_give(struct team *t, const struct gf_plan *plan, int to, const void *lines, size_t n)
{
    int word = n ? WORK : STOP;

    if (plan->published)
        team_send(t, to, &word, sizeof word);
    if (n || !plan->published)
        team_send(t, to, lines, n);
}

size_t gf_take(struct team *t, const struct gf_plan *plan, void *lines, size_t most)
{
    int word = WORK;

    if (plan->published)
        team_recv(t, t->master, &word, sizeof word);
    return word == STOP ? 0 : team_recv(t, t->master, lines, most);
}

void gf_compute(const struct team *t, const struct gf_plan *plan, const int32_t *mask,
                const unsigned char *lines, unsigned char *out, int rows)
{
    double multiply_adds = (double)rows * (double)gf_row_bytes(plan) * plan->mask * plan->mask;

    filter_rows(lines, out, rows, plan->width, plan->channels, mask, plan->mask);
    team_work(t, multiply_adds * plan->cycles);
}

/* Deals `rows` rows of s->lines to the workers and gathers the results in s->rows. */
static void deal(struct team *t, struct server *s, int rows)
{
    size_t row = gf_row_bytes(&s->plan);

    for (int i = 0; i < t->crew; i++) {
        long first = team_share(rows, i, t->crew), end = team_share(rows, i + 1, t->crew);
        if (end > first)
            gf_give(t, &s->plan, t->member[i], s->lines + (size_t)first * row,
                    gf_lines_bytes(&s->plan, (int)(end - first)));
    }
    for (int i = 0; i < t->crew; i++) {
        long first = team_share(rows, i, t->crew), end = team_share(rows, i + 1, t->crew);
        if (end > first)
            team_recv(t, t->member[i], s->rows + (size_t)first * row, (size_t)(end - first) * row);
    }
}

/* Filters what is in s->lines, alone or by the crew. Returns the bytes of the answer. */
static size_t answer(struct team *t, struct server *s, size_t n)
{
    const struct gf_plan *plan = &s->plan;
    int rows = (int)(n / gf_row_bytes(plan)) - plan->mask / 2 * 2;

    if (plan->published && t->master > 0) {
        chunk_compute(t, s);
        return CHUNK_SIDE * CHUNK_SIDE;
    }
    if (plan->published && t->crew)
        chunks_deal(t, s);
    else if (t->crew)
        deal(t, s, rows);
    else
        gf_compute(t, plan, s->mask, s->lines, s->rows, rows);
    return (size_t)rows * gf_row_bytes(plan);
}

/* Answers one message after the other until nothing is given any more. */
static void work(struct team *t, struct server *s, size_t most)
{
    const struct gf_plan *plan = &s->plan;
    size_t n;

    while ((n = gf_take(t, plan, s->lines, most)) > 0) {
        size_t back = answer(t, s, n);
        team_send(t, t->master, s->rows, back);
    }
    for (int i = 0; i < t->crew; i++)
        gf_give(t, plan, t->member[i], NULL, 0);
}

int gf_serve(struct team *t)
{
    struct server s;

    team_broadcast(t, &s.plan, sizeof s.plan);
    if (s.plan.stop)
        return 0;
    struct gf_plan *plan = &s.plan;
    s.mask = team_alloc(t, gf_mask_bytes(plan), "the mask");
    team_broadcast(t, s.mask, gf_mask_bytes(plan));
    /* A worker gets a part of its master's stripe. */
    int sharers = t->master == 0 ? 1 : t->siblings;
    plan->rows = (plan->rows + sharers - 1) / sharers;
    bool chunk = plan->published && t->master > 0;
    size_t lines = chunk ? chunk_bytes(plan) : gf_lines_bytes(plan, plan->rows);
    size_t rows = chunk ? CHUNK_SIDE * CHUNK_SIDE : (size_t)plan->rows * gf_row_bytes(plan);
    s.lines = team_alloc(t, lines, "its lines");
    s.rows = team_alloc(t, rows, "its rows");
    team_barrier(t);
    work(t, &s, lines);
    team_free(t, s.rows, rows);
    team_free(t, s.lines, lines);
    team_free(t, s.mask, gf_mask_bytes(plan));
    return 0;
}
