/* SPDX-License-Identifier: MIT */
/* The job once more on paper, with one rank faster: the begins and ends of all calls in the order
 * in which they were. Whatever a call needed had begun before it ended, so its new time is known by
 * then. */
#include "path.h"

#include <math.h>
#include <stdlib.h>

#include "records.h"
#include "replay.h"

enum { REPLAYS = 8 };

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

/* Of what is between the rank's calls only a part is its computation: in the rest it slept, or its
 * core saw to messages that came. */
static double computed(const struct replay *p, int rank, uint64_t from, uint64_t to)
{
    double ticks = to > from ? (double)(to - from) : 0;
    return rank == p->rank ? ticks * (1 - p->part + p->part / p->factor) : ticks;
}

/* The first record of a call, which is its first part. */
static uint64_t first_part(int rank, uint64_t number)
{
    while (number > 0 && records_at(rank, number - 1)->part & PROFILE_MORE)
        number--;
    return number;
}

double replay_begin_of(const struct replay *p, int rank, uint64_t at)
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

/* When the message came, or the one that the rank gets in its place; < 0: it is not known. */
static double sent_at(const struct replay *p, int rank, uint64_t part)
{
    const struct records_part *s = p->turn[rank][part];
    s = s ? s : records_sent(records_at(rank, part)->id);
    return s ? replay_begin_of(p, s->rank, s->at) : -1;
}

/* When a rank that got several messages in call `number`, each of which would have done, has seen
 * to all of them: to each for the same time, and when it was there. */
static double seen_to(const struct replay *p, int rank, uint64_t number, double ticks)
{
    uint64_t first = first_part(rank, number);
    double at = p->now[rank], each = ticks / (double)(number - first + 1);
    for (uint64_t i = first; i <= number; i++)
        at = fmax(at, sent_at(p, rank, i)) + each;
    return at;
}

static void begins(struct replay *p, const struct event *e)
{
    int rank = e->rank;
    uint64_t number = e->number;
    const struct profile_record *r = records_at(rank, number);
    double ticks = computed(p, rank, p->was[rank], r->begin), at = p->now[rank];
    if (p->some[rank] != UINT64_MAX)
        at = seen_to(p, rank, p->some[rank], ticks);
    else if (!p->idles || !e->passed)
        at += ticks;
    p->some[rank] = UINT64_MAX;
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

struct need {
    double old, now;
};

static void needs(struct need *n, double old, double now)
{
    n->old = old > n->old ? old : n->old;
    n->now = now > n->now ? now : n->now;
}

/* What the call needed in one message or collective, part `number` of it. */
static void look(struct replay *p, int rank, uint64_t number, struct need *n)
{
    const struct profile_record *r = records_at(rank, number);
    const struct meeting *m = meeting_of(p, r, PROFILE_LEAVES);
    const struct records_part *s = r->part & PROFILE_RECEIVED ? records_sent(r->id) : NULL;
    const struct records_part *a = r->part & PROFILE_SENT ? records_asked(r->id) : NULL;
    if (s)
        needs(n, (double)s->at, sent_at(p, rank, number));
    if (a)
        needs(n, (double)a->at, replay_begin_of(p, a->rank, a->at));
    if (m && (r->part & PROFILE_MEETS_ROOT))
        needs(n, m->root_old, m->root);
    else if (m && ((r->part & PROFILE_MEETS_ALL) || (r->part & PROFILE_IS_ROOT)))
        needs(n, m->all_old, m->all);
}

/* Ticks of the rank's calls before this one that asked for what it got, when that was there; with
 * `all` also between them. */
static double asked_since(int rank, uint64_t number, double there, bool all)
{
    double ticks = 0, next = (double)records_at(rank, number)->begin;
    for (uint64_t i = number; i > 0; i--) {
        const struct profile_record *before = records_at(rank, i - 1);
        double begin = (double)before->begin, end = (double)before->end;
        if (before->part & PROFILE_MORE)
            continue;
        if (!records_asks(rank, before) || end <= there)
            break;
        ticks += end - (begin > there ? begin : there);
        ticks += all ? next - end : 0;
        next = begin;
    }
    return ticks;
}

/* After the last of what it needed the call takes as long as it did. */
static void ends(struct replay *p, int rank, uint64_t number)
{
    const struct profile_record *r = records_at(rank, number);
    struct need n = {0, 0};
    uint64_t first = first_part(rank, number);
    bool any = p->turn[rank][first] != NULL, some = any && first < number;
    if (!any && r->last > r->begin && r->part != 0 && r->who >= 0 &&
        r->who < records_ranks) /* or credit */
        needs(&n, (double)r->last, replay_begin_of(p, r->who, r->last));
    for (uint64_t i = first; i <= (some ? first : number); i++)
        look(p, rank, i, &n);
    for (uint64_t i = first; some && i <= number; i++) /* all were there */
        n.old = fmax(n.old, records_sent(records_at(rank, i)->id)
                                ? (double)records_sent(records_at(rank, i)->id)->at
                                : 0);
    p->some[rank] = some ? number : UINT64_MAX;
    bool waits = n.now > p->begin[rank][number];
    double asked =
        n.old > 0 && (waits || !p->idles) ? asked_since(rank, number, n.old, p->idles) : 0;
    needs(&n, (double)r->begin, p->begin[rank][number]);
    double rest = (double)r->end - n.old;
    p->now[rank] = n.now + (rest > 0 ? rest : 0) + asked;
    p->was[rank] = r->end;
}

/* 1 where it is not known. */
static double part_computed(int rank)
{
    uint64_t between = 0, before = records_begin(rank);
    for (uint64_t k = 0; k < records_rank[rank].recorded; k++) {
        const struct profile_record *r = records_at(rank, k);
        if (r->part & PROFILE_MORE)
            continue;
        between += r->begin > before ? r->begin - before : 0;
        before = r->end > before ? r->end : before;
    }
    between += records_end(rank) > before ? records_end(rank) - before : 0;
    double seconds = records_seconds(between), in = records_rank[rank].computed;
    return in >= 0 && in < seconds ? in / seconds : 1;
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
    p->turn = calloc(ranks + 1, sizeof *p->turn);
    p->some = calloc(ranks, sizeof *p->some);
    double *all = calloc(calls + 1, sizeof *all);
    const struct records_part **turns = calloc(calls + 1, sizeof *turns);
    if (p->begin)
        p->begin[0] = all;
    if (p->turn)
        p->turn[0] = turns;
    return p->event && p->meeting && p->now && p->was && p->begin && p->turn && p->some && all &&
           turns;
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
        e[1].passed = !e[1].ends;
    }
}

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return x->before != y->before ? x->before - y->before : x->rank - y->rank;
}

void replay_sort(struct replay *p)
{
    qsort(p->event, p->events, sizeof *p->event, by_time);
}

static void fill(struct replay *p)
{
    for (int i = 0; i < records_ranks; i++) {
        p->begin[i + 1] = p->begin[i] + records_rank[i].recorded;
        p->turn[i + 1] = p->turn[i] + records_rank[i].recorded;
        for (uint64_t k = 0; k < records_rank[i].recorded; k++) {
            const struct profile_record *r = records_at(i, k);
            if (r->part & PROFILE_MORE)
                continue;
            add(p, (struct event){.at = (double)r->begin, .number = k, .rank = i});
            add(p, (struct event){.at = (double)r->end, .number = k, .rank = i, .ends = true});
            mark_in_vain(p, i, k);
            if (r->part & PROFILE_COMES)
                p->meeting[p->meetings++].id = r->id;
        }
    }
    replay_sort(p);
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
    for (int i = 0; i < records_ranks; i++) {
        p->was[i] = records_begin(i);
        p->now[i] = (double)p->was[i];
        p->some[i] = UINT64_MAX;
    }
    for (size_t i = 0; i < p->meetings; i++)
        p->meeting[i] = (struct meeting){.id = p->meeting[i].id};
    for (size_t i = 0; i < p->events; i++) {
        struct event *e = &p->event[i];
        if (e->ends && e->in_vain)
            p->was[e->rank] = records_at(e->rank, e->number)->end;
        else if (e->ends)
            ends(p, e->rank, e->number);
        else
            begins(p, e);
        e->at = p->now[e->rank];
    }
    for (int i = 0; i < records_ranks; i++) {
        double begin = (double)records_begin(i);
        double end = p->now[i] + computed(p, i, p->was[i], records_end(i));
        first = first < 0 || begin < first ? begin : first;
        last = end > last ? end : last;
    }
    return last - first;
}

/* Whether the rank asks for messages of anybody. */
static bool serves_anybody(int rank)
{
    for (uint64_t k = 0; k < records_rank[rank].recorded; k++)
        if (records_at(rank, k)->peer == PROFILE_ANYBODY)
            return true;
    return false;
}

/* Whether messages of two ranks that it received one after the other, as they were sent, would be
 * sent the other way round. */
static bool order_changes(const struct replay *p, int rank)
{
    const struct records_part *last = NULL;
    double last_at = 0;
    for (uint64_t k = 0; k < records_rank[rank].recorded; k++) {
        const struct profile_record *r = records_at(rank, k);
        const struct records_part *s = r->part & PROFILE_RECEIVED ? records_sent(r->id) : NULL;
        double at = s ? replay_begin_of(p, s->rank, s->at) : -1;
        if (at < 0)
            continue;
        if (last && last->rank != s->rank && last->at < s->at && at < last_at)
            return true;
        last = s;
        last_at = at;
    }
    return false;
}

static int find_anybody(const struct replay *p)
{
    for (int i = 0; i < records_ranks; i++)
        if (serves_anybody(i) && order_changes(p, i))
            return i;
    return -1;
}

double path_predict(int rank, double factor, bool idles, int *anybody)
{
    struct replay p = {.rank = rank, .factor = factor, .part = part_computed(rank), .idles = idles};
    double ticks = -1;
    for (int i = 0; i < records_ranks; i++)
        if (records_first(i) > 0 || records_rank[i].begin == 0)
            return -1;
    if (make(&p) && records_index()) {
        fill(&p);
        ticks = run(&p);
        for (int i = 1; i < REPLAYS && replay_choose(&p); i++)
            ticks = run(&p);
        if (anybody)
            *anybody = find_anybody(&p);
    }
    if (p.begin)
        free(p.begin[0]);
    if (p.turn)
        free(p.turn[0]);
    free(p.begin);
    free(p.turn);
    free(p.some);
    free(p.event);
    free(p.meeting);
    free(p.now);
    free(p.was);
    return ticks < 0 ? -1 : records_seconds(1) * ticks;
}
