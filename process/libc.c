/* SPDX-License-Identifier: MIT */
/* Routines of the C library that stand before its own. A rank that shares its process gets its own
 * state; for all others the C library's routine does what it always does. The formulas are the C
 * library's, through its reentrant routines, so the numbers are the same. */
#include <getopt.h>
#include <stdint.h>
#include <string.h>

#include "behind.h"
#include "instance.h"

/* The calling rank's state, NULL if the C library's will do. */
static struct image_libc *own(void)
{
    struct image_rank *r = image.shared ? image_rank_self() : NULL;
    return r ? &r->libc : NULL;
}

/* --- random numbers --- */

static void seed(struct image_libc *c, unsigned int number)
{
    memset(&c->random, 0, sizeof c->random);
    initstate_r(number, c->random_state, sizeof c->random_state, &c->random);
}

EXPORT long random(void)
{
    NEXT(random, long, void);
    struct image_libc *c = own();
    int32_t number;
    if (!c)
        return next();
    if (!c->random.state)
        seed(c, 1);
    random_r(&c->random, &number);
    return number;
}

EXPORT int rand(void)
{
    return (int)random();
}

EXPORT void srandom(unsigned int number)
{
    NEXT(srandom, void, unsigned int);
    struct image_libc *c = own();
    if (!c)
        next(number);
    else
        seed(c, number);
}

EXPORT void srand(unsigned int number)
{
    srandom(number);
}

EXPORT double drand48(void)
{
    NEXT(drand48, double, void);
    struct image_libc *c = own();
    double number;
    if (!c)
        return next();
    drand48_r(&c->drand48, &number);
    return number;
}

EXPORT long lrand48(void)
{
    NEXT(lrand48, long, void);
    struct image_libc *c = own();
    long number;
    if (!c)
        return next();
    lrand48_r(&c->drand48, &number);
    return number;
}

EXPORT long mrand48(void)
{
    NEXT(mrand48, long, void);
    struct image_libc *c = own();
    long number;
    if (!c)
        return next();
    mrand48_r(&c->drand48, &number);
    return number;
}

EXPORT void srand48(long number)
{
    NEXT(srand48, void, long);
    struct image_libc *c = own();
    if (!c)
        next(number);
    else
        srand48_r(number, &c->drand48);
}

/* --- strtok --- */

EXPORT char *strtok(char *text, const char *separators)
{
    NEXT(strtok, char *, char *, const char *);
    struct image_libc *c = own();
    return c ? strtok_r(text, separators, &c->strtok) : next(text, separators);
}

/* --- getopt --- */

/* Each rank of a shared process remembers its own place. NULL: the C library's routine. */
static struct image_options *place(struct image_optvars *v)
{
    struct image_rank *r = image.shared ? image_rank_self() : NULL;
    if (!r)
        return NULL;
    *v = image_instance_getopt(r->instance);
    return &r->libc.options;
}

EXPORT int getopt(int argc, char *const *argv, const char *options)
{
    NEXT(getopt, int, int, char *const *, const char *);
    struct image_optvars v;
    struct image_options *o = place(&v);
    return o ? image_getopt(o, &v, argc, argv, options, NULL, NULL, false)
             : next(argc, argv, options);
}

EXPORT int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs,
                       int *index)
{
    NEXT(getopt_long, int, int, char *const *, const char *, const struct option *, int *);
    struct image_optvars v;
    struct image_options *o = place(&v);
    return o ? image_getopt(o, &v, argc, argv, options, longs, index, false)
             : next(argc, argv, options, longs, index);
}

EXPORT int getopt_long_only(int argc, char *const *argv, const char *options,
                            const struct option *longs, int *index)
{
    NEXT(getopt_long_only, int, int, char *const *, const char *, const struct option *, int *);
    struct image_optvars v;
    struct image_options *o = place(&v);
    return o ? image_getopt(o, &v, argc, argv, options, longs, index, true)
             : next(argc, argv, options, longs, index);
}
