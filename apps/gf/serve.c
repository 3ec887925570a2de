/* SPDX-License-Identifier: MIT */
/* Local masters and workers. Every wait here is for the one rank that must act next: a worker for
 * its master's lines, a master for a worker's rows in the order in which it dealt the chunks. */
#include <stdlib.h>

#include <mpi.h>

#include "filter.h"
#include "plan.h"

/* What a rank holds while it works. */
struct server {
    struct gf_plan plan;
    int *workers;
    int32_t *mask;
    unsigned char *lines; /* as received */
    unsigned char *rows;  /* filtered */
};

void gf_compute(const struct gf_plan *plan, const int32_t *mask, const unsigned char *lines,
                unsigned char *out, int rows)
{
    filter_rows(lines, out, rows, plan->width, plan->channels, mask, plan->mask);
#ifdef MPIX_PCONTROL_WORK
    double multiply_adds = (double)rows * gf_row_bytes(plan) * plan->mask * plan->mask;
    MPI_Pcontrol(MPIX_PCONTROL_WORK, multiply_adds * plan->cycles);
#endif
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes ? bytes : 1);

    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 3);
    return memory;
}

/* First row of part `part` of `parts` nearly equal parts of `rows`. */
static int share(int rows, int part, int parts)
{
    return (int)((long long)rows * part / parts);
}

/* Sends each worker its plan and the mask. */
static void instruct(struct server *s)
{
    struct gf_plan plan = s->plan;

    MPI_Comm_rank(MPI_COMM_WORLD, &plan.master);
    plan.workers = 0;
    plan.rows = s->plan.workers ? (s->plan.rows + s->plan.workers - 1) / s->plan.workers : 0;
    for (int i = 0; i < s->plan.workers; i++) {
        MPI_Send(&plan, GF_PLAN_INTS, MPI_INT, s->workers[i], TAG_PLAN, MPI_COMM_WORLD);
        MPI_Send(s->mask, plan.mask * plan.mask, MPI_INT32_T, s->workers[i], TAG_MASK,
                 MPI_COMM_WORLD);
    }
}

/* Deals `rows` rows of s->lines to the workers and gathers the results in s->rows. */
static void deal(struct server *s, int rows)
{
    int parts = s->plan.workers, row = gf_row_bytes(&s->plan);

    for (int i = 0; i < parts; i++) {
        int first = share(rows, i, parts), count = share(rows, i + 1, parts) - first;
        if (count)
            MPI_Send(s->lines + (size_t)first * (size_t)row, gf_lines_bytes(&s->plan, count),
                     MPI_BYTE, s->workers[i], TAG_LINES, MPI_COMM_WORLD);
    }
    for (int i = 0; i < parts; i++) {
        int first = share(rows, i, parts), count = share(rows, i + 1, parts) - first;
        if (count)
            MPI_Recv(s->rows + (size_t)first * (size_t)row, count * row, MPI_BYTE, s->workers[i],
                     TAG_ROWS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Answers one message after the other until the empty one. */
static void work(struct server *s)
{
    const struct gf_plan *plan = &s->plan;

    for (;;) {
        MPI_Status status;
        int bytes;
        MPI_Recv(s->lines, gf_lines_bytes(plan, plan->rows), MPI_BYTE, plan->master, TAG_LINES,
                 MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, MPI_BYTE, &bytes);
        if (bytes == 0)
            break;
        int rows = bytes / gf_row_bytes(plan) - plan->mask / 2 * 2;
        if (plan->workers)
            deal(s, rows);
        else
            gf_compute(plan, s->mask, s->lines, s->rows, rows);
        MPI_Send(s->rows, rows * gf_row_bytes(plan), MPI_BYTE, plan->master, TAG_ROWS,
                 MPI_COMM_WORLD);
    }
    for (int i = 0; i < plan->workers; i++)
        MPI_Send(NULL, 0, MPI_BYTE, s->workers[i], TAG_LINES, MPI_COMM_WORLD);
}

int gf_serve(void)
{
    struct server s = {.workers = NULL};
    char name[MPI_MAX_PROCESSOR_NAME];
    int length;

    MPI_Get_processor_name(name, &length);
    MPI_Send(name, length, MPI_CHAR, 0, TAG_NAME, MPI_COMM_WORLD);
    /* A worker learns its master from rank 0, then everything else from its master. */
    MPI_Recv(&s.plan, GF_PLAN_INTS, MPI_INT, 0, TAG_PLAN, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (s.plan.stop)
        return 0;
    if (s.plan.master)
        MPI_Recv(&s.plan, GF_PLAN_INTS, MPI_INT, s.plan.master, TAG_PLAN, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    const struct gf_plan *plan = &s.plan;
    s.workers = allocate((size_t)plan->workers * sizeof *s.workers);
    s.mask = allocate((size_t)(plan->mask * plan->mask) * sizeof *s.mask);
    s.lines = allocate((size_t)gf_lines_bytes(plan, plan->rows));
    s.rows = allocate((size_t)plan->rows * (size_t)gf_row_bytes(plan));
    if (plan->workers)
        MPI_Recv(s.workers, plan->workers, MPI_INT, 0, TAG_WORKERS, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Recv(s.mask, plan->mask * plan->mask, MPI_INT32_T, plan->master, TAG_MASK, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    instruct(&s);
    MPI_Barrier(MPI_COMM_WORLD);
    work(&s);
    free(s.rows);
    free(s.lines);
    free(s.mask);
    free(s.workers);
    return 0;
}
