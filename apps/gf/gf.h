/* SPDX-License-Identifier: MIT */
/* Who does what: the global master (rank 0) gets stripes of rows from a source and deals them to
 * the local masters, one per cluster; a local master deals chunks of its stripe to its workers, or
 * filters by itself when it has none (common/team.h).
 *
 * A stripe or chunk is one message: its rows and mask/2 lines more above and below; an empty
 * message ends the work. The answer is the rows. As published (chunks.h) a word stands before each
 * message, and chunks are squares. */
#ifndef GF_GF_H
#define GF_GF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/team.h"

struct gf_options {
    const char *file[2]; /* input, output */
    int images, side;    /* made images of side x side points; 0: files */
    bool paper, quick;   /* as many made images as uller-2021, table 5; a few small ones */
    int mask;            /* lines and columns of the mask, odd */
    double sigma;        /* of the Gaussian, pixels */
    int rows;            /* most rows in one stripe, 0 = chosen by memory */
    int cycles;          /* modelled processor cycles of one multiply-add */
    bool published;      /* made images are dealt as the program of uller-2021 deals them */
    bool check;          /* compare the result with a serial run */
    bool progress;
};

/* What rank 0 tells every rank. */
struct gf_plan {
    int stop; /* 1: there is nothing to do; all that follows is undefined */
    int width, channels;
    int mask;   /* size of the mask, which follows in a message of its own */
    int rows;   /* most rows in one stripe */
    int cycles; /* modelled cycles of one multiply-add */
    int published;
};

static inline size_t gf_row_bytes(const struct gf_plan *plan)
{
    return (size_t)plan->width * (size_t)plan->channels;
}

/* Bytes of a message with `rows` rows to be filtered. */
static inline size_t gf_lines_bytes(const struct gf_plan *plan, int rows)
{
    return gf_row_bytes(plan) * (size_t)(rows + plan->mask / 2 * 2);
}

static inline size_t gf_mask_bytes(const struct gf_plan *plan)
{
    return (size_t)(plan->mask * plan->mask) * sizeof(int32_t);
}

/* Sends n bytes of lines to a member; 0: it has nothing to do any more. */
void gf_give(struct team *t, const struct gf_plan *plan, int to, const void *lines, size_t n);
/* Receives what the master gave: how many bytes. */
size_t gf_take(struct team *t, const struct gf_plan *plan, void *lines, size_t most);

/* Filters and charges the work to the modelled processor. */
void gf_compute(const struct team *t, const struct gf_plan *plan, const int32_t *mask,
                const unsigned char *lines, unsigned char *out, int rows);

/* What every rank but 0 does: local master or worker. Returns the exit code. */
int gf_serve(struct team *t);

/* What rank 0 does. o == NULL: only sends the others home. Returns the exit code. */
int gf_master(struct team *t, const struct gf_options *o);

#endif
