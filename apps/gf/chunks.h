/* SPDX-License-Identifier: MIT */
/* How the program that uller-2021 measured deals an image inside a cluster: not rows but squares,
 * with mask / 2 points more on each side, copied into a message, one after the other, to one worker
 * after the other; when all have one, each gets its next one when its last one has come back. */
#ifndef GF_CHUNKS_H
#define GF_CHUNKS_H

#include "serve.h"

enum { CHUNK_SIDE = 64 };

/* Bytes of a message with a square. */
size_t chunk_bytes(const struct gf_plan *plan);

/* Deals the image in s->lines to the crew and gathers the answers in s->rows. */
void chunks_deal(struct team *t, struct server *s);

/* Filters the square in s->lines into s->rows. */
void chunk_compute(const struct team *t, struct server *s);

#endif
