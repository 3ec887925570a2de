/* SPDX-License-Identifier: MIT */
/* Who waits for whom, in a few lines. Each rank that waits is given one successor: somebody without
 * whom it does not go on. From any rank the successors lead round a cycle, which is the deadlock,
 * or to somebody who computes or has ended. */
#include <hal/stand.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hal/site.h>

#define NAMED 6 /* of a longer cycle only the first and the last ones are named */

struct view {
    const struct hal_stand **by; /* by rank; NULL: it is missing */
    int ranks;                   /* highest + 1 */
    int *next;                   /* successor; -1: none */
    int *step;                   /* in which search a rank was visited, from 1 */
    struct hal_map map;          /* of the process that was asked for last */
    const char *missing;
    bool over;
    char *text;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void say(struct view *v, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int n = vsnprintf(v->text + v->used, v->size - v->used, format, args);
    va_end(args);
    v->used = n < 0 || v->used + (size_t)n >= v->size ? v->size - 1 : v->used + (size_t)n;
}

static bool is_member(const struct hal_stand *s, int rank)
{
    return rank < HAL_STAND_RANKS && (s->members[rank / 64] >> (rank % 64) & 1) != 0;
}

/* Has `other` come to where s is? Ranks make the calls of a context in the same order, so who has
 * begun more of them was there. */
static bool is_with(const struct hal_stand *s, const struct hal_stand *other)
{
    if (!other || other->wait != HAL_WAIT_ALL || other->context != s->context)
        return false;
    int32_t more = (int32_t)(other->number - s->number);
    return more > 0 || (more == 0 && strcmp(other->call, s->call) == 0);
}

/* Somebody without whom s does not go on. A call that all have come to is under way, if anything
 * still happens. If not, each waits there for another one of them, and nobody says for whom: for
 * the next one, so that they are all named. */
static int successor(const struct view *v, const struct hal_stand *s)
{
    if (s->wait == HAL_WAIT_ONE)
        return s->peer >= 0 && s->peer < v->ranks ? s->peer : -1;
    int somebody = -1;
    for (int r = 0; s->wait != HAL_WAIT_NONE && r < v->ranks; r++) {
        const struct hal_stand *other = v->by[r];
        if (r == s->rank || !is_member(s, r))
            continue;
        if (s->wait == HAL_WAIT_ALL && !is_with(s, other))
            return r;
        if (s->wait == HAL_WAIT_ALL && !v->over)
            continue;
        /* Of any, one who runs may still do it. */
        bool runs = other && other->wait == HAL_WAIT_NONE;
        bool next = s->wait == HAL_WAIT_ALL && somebody < s->rank && r > s->rank;
        if (other && (somebody < 0 || next || (s->wait == HAL_WAIT_ANY && runs)))
            somebody = r;
    }
    return somebody;
}

/* The length of the cycle that the successors of `rank` lead into, its lowest member in *at; 0: it
 * was found before, or there is none. */
static int cycle_from(const struct view *v, int rank, int search, int *at)
{
    while (rank >= 0 && v->by[rank] && v->step[rank] == 0) {
        v->step[rank] = search;
        rank = v->next[rank];
    }
    if (rank < 0 || v->step[rank] != search)
        return 0;
    int length = 0, first = rank;
    *at = rank;
    do {
        *at = rank < *at ? rank : *at;
        rank = v->next[rank];
        length++;
    } while (rank != first);
    return length;
}

static int shortest_cycle(const struct view *v, int *at)
{
    int best = 0, start;
    for (int r = 0; r < v->ranks; r++) {
        int length = cycle_from(v, r, r + 1, &start);
        if (length > 0 && (best == 0 || length < best)) {
            best = length;
            *at = start;
        }
    }
    return best;
}

/* Layers before the library (liblwmpi_...) are not the program, nor is the C library. */
static bool is_program(const char *path)
{
    static const char *const others[] = {"/liblwmpi", "/libc.so", "/libc-", "/ld-"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strstr(path, others[i]))
            return false;
    return true;
}

/* Of the call that returns there, if it is the program's. What is returned to may be another line
 * than the call. */
static bool find_place(struct view *v, const struct hal_stand *s, uint64_t returns,
                       struct hal_place *p)
{
    if (v->map.process != s->pid)
        hal_map_read(&v->map, s->pid);
    return returns != 0 && hal_map_find(&v->map, returns - 1, p) && is_program(p->path);
}

/* Where a rank called the library. */
static bool find_site(struct view *v, const struct hal_stand *s, struct hal_place *p)
{
    for (int i = 0; i < HAL_STAND_SITES && s->site[i] != 0; i++)
        if (find_place(v, s, s->site[i], p))
            return true;
    return false;
}

static void say_place(struct view *v, const struct hal_place *p)
{
    char name[256];
    hal_place_phrase(p, name, sizeof name);
    say(v, " %s", name);
}

static void say_site(struct view *v, const struct hal_stand *s)
{
    struct hal_place p;
    if (s->site[0] != 0 && find_site(v, s, &p))
        say_place(v, &p);
}

static bool is_alike(struct view *v, int first, int second)
{
    const struct hal_stand *a = v->by[first], *b = v->by[second];
    struct hal_place p = {{0}, 0}, q = {{0}, 0};
    return strcmp(a->call, b->call) == 0 && find_site(v, a, &p) == find_site(v, b, &q) &&
           p.offset == q.offset && strcmp(p.path, q.path) == 0;
}

static void say_call(struct view *v, int rank, int alike, int others)
{
    const struct hal_stand *s = v->by[rank];
    say(v, "  rank %d", rank);
    if (!s) {
        say(v, " %s\n", v->missing);
        return;
    }
    if (alike > 0)
        say(v, " (and %d more alike)", alike);
    else if (others > 0)
        say(v, " (and %d more otherwise)", others);
    say(v,
        s->wait == HAL_WAIT_NONE ? " computes"
        : s->asks                ? " asks again and again: %s"
                                 : ": %s",
        s->call);
    if (s->about[0] != '\0' && s->wait != HAL_WAIT_NONE)
        say(v, ", %s", s->about);
    say_site(v, s);
    say(v, "\n");
}

static bool is_waiting(const struct view *v, int rank)
{
    return v->by[rank] && v->by[rank]->wait != HAL_WAIT_NONE;
}

/* How many ranks wait for somebody. */
static int with_successor(const struct view *v)
{
    int n = 0;
    for (int r = 0; r < v->ranks; r++)
        n += v->next[r] >= 0;
    return n;
}

/* How many ranks' successors lead to rank `at`, which is one of them. */
static int count_led(const struct view *v, int at)
{
    enum { UNSEEN, PASSED, ELSEWHERE, LED };
    int led = 0;
    memset(v->step, UNSEEN, (size_t)v->ranks * sizeof *v->step);
    v->step[at] = LED;
    for (int r = 0; r < v->ranks; r++) {
        int end = r;
        for (; end >= 0 && v->step[end] == UNSEEN; end = v->next[end])
            v->step[end] = PASSED;
        int where = end >= 0 && v->step[end] == LED ? LED : ELSEWHERE;
        for (int i = r; i >= 0 && v->step[i] == PASSED; i = v->next[i])
            v->step[i] = where;
        led += v->step[r] == LED;
    }
    return led;
}

static void say_cycle(struct view *v, const char *title, int at, int length)
{
    int led = count_led(v, at), others = with_successor(v) - led;
    say(v, "%s: rank", title);
    if (length == 1)
        say(v, " %d waits for itself", at);
    for (int r = at, i = 0; length > 1 && i <= length; r = v->next[r], i++) {
        bool named = length <= NAMED || i < NAMED / 2 || i > length - NAMED / 2;
        if (named)
            say(v, "%s %d", i == 0 ? "s" : " ->", r);
        else if (i == NAMED / 2)
            say(v, " -> ...");
    }
    say(v, length > 1 ? " wait for each other" : "");
    if (led > length)
        say(v, ", %d more for %s", led - length, length > 1 ? "them" : "it");
    if (others > 0)
        say(v, ", %d %sfor others", others, led > length ? "" : "more ");
    say(v, "\n");
}

/* The calls of a cycle: that of its first rank, with how many are like it, and of the first rank
 * whose call is another one. */
static void say_calls(struct view *v, int at, int length)
{
    int alike = 0, other = -1, others = 0;
    for (int r = v->next[at]; r != at; r = v->next[r])
        if (length > 2 && is_alike(v, at, r))
            alike++;
        else if (other < 0)
            other = r;
        else
            others++;
    say_call(v, at, alike, 0);
    if (other >= 0)
        say_call(v, other, 0, others);
}

/* What is said of the last one of those that wait in a row, whose name stands before. */
static const char *state_of(const struct view *v, int rank)
{
    const struct hal_stand *s = v->by[rank];
    if (!s)
        return v->missing;
    return s->wait == HAL_WAIT_NONE  ? "computes"
           : s->wait == HAL_WAIT_ALL ? "is where all have come, and may go on"
                                     : "waits for nobody of the job";
}

/* Rank `first` waits for rank `end`, perhaps by way of others. */
static void say_blamed(struct view *v, const char *title, int first, int end)
{
    int led = count_led(v, end);
    say(v, "%s: rank %d%s for rank %d, which %s", title, first,
        led > 2 ? " and others wait" : " waits", end, state_of(v, end));
    int others = with_successor(v) - (led - 1);
    if (others > 0)
        say(v, "; %d more for others", others);
    say(v, "\n");
}

/* Nobody waits in a circle: for whom do they wait? */
static void say_end(struct view *v, const char *title)
{
    int first = 0, end = -1;
    while (first < v->ranks && !is_waiting(v, first))
        first++;
    first = first < v->ranks ? first : -1;
    for (int r = first; r >= 0; r = v->by[r] ? v->next[r] : -1)
        end = r;
    bool blames = end >= 0 && end != first;
    if (first < 0)
        say(v, "%s: no rank waits for another one\n", title);
    else if (blames)
        say_blamed(v, title, first, end);
    else
        say(v, "%s: rank %d %s\n", title, first, state_of(v, first));
    for (int r = 0; first < 0 && end < 0 && r < v->ranks; r++)
        end = v->by[r] ? r : -1;
    if (first >= 0)
        say_call(v, first, 0, 0);
    if (end >= 0 && end != first)
        say_call(v, end, 0, 0);
}

/* The first rank of which `has` is so, those of the cycle before others; NULL: there is none. */
static const struct hal_stand *first_with(const struct view *v, int at, int length,
                                          bool (*has)(const struct hal_stand *s))
{
    for (int r = at, i = 0; i < length; r = v->next[r], i++)
        if (has(v->by[r]))
            return v->by[r];
    for (int r = 0; r < v->ranks; r++)
        if (v->by[r] && has(v->by[r]))
            return v->by[r];
    return NULL;
}

static bool has_near(const struct hal_stand *s)
{
    return s->near[0] != '\0';
}

static void say_near(struct view *v, int at, int length)
{
    const struct hal_stand *s = first_with(v, at, length, has_near);
    if (s)
        say(v, "  almost matched: %s\n", s->near);
}

static bool has_unreceived(const struct hal_stand *s)
{
    return s->unreceived[0] != '\0';
}

static void say_unreceived(struct view *v, int at, int length)
{
    const struct hal_stand *s = first_with(v, at, length, has_unreceived);
    struct hal_place p;
    if (!s)
        return;
    say(v, "  not received: %s", s->unreceived);
    if (find_place(v, s, s->sent, &p))
        say_place(v, &p);
    say(v, "\n");
}

static bool has_lack(const struct hal_stand *s)
{
    return s->lacks[0] != '\0';
}

static void say_lack(struct view *v, int at, int length)
{
    const struct hal_stand *s = first_with(v, at, length, has_lack);
    if (s)
        say(v, "  %s\n", s->lacks);
}

static void say_full(struct view *v)
{
    int first = -1, more = -1;
    for (int r = 0; r < v->ranks; r++) {
        if (v->by[r] && v->by[r]->full) {
            first = first < 0 ? r : first;
            more++;
        }
    }
    if (more > 0) {
        say(v, "  rank %d and %d more cannot take messages: their clusters have no memory left\n",
            first, more);
    } else if (first >= 0) {
        say(v, "  rank %d cannot take messages: its cluster has no memory left\n", first);
    }
}

static bool view_make(struct view *v, const struct hal_stand *s, int n)
{
    for (int i = 0; i < n; i++) {
        v->ranks = s[i].rank >= v->ranks ? s[i].rank + 1 : v->ranks;
        v->ranks = s[i].wait == HAL_WAIT_ONE && s[i].peer >= v->ranks ? s[i].peer + 1 : v->ranks;
    }
    size_t ranks = (size_t)v->ranks;
    v->by = calloc(ranks, sizeof *v->by);
    v->next = calloc(ranks, sizeof *v->next);
    v->step = calloc(ranks, sizeof *v->step);
    if (!v->by || !v->next || !v->step)
        return false;
    for (int i = 0; i < n; i++)
        v->by[s[i].rank] = &s[i];
    for (int r = 0; r < v->ranks; r++)
        v->next[r] = v->by[r] ? successor(v, v->by[r]) : -1;
    return true;
}

void hal_stand_explain(const struct hal_stand *s, int n, const struct hal_stand_about *about,
                       char *text, size_t size)
{
    const char *title = about->title;
    struct view v = {.missing = about->missing, .over = about->over, .text = text, .size = size};
    int at = 0, length = 0;
    if (view_make(&v, s, n)) {
        length = shortest_cycle(&v, &at);
        if (length > 0) {
            say_cycle(&v, title, at, length);
            say_calls(&v, at, length);
        } else {
            say_end(&v, title);
        }
        say_unreceived(&v, at, length);
        say_near(&v, at, length);
        say_full(&v);
        say_lack(&v, at, length);
    } else {
        say(&v, "%s\n", title);
    }
    say(&v, "  details: --verbose\n");
    hal_map_forget(&v.map);
    free(v.by);
    free(v.next);
    free(v.step);
}
