/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "forms.h"

static size_t bytes(long count)
{
    return (size_t)count * sizeof(struct abundance);
}

static long begin(const struct team *t, const struct form *form, long count, int i)
{
    return t->crew ? form->begin(t, count, i) : 0;
}

static uint64_t compute(struct abundance *all, const struct part *p)
{
    uint64_t divisions = 0;

    for (uint32_t i = 0; i < p->count; i++)
        all[i] = abundance_of(p->first + i, &divisions);
    return divisions;
}

/* f->all has the numbers before `end`. */
static void find(struct team *t, const struct finder *finder, struct friends *f, long first,
                 long end)
{
    uint64_t before = f->steps;

    finder->add(f, first, end);
    team_work(t, (double)(f->steps - before) * finder->step_cycles);
}

/* Fills in `all` for *p: the crew's parts by the crew, the rest here. f: where the friends among
 * them go, or NULL. */
static void solve(struct team *t, const struct fn_options *o, const struct part *p,
                  struct abundance *all, struct friends *f)
{
    const struct form *form = fn_form(o);
    long own = begin(t, form, p->count, t->crew);
    struct part rest = {p->first + (uint32_t)own, p->count - (uint32_t)own};

    for (int i = 0; i < t->crew; i++) {
        long first = begin(t, form, p->count, i), end = begin(t, form, p->count, i + 1);
        struct part one = {p->first + (uint32_t)first, (uint32_t)(end - first)};
        form->give(t, t->member[i], &one, all + first);
    }
    uint64_t divisions = compute(all + own, &rest);
    team_work(t, form->cycles(o, &rest, divisions));
    for (int i = 0; i < t->crew; i++) {
        long first = begin(t, form, p->count, i), end = begin(t, form, p->count, i + 1);
        team_recv(t, t->member[i], all + first, bytes(end - first));
        if (f && form->at_once)
            find(t, form->finder, f, first, end);
    }
    if (f)
        find(t, form->finder, f, form->at_once ? own : 0, p->count);
}

static size_t table_bytes(const struct friends *f)
{
    return sizeof *f->slot << f->bits;
}

/* Rank 0: the room of what is looked for is released before the result is returned. */
static void solve_all(struct team *t, const struct fn_options *o, struct fn_result *r)
{
    struct part p = {(uint32_t)o->from, (uint32_t)o->count};
    size_t list = (size_t)p.count * sizeof(uint32_t);
    struct friends f = {.all = r->all, .count = p.count, .bits = friends_bits(p.count)};

    f.list = team_alloc(t, list, "a list of friends");
    f.met = team_alloc(t, p.count, "marks of friends");
    f.slot = team_alloc(t, table_bytes(&f), "a table of abundances");
    memset(f.met, 0, p.count);
    memset(f.slot, 0, table_bytes(&f));
    solve(t, o, &p, r->all, &f);
    r->friends = f.found;
    r->friend = team_alloc(t, bytes(f.found), "the friends");
    struct abundance *spare = team_alloc(t, bytes(f.found), "the friends");
    size_t start_bytes = (size_t)(f.found + 1) * sizeof(long);
    long *start = team_alloc(t, start_bytes, "the friends");
    struct abundance *sorted = friends_sorted(&f, r->friend, spare, start);
    team_free(t, start, start_bytes);
    team_free(t, sorted == spare ? r->friend : spare, bytes(f.found));
    r->friend = sorted;
    team_free(t, f.slot, table_bytes(&f));
    team_free(t, f.met, p.count);
    team_free(t, f.list, list);
}

static void serve(struct team *t, const struct fn_options *o)
{
    const struct form *form = fn_form(o);
    struct part p;

    form->take(t, &p);
    struct abundance *all = team_alloc(t, bytes(p.count), "abundances");
    form->take_rest(t, &p, all);
    solve(t, o, &p, all, NULL);
    team_send(t, t->master, all, bytes(p.count));
    team_free(t, all, bytes(p.count));
}

void fn_solve(struct team *t, const struct fn_options *o, struct fn_result *r)
{
    if (t->master >= 0) {
        serve(t, o);
        return;
    }
    r->all = team_alloc(t, bytes(o->count), "abundances");
    solve_all(t, o, r);
}

void fn_release(const struct team *t, const struct fn_options *o, struct fn_result *r)
{
    team_free(t, r->friend, bytes(r->friends));
    team_free(t, r->all, bytes(o->count));
}
