/* SPDX-License-Identifier: MIT */
/* fn: all sets of numbers in a range that share their abundance. The friendly numbers of the CAP
 * benchmarks (uller-2021, 6.1). */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fn.h"
#include "common/options.h"

enum { FROM = 1000001, PER_CLUSTER = 1536, QUICK_COUNT = 504 }; /* uller-2021, table 5 */

#define AT(field) offsetof(struct fn_options, field)

static const struct option table[] = {
    {"--from", "A", "first number (1000001)", OPTION_INT, AT(from), 1, NUMBER_MAX, 0,
     "a number from 1 to 500000000"},
    {"--count", "N", "how many numbers (1536 for each cluster)", OPTION_INT, AT(count), 1,
     NUMBER_MAX, 0, "a number from 1 to 500000000"},
    {"--published", "", "as the program does it that uller-2021 measured", OPTION_FLAG,
     AT(published), 0, 0, 0, ""},
    OPTION_CYCLES("one division (40)", AT(cycles)),
    OPTION_QUICK("the numbers 1 to 504", AT(quick)),
    OPTION_CHECK(AT(check)),
    {.name = NULL},
};

static const struct usage usage = {
    .program = "fn",
    .arguments = "",
    .about = "Finds all sets of numbers that share their abundance, the sum of divisors of n over "
             "n.\n",
    .option = table,
};

static int complete(struct fn_options *o, const struct team *t)
{
    if (!o->from)
        o->from = o->quick ? 1 : FROM;
    if (!o->count)
        o->count = o->quick ? QUICK_COUNT : PER_CLUSTER * t->clusters;
    if (o->count <= NUMBER_MAX - o->from + 1)
        return -1;
    return options_refuse(&usage, t->rank == 0, "the last number must not be above 500000000");
}

/* Prints each set on a line; how many there are. */
static int print_sets(const struct abundance *all, long count, long *members)
{
    int sets = 0;

    *members = 0;
    for (long i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && all[end].sum == all[i].sum && all[end].over == all[i].over;)
            end++;
        if (end - i < 2)
            continue;
        printf("%u/%u:", all[i].sum, all[i].over);
        for (long k = i; k < end; k++)
            printf(" %u", all[k].number);
        printf("\n");
        sets++;
        *members += end - i;
    }
    return sets;
}

static int check(const struct fn_options *o, const struct fn_result *r)
{
    static const char *const why[] = {"no memory to check the result", "",
                                      "the result differs from that of a serial run"};
    int found = fn_compare(o, r);

    if (found)
        fprintf(stderr, "fn: %s\n", why[found + 1]);
    return found != 0;
}

static int run(struct team *t, const struct fn_options *o)
{
    struct fn_result r;

    team_barrier(t);
    double begin = team_time(t);
    fn_solve(t, o, &r);
    if (t->rank > 0)
        return 0;
    double seconds = team_time(t) - begin;
    int code = o->check ? check(o, &r) : 0;
    if (code == 0) {
        long members;
        int sets = print_sets(r.friend, r.friends, &members);
        printf("fn: %d to %d: %d sets, %ld numbers in them%s%s; %s, %d ranks in %d clusters; %.6f "
               "s\n",
               o->from, o->from + o->count - 1, sets, members, o->check ? ", as a serial run" : "",
               o->published ? ", the published way" : "", team_form_name, t->ranks, t->clusters,
               seconds);
    }
    fn_release(t, o, &r);
    return code;
}

int main(int argc, char **argv)
{
    struct fn_options options = {.cycles = 40};
    struct team t;

    team_begin(&t, &argc, &argv);
    int code = options_read(&usage, &options, argc, argv, t.rank == 0);
    if (code < 0)
        code = complete(&options, &t);
    t.published = options.published;
    if (code < 0)
        code = run(&t, &options);
    team_end(&t);
    return code;
}
