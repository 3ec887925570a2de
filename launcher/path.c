/* SPDX-License-Identifier: MIT */
/* The critical path of a job through its ranks. */
#include "path.h"

#include <stdlib.h>
#include <string.h>

#include "records.h"

#define SHOWN       5
#define COMPUTATION PROFILE_FUNCTIONS /* after the functions */
#define COLUMNS     (PROFILE_FUNCTIONS + 1)

struct walk {
    uint64_t *spent;  /* ticks by rank and function */
    uint64_t *cursor; /* of each rank: calls from here on begin later than the path is */
    int rank;
    uint64_t at;
    uint64_t met; /* when it went on in another rank, the last time: two that ask each other in vain
                     must not send it to and fro */
};

static void spend(struct walk *w, int function, uint64_t until)
{
    w->spent[(size_t)w->rank * COLUMNS + (size_t)function] += w->at - until;
    w->at = until;
}

/* The latest call of the rank that began before the path is; NULL: it is before all that are
 * held. */
static const struct profile_record *call_before(struct walk *w)
{
    while (w->cursor[w->rank] > records_first(w->rank)) {
        const struct profile_record *r = records_at(w->rank, w->cursor[w->rank] - 1);
        if ((r->part & PROFILE_MORE) == 0 && r->begin < w->at)
            return r;
        w->cursor[w->rank]--;
    }
    return NULL;
}

/* The rank asked whether a message is there, from anybody perhaps, until this call got it: while
 * it asked it waited for whose message that is, and the path goes on there. */
static bool asked_for(struct walk *w, const struct profile_record *r)
{
    const struct records_part *s = r->part & PROFILE_RECEIVED ? records_sent(r->id) : NULL;
    if (!s || s->rank == w->rank || s->at >= r->begin)
        return false;
    int function = -1;
    uint64_t since = r->begin;
    for (uint64_t i = w->cursor[w->rank] - 1; i > records_first(w->rank); i--) {
        const struct profile_record *before = records_at(w->rank, i - 1);
        if (before->part & PROFILE_MORE)
            continue;
        if (!records_asks(w->rank, before))
            break;
        since = before->begin;
        function = before->function;
    }
    if (function < 0 || since >= s->at)
        return false;
    spend(w, r->function, r->begin);
    spend(w, function, s->at);
    w->met = s->at;
    w->rank = s->rank;
    return true;
}

/* One step back; false: it was the first. */
static bool step(struct walk *w)
{
    const struct profile_record *r = call_before(w);
    if (!r) {
        uint64_t begin = records_begin(w->rank);
        if (begin < w->at)
            spend(w, COMPUTATION, begin);
        return false;
    }
    if (r->end < w->at)
        spend(w, COMPUTATION, r->end);
    bool waited = r->last > r->begin && r->who != w->rank && r->who >= 0 &&
                  r->who < records_ranks &&
                  (r->last < w->at || (r->last == w->at && w->at < w->met));
    if (!waited && asked_for(w, r))
        return true;
    w->met = waited ? r->last : w->met;
    spend(w, r->function, waited ? r->last : r->begin);
    w->rank = waited ? r->who : w->rank;
    return true;
}

static int last_rank(void)
{
    int last = -1;
    for (int i = 0; i < records_ranks; i++)
        if (records_rank[i].begin > 0 && (last < 0 || records_end(i) > records_end(last)))
            last = i;
    return last;
}

static int by_seconds(const void *a, const void *b)
{
    const struct path_part *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->rank != y->rank ? x->rank - y->rank : x->function - y->function;
}

static void collect(struct path *p, const struct walk *w)
{
    for (size_t i = 0; i < (size_t)records_ranks * COLUMNS; i++) {
        if (w->spent[i] == 0)
            continue;
        int function = (int)(i % COLUMNS);
        p->part[p->parts++] = (struct path_part){.rank = (int)(i / COLUMNS),
                                                 .function = function < COMPUTATION ? function : -1,
                                                 .seconds = records_seconds(w->spent[i])};
        p->seconds += records_seconds(w->spent[i]);
    }
    if (p->parts > 0)
        qsort(p->part, (size_t)p->parts, sizeof *p->part, by_seconds);
}

bool path_find(struct path *p)
{
    struct walk w = {.rank = last_rank(), .met = UINT64_MAX};
    size_t ranks = (size_t)records_ranks, used = 0;
    *p = (struct path){0};
    if (w.rank < 0)
        return false;
    w.at = records_end(w.rank);
    w.spent = calloc(ranks * COLUMNS, sizeof *w.spent);
    w.cursor = calloc(ranks, sizeof *w.cursor);
    if (w.spent && w.cursor && records_index()) {
        for (int i = 0; i < records_ranks; i++)
            w.cursor[i] = records_rank[i].recorded;
        while (step(&w))
            ;
        for (size_t i = 0; i < ranks * COLUMNS; i++)
            used += w.spent[i] > 0;
        p->part = used > 0 ? calloc(used, sizeof *p->part) : NULL;
    }
    if (p->part)
        collect(p, &w);
    p->whole = p->part && records_first(w.rank) == 0;
    free(w.spent);
    free(w.cursor);
    return p->part != NULL;
}

void path_print(FILE *to, const struct path *p)
{
    fprintf(to, "  critical path%s:\n",
            p->whole ? "" : " (of the latest calls, which are all that is held)");
    for (int i = 0; i < p->parts && i < SHOWN; i++) {
        const struct path_part *part = &p->part[i];
        fprintf(to, "    %5.1f %%  %s in rank %d\n", 100 * part->seconds / p->seconds,
                part->function < 0 ? "computation"
                                   : records_rank[part->rank].function[part->function].name,
                part->rank);
    }
}

int path_computes(const struct path *p)
{
    for (int i = 0; i < p->parts; i++)
        if (p->part[i].function < 0)
            return p->part[i].rank;
    return -1;
}

/* What a rank computed between calls that asked in vain. */
static uint64_t passed(int rank)
{
    uint64_t ticks = 0, before = 0;
    bool asked = false;
    for (uint64_t k = 0; k < records_rank[rank].recorded; k++) {
        const struct profile_record *r = records_at(rank, k);
        if (r->part & PROFILE_MORE)
            continue;
        ticks += asked && r->begin > before ? r->begin - before : 0;
        asked = records_asks(rank, r);
        before = r->end;
    }
    return ticks;
}

int path_idler(void)
{
    uint64_t most = 0;
    int idler = -1;
    for (int i = 0; i < records_ranks; i++) {
        uint64_t ticks = passed(i);
        idler = ticks > most ? i : idler;
        most = ticks > most ? ticks : most;
    }
    return idler;
}
