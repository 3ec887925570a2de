/* SPDX-License-Identifier: MIT */
/* Local masters and workers. Every wait here is for the one rank that must act next: a worker for
 * its master's lines, a master for a worker's rows in the order in which it dealt the chunks. */
#include "filter.h"
#include "gf.h"

/* What a rank holds while it works. */
struct server {
    struct gf_plan plan;
    int32_t *mask;
    unsigned char *lines; /* as received */
    unsigned char *rows;  /* filtered */
};

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
            team_send(t, t->member[i], s->lines + (size_t)first * row,
                      gf_lines_bytes(&s->plan, (int)(end - first)));
    }
    for (int i = 0; i < t->crew; i++) {
        long first = team_share(rows, i, t->crew), end = team_share(rows, i + 1, t->crew);
        if (end > first)
            team_recv(t, t->member[i], s->rows + (size_t)first * row, (size_t)(end - first) * row);
    }
}

/* Answers one message after the other until the empty one. */
static void work(struct team *t, struct server *s)
{
    const struct gf_plan *plan = &s->plan;
    size_t most = gf_lines_bytes(plan, plan->rows), n;

    while ((n = team_recv(t, t->master, s->lines, most)) > 0) {
        int rows = (int)(n / gf_row_bytes(plan)) - plan->mask / 2 * 2;
        if (t->crew)
            deal(t, s, rows);
        else
            gf_compute(t, plan, s->mask, s->lines, s->rows, rows);
        team_send(t, t->master, s->rows, (size_t)rows * gf_row_bytes(plan));
    }
    for (int i = 0; i < t->crew; i++)
        team_send(t, t->member[i], NULL, 0);
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
    s.lines = team_alloc(t, gf_lines_bytes(plan, plan->rows), "its lines");
    s.rows = team_alloc(t, (size_t)plan->rows * gf_row_bytes(plan), "its rows");
    team_barrier(t);
    work(t, &s);
    team_free(t, s.rows, (size_t)plan->rows * gf_row_bytes(plan));
    team_free(t, s.lines, gf_lines_bytes(plan, plan->rows));
    team_free(t, s.mask, gf_mask_bytes(plan));
    return 0;
}
