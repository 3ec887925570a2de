/* SPDX-License-Identifier: MIT */
/* Routines of the C library that stand before its own. A rank that shares its process gets its own
 * state; for all others the C library's routine does what it always does. The formulas are the C
 * library's, through its reentrant routines, so the numbers are the same. */
#include <getopt.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "behind.h"
#include "instance.h"

/* The calling rank's state, NULL if the C library's will do. */
static struct image_libc *own(void)
{
    struct image_rank *r = image.shared ? image_rank_self() : NULL;
    return r == NULL ? NULL : &r->libc;
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
    if (c == NULL)
        return next();
    if (c->random.state == NULL)
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
    if (c == NULL)
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
    if (c == NULL)
        return next();
    drand48_r(&c->drand48, &number);
    return number;
}

EXPORT long lrand48(void)
{
    NEXT(lrand48, long, void);
    struct image_libc *c = own();
    long number;
    if (c == NULL)
        return next();
    lrand48_r(&c->drand48, &number);
    return number;
}

EXPORT long mrand48(void)
{
    NEXT(mrand48, long, void);
    struct image_libc *c = own();
    long number;
    if (c == NULL)
        return next();
    mrand48_r(&c->drand48, &number);
    return number;
}

EXPORT void srand48(long number)
{
    NEXT(srand48, void, long);
    struct image_libc *c = own();
    if (c == NULL)
        next(number);
    else
        srand48_r(number, &c->drand48);
}

/* --- strtok --- */

EXPORT char *strtok(char *text, const char *separators)
{
    NEXT(strtok, char *, char *, const char *);
    struct image_libc *c = own();
    return c == NULL ? next(text, separators) : strtok_r(text, separators, &c->strtok);
}

/* --- getopt --- */

/* The C library's variables, lent to the calling rank for one call, which neither waits nor
 * switches. The C library also keeps its place within a word of short options: ranks on several
 * cores must not read their options at the same time, which `parsing` sees to. */
struct loan {
    struct image_getopt *g; /* NULL: none */
    int optind, opterr, optopt;
    char *optarg;
};

static atomic_flag parsing = ATOMIC_FLAG_INIT;

static struct loan lend(void)
{
    struct image_rank *r = image.shared ? image_rank_self() : NULL;
    struct loan l = {.g = r == NULL ? NULL : image_instance_getopt(r->instance)};
    if (l.g == NULL)
        return l;
    while (atomic_flag_test_and_set_explicit(&parsing, memory_order_acquire))
        sched_yield();
    l.optind = optind;
    l.opterr = opterr;
    l.optopt = optopt;
    l.optarg = optarg;
    optind = l.g->begun || *l.g->optind != 1 ? *l.g->optind : 0; /* 0: begin anew */
    opterr = *l.g->opterr;
    l.g->begun = true;
    return l;
}

static int give_back(const struct loan *l, int result)
{
    if (l->g == NULL)
        return result;
    *l->g->optind = optind;
    *l->g->optopt = optopt;
    *l->g->optarg = optarg;
    optind = l->optind;
    opterr = l->opterr;
    optopt = l->optopt;
    optarg = l->optarg;
    atomic_flag_clear_explicit(&parsing, memory_order_release);
    return result;
}

EXPORT int getopt(int argc, char *const *argv, const char *options)
{
    NEXT(getopt, int, int, char *const *, const char *);
    struct loan l = lend();
    return give_back(&l, next(argc, argv, options));
}

EXPORT int getopt_long(int argc, char *const *argv, const char *options, const struct option *longs,
                       int *index)
{
    NEXT(getopt_long, int, int, char *const *, const char *, const struct option *, int *);
    struct loan l = lend();
    return give_back(&l, next(argc, argv, options, longs, index));
}

EXPORT int getopt_long_only(int argc, char *const *argv, const char *options,
                            const struct option *longs, int *index)
{
    NEXT(getopt_long_only, int, int, char *const *, const char *, const struct option *, int *);
    struct loan l = lend();
    return give_back(&l, next(argc, argv, options, longs, index));
}
