/* SPDX-License-Identifier: MIT */
/* Who does what: the global master (rank 0) reads the points and streams them to the workers
 * through their local masters; each worker keeps its part. Then, in each iteration, the centroids
 * go down the team and the tallies, added on the way, come up; the global master moves the
 * centroids, until none moves or there were iterations enough. At last the labels come up if
 * somebody wants them. */
#ifndef KM_KM_H
#define KM_KM_H

#include <stdbool.h>
#include <stdint.h>

#include "common/team.h"
#include "means.h"

struct km_options {
    const char *file[2];    /* picture whose colours are the points, and the recoloured one */
    int points, dimensions; /* made points; points 0: 13440 for each cluster */
    int centroids;          /* 0: 128 for made points, 16 for a picture */
    int iterations;         /* at most */
    int cycles;             /* modelled cycles for one dimension of one distance */
    bool published;         /* tallies travel as in the program of uller-2021 */
    bool quick, check;
};

/* What rank 0 tells every rank. */
struct km_plan {
    int stop; /* 1: there is nothing to do; all that follows is undefined */
    struct shape shape;
    long points; /* of all ranks */
    int cycles;
    bool labels; /* are wanted */
};

/* Points, and what becomes of their labels. */
struct km_points {
    const struct km_source *source;
    const struct km_options *options;
    long count;
    int dimensions;
    long next;     /* to be read */
    void *state;   /* the source's own */
    char why[200]; /* first failure */
};

struct km_source {
    /* Sets count and dimensions; 0, or -1 with why set. May be called again after close. */
    int (*open)(struct km_points *p);
    int (*read)(struct km_points *p, coordinate *to, long n); /* the next n; 0, or -1 and why */
    /* All labels in order, n at a time; NULL: not wanted. 0, or -1 and why. */
    int (*begin_labels)(struct km_points *p);
    int (*label)(struct km_points *p, const coordinate *centroids, const uint8_t *labels, long n);
    int (*end_labels)(struct km_points *p);
    void (*close)(struct km_points *p);
};

/* Points made from numbers; the colours of a picture. */
extern const struct km_source km_made, km_picture;

enum {
    KM_PIECE = 2048,    /* most points, or labels, in one message */
    KM_ADD_CYCLES = 3,  /* modelled: add a value of a tally: two loads, sum, store; assumed */
    KM_MOVE_CYCLES = 40 /* and divide one; assumed */
};

/* What a rank holds. Who has a crew keeps no points: there is room for a piece only. */
struct km_rank {
    struct km_plan plan;
    long count; /* points of this rank, or of its crew */
    long room;  /* points that there is room for */
    coordinate *centroids;
    coordinate *points;
    uint8_t *labels;
    struct tally *sum, *one; /* of this rank and below; of a member of the crew */
};

/* Learns `count` (rank 0 knows it: all), tells the crew theirs, gets the memory. Collective. */
void km_open(struct team *t, struct km_rank *r);
void km_close(struct team *t, struct km_rank *r);

/* Sends n points, the at-th and later ones of r->count, to those of the crew whose parts they
 * are. */
void km_pass_on(struct team *t, const struct km_rank *r, long at, const coordinate *points, long n);

/* One pass with r->centroids, which the master has sent: r->sum becomes the tally of all that is
 * below, this rank included. */
void km_pass(struct team *t, struct km_rank *r);

/* A tally to the master, from a member: in one message, or as published in three: the sums, the
 * counts, and a word. */
void km_give_tally(struct team *t, const struct km_rank *r);
void km_take_tally(struct team *t, const struct km_rank *r, int from);

/* Calls take(arg, labels, n) for all labels below, in order and in pieces, until it returns other
 * than 0, and even then (take NULL: from the beginning) receives the rest. Returns the first such
 * value, or 0. */
int km_labels(struct team *t, struct km_rank *r,
              int (*take)(void *arg, const uint8_t *labels, long n), void *arg);

/* What rank 0 does, and what the others do. Both return the exit code. */
int km_master(struct team *t, const struct km_options *o);
int km_serve(struct team *t);

/* Takes the points anew and iterates alone: 0 if that ends with the same centroids, else -1 with
 * p->why set. */
int km_check(const struct km_rank *r, struct km_points *p, int passes);

#endif
