/* SPDX-License-Identifier: MIT */
#ifndef OSU_BANDWIDTH_H
#define OSU_BANDWIDTH_H

#include "osu.h"

/* One side of a stream: what it sends in a window and what it receives. */
struct stream {
    const struct osu *o;
    int peer;
    bool sends, receives;
    char *out, *in;       /* a message each */
    MPI_Request *request; /* room for two windows */
};

/* A stream of the calling rank with `peer`; memory of the program. */
struct stream osu_stream(struct osu *o, int peer, bool sends, bool receives);

/* Seconds from the first message of a window of messages of n bytes to its answer. Collective. */
double osu_stream_time(struct stream *s, size_t n);

#endif
