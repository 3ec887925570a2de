/* SPDX-License-Identifier: MIT */
/* Who does what: the global master (rank 0) reads and writes the picture and deals stripes of rows
 * to the local masters, one per cluster; a local master deals chunks of its stripe to the workers
 * of its cluster, or filters by itself when it has none. (uller-2021, 6.1)
 *
 *                  rank 0: picture file
 *             stripes /      \ stripes           a stripe or chunk is one message: its rows and
 *        local master         local master       mask/2 lines more above and below; an empty
 *        chunks / | \         chunks / | \       message ends the work. The answer is the rows.
 *          workers              workers
 *
 * Which cluster a rank lives in, MPI_Get_processor_name says. */
#ifndef GF_PLAN_H
#define GF_PLAN_H

#include <stddef.h>
#include <stdint.h>

enum gf_tag { TAG_NAME = 1, TAG_PLAN, TAG_WORKERS, TAG_MASK, TAG_LINES, TAG_ROWS };

/* What rank 0 tells every rank; only ints, because it travels as MPI_INT. */
struct gf_plan {
    int stop;    /* 1: there is nothing to do; all that follows is undefined */
    int master;  /* who sends this rank its lines; 0 for a local master */
    int workers; /* of a local master; their ranks follow in a message TAG_WORKERS */
    int width, channels;
    int mask;   /* size of the mask, which follows in a message TAG_MASK */
    int rows;   /* most rows in one message to this rank */
    int cycles; /* modelled cycles of one multiply-add */
};

enum { GF_PLAN_INTS = sizeof(struct gf_plan) / sizeof(int) };

static inline int gf_row_bytes(const struct gf_plan *plan)
{
    return plan->width * plan->channels;
}

/* Bytes of a message with `rows` rows to be filtered. */
static inline int gf_lines_bytes(const struct gf_plan *plan, int rows)
{
    return gf_row_bytes(plan) * (rows + plan->mask / 2 * 2);
}

/* Filters and charges the work to the modelled processor. */
void gf_compute(const struct gf_plan *plan, const int32_t *mask, const unsigned char *lines,
                unsigned char *out, int rows);

/* What every rank but 0 does: local master or worker, as rank 0 decides. Returns the exit code. */
int gf_serve(void);

struct gf_options;

/* Filters the input again, alone and row by row, and compares it with the written picture. 0, or -1
 * with one line in why. */
int gf_check(const struct gf_options *o, const int32_t *mask, char *why, size_t why_size);

/* What rank 0 does. o == NULL: only sends the others home. Returns the exit code. */
int gf_master(const struct gf_options *o, int ranks);

#endif
