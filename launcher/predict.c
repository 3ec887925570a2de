/* SPDX-License-Identifier: MIT */
/* The job once more on paper, with one rank faster: the begins and ends of all calls in the order
 * in which they were. Whatever a call needed had begun before it ended, so its new time is known by
 * then. */
#include "path.h"

#include <stdlib.h>

#include "records.h"

struct event {
    uint64_t at;
    uint64_t number; /* of the rank's record */
    int rank;
    int before; /* events of its rank at this time before it: a call begins as another one ends */
    bool ends;
    bool in_vain; /* it asked for what a later call got, and takes no time */
};

/* A collective: who must have come, and when they did, as it was and as it would be. */
struct meeting {
    uint64_t id;
    double all_old, all, root_old, root;
};

struct replay {
    struct event *event;
    size_t events;
    double **begin; /* of each rank's records: the new time */
    double *now;    /* of each rank: the new time up to which it has come, */
    uint64_t *was;  /* ... which was this one */
    struct meeting *meeting;
    size_t meetings;
    int rank;
    double factor;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->before != y->before ? x->before - y->before : x->rank - y->rank;
}

static int by_id(const void *a, const void *b)
{
    const struct meeting *x = a, *y = b;
    return x->id < y->id ? -1 : x->id > y->id;
}

#define MEETS (PROFILE_MEETS_ALL | PROFILE_MEETS_ROOT | PROFILE_ROOT_MEETS)

static struct meeting *meeting_of(struct replay *p, const struct profile_record *r, int how)
{
    const struct meeting wanted = {.id = r->id};
    return (r->part & MEETS) == 0 || (r->part & how) == 0
               ? NULL
               : bsearch(&wanted, p->meeting, p->meetings, sizeof *p->meeting, by_id);
}

static double computed(const struct replay *p, int rank, uint64_t from, uint64_t to)
{
    double ticks = to > from ? (double)(to - from) : 0;
    return rank == p->rank ? ticks / p->factor : ticks;
}

static void begins(struct replay *p, int rank, uint64_t number)
{
    const struct profile_record *r = records_at(rank, number);
    double at = p->now[rank] + computed(p, rank, p->was[rank], r->begin);
    p->begin[rank][number] = at;
    p->now[rank] = at;
    p->was[rank] = r->begin;
    struct meeting *m = meeting_of(p, r, PROFILE_COMES);
    if (!m)
        return;
    double old = (double)r->begin;
    m->all = at > m->all ? at : m->all;
    m->all_old = old > m->all_old ? old : m->all_old;
    if (r->part & PROFILE_IS_ROOT) {
        m->root = at;
        m->root_old = old;
    }
}

/* When the call of the rank that began at that time would begin; < 0: it is not known. */
static double begin_of(const struct replay *p, int rank, uint64_t at)
{
    uint64_t low = 0, high = records_rank[rank].recorded;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (records_at(rank, middle)->begin < at)
            low = middle + 1;
        else
            high = middle;
    }
    while (low < records_rank[rank].recorded && records_at(rank, low)->part & PROFILE_MORE)
        low++;
    return low < records_rank[rank].recorded && records_at(rank, low)->begin == at
               ? p->begin[rank][low]
               : -1;
}

struct need {
    double old, now;
};

static void needs(struct need *n, double old, double now)
{
    n->old = old > n->old ? old : n->old;
    n->now = now > n->now ? now : n->now;
}

/* What the call needed in one message or collective. */
static void look(struct replay *p, const struct profile_record *r, struct need *n)
{
    const struct meeting *m = meeting_of(p, r, PROFILE_LEAVES);
    const struct records_part *s = r->part & PROFILE_RECEIVED ? records_sent(r->id) : NULL;
    const struct records_part *a = r->part & PROFILE_SENT ? records_asked(r->id) : NULL;
    if (s)
        needs(n, (double)s->at, begin_of(p, s->rank, s->at));
    if (a)
        needs(n, (double)a->at, begin_of(p, a->rank, a->at));
    if (m && (r->part & PROFILE_MEETS_ROOT))
        needs(n, m->root_old, m->root);
    else if (m && ((r->part & PROFILE_MEETS_ALL) || (r->part & PROFILE_IS_ROOT)))
        needs(n, m->all_old, m->all);
}

/* Ticks of the rank's calls before this one that asked for what it got, when that was there. */
static double asked_since(int rank, uint64_t number, double there)
{
    double ticks = 0;
    for (uint64_t i = number; i > 0; i--) {
        const struct profile_record *before = records_at(rank, i - 1);
        double begin = (double)before->begin, end = (double)before->end;
        if (before->part & PROFILE_MORE)
            continue;
        if (!records_asks(rank, before) || end <= there)
            break;
        ticks += end - (begin > there ? begin : there);
    }
    return ticks;
}

/* After the last of what it needed the call takes as long as it did. */
static void ends(struct replay *p, int rank, uint64_t number)
{
    const struct profile_record *r = records_at(rank, number);
    struct need n = {0, 0};
    if (r->last > r->begin && r->part != 0 && r->who >= 0 && r->who < records_ranks) /* or credit */
        needs(&n, (double)r->last, begin_of(p, r->who, r->last));
    look(p, r, &n);
    for (uint64_t i = number; i > 0 && records_at(rank, i - 1)->part & PROFILE_MORE; i--)
        look(p, records_at(rank, i - 1), &n);
    double asked = n.old > 0 ? asked_since(rank, number, n.old) : 0;
    needs(&n, (double)r->begin, p->begin[rank][number]);
    double rest = (double)r->end - n.old;
    p->now[rank] = n.now + (rest > 0 ? rest : 0) + asked;
    p->was[rank] = r->end;
}

static bool make(struct replay *p)
{
    size_t calls = 0, ranks = (size_t)records_ranks;
    for (size_t i = 0; i < ranks; i++)
        calls += records_rank[i].recorded;
    p->event = calloc(2 * calls + 1, sizeof *p->event);
    p->meeting = calloc(calls + 1, sizeof *p->meeting);
    p->begin = calloc(ranks + 1, sizeof *p->begin);
    p->now = calloc(ranks, sizeof *p->now);
    p->was = calloc(ranks, sizeof *p->was);
    double *all = calloc(calls + 1, sizeof *all);
    if (p->begin)
        p->begin[0] = all;
    return p->event && p->meeting && p->now && p->was && p->begin && all;
}

static void add(struct replay *p, struct event e)
{
    const struct event *before = p->events > 0 ? &p->event[p->events - 1] : NULL;
    if (before && before->rank == e.rank && before->at == e.at)
        e.before = before->before + 1;
    p->event[p->events++] = e;
}

/* The calls of the rank that asked in vain right before its last event, which got what they asked
 * for. */
static void mark_in_vain(struct replay *p, int rank, uint64_t number)
{
    if ((records_at(rank, number)->part & (PROFILE_RECEIVED | PROFILE_LEAVES)) == 0)
        return;
    for (size_t i = p->events - 2; i > 0; i--) {
        struct event *e = &p->event[i - 1];
        if (e->rank != rank || !records_asks(rank, records_at(rank, e->number)))
            break;
        e->in_vain = true;
    }
}

static void fill(struct replay *p)
{
    for (int i = 0; i < records_ranks; i++) {
        p->begin[i + 1] = p->begin[i] + records_rank[i].recorded;
        p->was[i] = records_begin(i);
        p->now[i] = (double)p->was[i];
        for (uint64_t k = 0; k < records_rank[i].recorded; k++) {
            const struct profile_record *r = records_at(i, k);
            if (r->part & PROFILE_MORE)
                continue;
            add(p, (struct event){.at = r->begin, .number = k, .rank = i});
            add(p, (struct event){.at = r->end, .number = k, .rank = i, .ends = true});
            mark_in_vain(p, i, k);
            if (r->part & PROFILE_COMES)
                p->meeting[p->meetings++].id = r->id;
        }
    }
    qsort(p->event, p->events, sizeof *p->event, by_time);
    qsort(p->meeting, p->meetings, sizeof *p->meeting, by_id);
    size_t n = 0;
    for (size_t i = 0; i < p->meetings; i++)
        if (n == 0 || p->meeting[n - 1].id != p->meeting[i].id)
            p->meeting[n++] = p->meeting[i];
    p->meetings = n;
}

static double run(struct replay *p)
{
    double first = -1, last = 0;
    for (size_t i = 0; i < p->events; i++) {
        const struct event *e = &p->event[i];
        if (e->ends && e->in_vain)
            p->was[e->rank] = e->at;
        else
            (e->ends ? ends : begins)(p, e->rank, e->number);
    }
    for (int i = 0; i < records_ranks; i++) {
        double begin = (double)records_begin(i);
        double end = p->now[i] + computed(p, i, p->was[i], records_end(i));
        first = first < 0 || begin < first ? begin : first;
        last = end > last ? end : last;
    }
    return last - first;
}

double path_predict(int rank, double factor)
{
    struct replay p = {.rank = rank, .factor = factor};
    double ticks = -1;
    for (int i = 0; i < records_ranks; i++)
        if (records_first(i) > 0 || records_rank[i].begin == 0)
            return -1;
    if (make(&p) && records_index()) {
        fill(&p);
        ticks = run(&p);
    }
    if (p.begin)
        free(p.begin[0]);
    free(p.begin);
    free(p.event);
    free(p.meeting);
    free(p.now);
    free(p.was);
    return ticks < 0 ? -1 : records_seconds(1) * ticks;
}
