/* SPDX-License-Identifier: MIT */
/* Points made from their numbers: evenly spread, without pattern. */
#include "km.h"

static int open_made(struct km_points *p)
{
    p->count = p->options->points;
    p->dimensions = p->options->dimensions;
    p->next = 0;
    return 0;
}

/* A bijection of 64 bits whose output looks random (the finalizer of a multiplicative hash). */
static uint64_t scatter(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static int read_made(struct km_points *p, coordinate *to, long n)
{
    uint64_t at = (uint64_t)p->next * (uint64_t)p->dimensions;

    for (long i = 0; i < n * p->dimensions; i++)
        to[i] = (coordinate)(scatter(at++) & COORDINATE_MAX);
    p->next += n;
    return 0;
}

static void close_made(struct km_points *p)
{
    (void)p;
}

const struct km_source km_made = {
    .open = open_made,
    .read = read_made,
    .close = close_made,
};
