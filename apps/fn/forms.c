/* SPDX-License-Identifier: MIT */
#include "forms.h"

/* Of the published program, assumed: a round of its division, which subtracts until nothing is left
 * to subtract from; a call of that. */
enum { SUBTRACT_CYCLES = 3, CALL_CYCLES = 10 };

static size_t bytes(const struct part *p)
{
    return p->count * sizeof(struct abundance);
}

/* Own: all who work get as many numbers, and only which ones they are is sent. */
static long begin_own(const struct team *t, long count, int i)
{
    return team_part(t, count, i);
}

static void give_own(struct team *t, int to, const struct part *p, struct abundance *all)
{
    (void)all;
    team_send(t, to, p, sizeof *p);
}

static void take_own(struct team *t, struct part *p)
{
    team_recv(t, t->master, p, sizeof *p);
}

static void take_nothing(struct team *t, const struct part *p, struct abundance *all)
{
    (void)t, (void)p, (void)all;
}

static double cycles_own(const struct fn_options *o, const struct part *p, uint64_t divisions)
{
    (void)p;
    return (double)divisions * o->cycles;
}

/* Published: all clusters get as many numbers, a local master works, too, and the numbers
 * themselves are sent, behind two messages of what they are. */
static long begin_published(const struct team *t, long count, int i)
{
    return team_share(count, i, t->crew + (t->master >= 0));
}

static void give_published(struct team *t, int to, const struct part *p, struct abundance *all)
{
    for (uint32_t i = 0; i < p->count; i++)
        all[i].number = p->first + i;
    team_send(t, to, &p->first, sizeof p->first);
    team_send(t, to, &p->count, sizeof p->count);
    team_send(t, to, all, bytes(p));
}

static void take_published(struct team *t, struct part *p)
{
    team_recv(t, t->master, &p->first, sizeof p->first);
    team_recv(t, t->master, &p->count, sizeof p->count);
}

static void take_numbers(struct team *t, const struct part *p, struct abundance *all)
{
    team_recv(t, t->master, all, bytes(p));
}

/* How often d can be subtracted from n, for all d from 2 to n / 2. The quotients n / d of all d up
 * to n are as often each: those up to the root are counted one by one, the others by pairs. */
static double subtractions(uint32_t n)
{
    double sum = 0;
    uint32_t d = 1;

    for (; d <= n / d; d++)
        sum += 2.0 * (n / d);
    sum -= (double)(d - 1) * (d - 1);
    return n < 4 ? 0 : sum - n - (n - n / 2);
}

/* It tries all divisors up to half of a number. */
static double cycles_published(const struct fn_options *o, const struct part *p, uint64_t divisions)
{
    double cycles = 0;

    (void)o, (void)divisions;
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t n = p->first + i;
        cycles += subtractions(n) * SUBTRACT_CYCLES + n / 2.0 * CALL_CYCLES;
    }
    return cycles;
}

static const struct form own = {
    .begin = begin_own,
    .give = give_own,
    .take = take_own,
    .take_rest = take_nothing,
    .cycles = cycles_own,
    .finder = &friends_by_table,
    .at_once = true,
};

static const struct form published = {
    .begin = begin_published,
    .give = give_published,
    .take = take_published,
    .take_rest = take_numbers,
    .cycles = cycles_published,
    .finder = &friends_by_pairs,
};

const struct form *fn_form(const struct fn_options *o)
{
    return o->published ? &published : &own;
}
