/* SPDX-License-Identifier: MIT */
/* What --profile prints: the records of all ranks, added up. */
#include "profile.h"
#include "prove.h"
#include "records.h"

#include <stdlib.h>
#include <string.h>

#include <hal/site.h>

#define SHOWN 5 /* places of calls; ranks that others waited for */

/* What is waited for: head of the column, of a call, of a rank. */
static const struct {
    const char *head, *call, *rank;
} causes[PROFILE_CAUSES] = {
    [PROFILE_SENDER] = {"sender", "waiting for the sender", "receivers waited for a late sender"},
    [PROFILE_RECEIVER] = {"receiver", "waiting for the receiver",
                          "senders waited for a late receiver"},
    [PROFILE_COLLECTIVE] = {"collective", "waiting at the collective",
                            "at collectives ranks waited"},
    [PROFILE_FLOW] = {"flow", "waiting for credit or memory",
                      "senders of short messages waited for credit or memory"},
};

static void add(struct profile_sum *s, int rank, const struct profile_total *t)
{
    double seconds = records_seconds(t->ticks);
    s->calls += t->calls;
    s->bytes += t->bytes;
    s->seconds += seconds;
    for (int i = 0; i < PROFILE_CAUSES; i++)
        s->waited[i] += records_seconds(t->waited[i]);
    if (seconds > s->most || s->calls == t->calls) {
        s->most = seconds;
        s->rank = rank;
    }
}

static void add_open(struct profile_sum *s, const struct profile_record *r)
{
    s->open += records_seconds(r->end - r->begin);
    s->opened++;
}

/* Calls that took no time stand before functions that were not called. */
static int by_seconds(const void *a, const void *b)
{
    const struct profile_sum *x = a, *y = b;
    if (x->seconds != y->seconds)
        return x->seconds > y->seconds ? -1 : 1;
    return x->calls > y->calls ? -1 : x->calls < y->calls;
}

static double in_mpi(const struct profile_rank *r)
{
    uint64_t ticks = 0;
    for (int i = 0; i < PROFILE_FUNCTIONS; i++)
        ticks += r->function[i].total.ticks;
    return records_seconds(ticks);
}

/* From MPI_Init to MPI_Finalize; of a rank that did not come there, to the end of its last call. */
static double span(int rank)
{
    const struct profile_rank *r = &records_rank[rank];
    uint64_t end = records_end(rank);
    return r->end > 0 || end > r->begin ? records_seconds(end - r->begin) : in_mpi(r);
}

static void print_functions(FILE *to, double all)
{
    static struct profile_sum sum[PROFILE_FUNCTIONS];
    for (int i = 0; i < records_ranks; i++) {
        for (int f = 0; f < PROFILE_FUNCTIONS; f++) {
            const struct profile_function *p = &records_rank[i].function[f];
            if (p->total.calls == 0)
                continue;
            snprintf(sum[f].name, sizeof sum[f].name, "%.*s", PROFILE_NAME - 1, p->name);
            add(&sum[f], i, &p->total);
        }
        const struct profile_record *open = records_open(i);
        if (open)
            add_open(&sum[open->function], open);
    }
    qsort(sum, PROFILE_FUNCTIONS, sizeof sum[0], by_seconds);
    fprintf(to, "  %-26s %10s %15s %13s %7s", "function", "calls", "bytes", "seconds", "share");
    for (int i = 0; i < PROFILE_CAUSES; i++)
        fprintf(to, " %10s", causes[i].head);
    fprintf(to, " %10s %13s\n", "network", "most (rank)");
    for (int f = 0; f < PROFILE_FUNCTIONS && sum[f].calls > 0; f++) {
        double rest = sum[f].seconds - sum[f].open;
        fprintf(to, "  %-26s %10llu %15llu %13.6f %5.1f %%", sum[f].name,
                (unsigned long long)sum[f].calls, (unsigned long long)sum[f].bytes, sum[f].seconds,
                100 * sum[f].seconds / all);
        for (int i = 0; i < PROFILE_CAUSES; i++) {
            fprintf(to, " %8.1f %%", 100 * sum[f].waited[i] / all);
            rest -= sum[f].waited[i];
        }
        fprintf(to, " %8.1f %% %13.6f (%d)\n", 100 * rest / all, sum[f].most, sum[f].rank);
    }
}

static bool is_same(const struct profile_sum *s, const struct profile_rank *r,
                    const struct profile_site *site)
{
    return s->place.offset == site->offset && strcmp(s->place.path, site->path) == 0 &&
           strcmp(s->name, r->function[site->function].name) == 0;
}

/* Places of all ranks, each once; how many. */
static int add_sites(struct profile_sum *sum, int room)
{
    int n = 0;
    for (int i = 0; i < records_ranks; i++) {
        const struct profile_record *open = records_open(i);
        for (int k = 0; k < PROFILE_SITES; k++) {
            const struct profile_site *s = &records_rank[i].site[k];
            int at = 0;
            while (at < n && !is_same(&sum[at], &records_rank[i], s))
                at++;
            if (s->address == 0 || s->path[0] == '\0' || at == room)
                continue;
            if (at == n) {
                n++;
                sum[at].place.offset = s->offset;
                snprintf(sum[at].place.path, sizeof sum[at].place.path, "%s", s->path);
                snprintf(sum[at].name, sizeof sum[at].name, "%s",
                         records_rank[i].function[s->function].name);
            }
            add(&sum[at], i, &s->total);
            if (open && open->site == k)
                add_open(&sum[at], open);
            if (records_seconds(s->longest) > sum[at].longest) {
                sum[at].longest = records_seconds(s->longest);
                sum[at].who = s->who;
            }
        }
    }
    return n;
}

int profile_cause(const struct profile_sum *s)
{
    int most = 0;
    for (int i = 1; i < PROFILE_CAUSES; i++)
        most = s->waited[i] > s->waited[most] ? i : most;
    return most;
}

static void print_cause(FILE *to, const struct profile_sum *s, double all)
{
    int most = profile_cause(s);
    if (s->open > s->waited[most])
        fprintf(to, ": %.1f %% in %d that did not end", 100 * s->open / all, s->opened);
    else if (s->waited[most] >= 0.0005 * all)
        fprintf(to, ": %.1f %% %s, longest for rank %d", 100 * s->waited[most] / all,
                causes[most].call, s->who);
    fprintf(to, "\n");
}

int profile_sites(struct profile_sum **sum)
{
    *sum = calloc(PROFILE_SITES, sizeof **sum);
    int n = *sum ? add_sites(*sum, PROFILE_SITES) : 0;
    if (n > 0)
        qsort(*sum, (size_t)n, sizeof **sum, by_seconds);
    return n;
}

const char *profile_cause_name(int cause)
{
    return causes[cause].call;
}

static void print_sites(FILE *to, double all)
{
    struct profile_sum *sum;
    int n = profile_sites(&sum);
    fprintf(to, "  calls that took longest:\n");
    for (int i = 0; i < n && i < SHOWN; i++) {
        char place[256];
        hal_place_phrase(&sum[i].place, place, sizeof place);
        fprintf(to, "    %5.1f %%  %s %s, %llu calls, longest in rank %d",
                100 * sum[i].seconds / all, sum[i].name, place, (unsigned long long)sum[i].calls,
                sum[i].rank);
        print_cause(to, &sum[i], all);
    }
    free(sum);
}

/* For whom the others waited. */
static void print_blamed(FILE *to, double all, int cause)
{
    double last = 2 * all; /* share of the one that was printed before */
    int before = -1;
    for (int n = 0; n < SHOWN; n++) {
        int next = -1;
        for (int i = 0; i < records_ranks; i++) {
            double s = records_seconds(records_rank[i].blamed[cause]);
            bool is_left = s > 0 && (s < last || (s == last && i > before));
            if (is_left &&
                (next < 0 || records_rank[i].blamed[cause] > records_rank[next].blamed[cause]))
                next = i;
        }
        if (next < 0 || records_seconds(records_rank[next].blamed[cause]) < 0.0005 * all)
            break;
        last = records_seconds(records_rank[next].blamed[cause]);
        before = next;
        fprintf(to, "%s%s %.1f %% for rank %d", n == 0 ? "  " : ",",
                n == 0 ? causes[cause].rank : "", 100 * last / all, next);
    }
    if (before >= 0)
        fprintf(to, "\n");
}

static void print_no_time(FILE *to, int ranks)
{
    uint64_t calls = 0;
    for (int i = 0; i < records_ranks; i++)
        for (int f = 0; f < PROFILE_FUNCTIONS; f++)
            calls += records_rank[i].function[f].total.calls;
    if (calls == 0)
        fprintf(to, "profile: %d ranks, no time and no call between MPI_Init and MPI_Finalize\n",
                ranks);
    else
        fprintf(to,
                "profile: %d ranks, %llu calls between MPI_Init and MPI_Finalize, which took no "
                "time\n",
                ranks, (unsigned long long)calls);
}

void profile_print(FILE *to)
{
    double all = 0, mpi = 0, longest = 0;
    int told = 0;
    for (int i = 0; i < records_ranks; i++) {
        double s = span(i);
        longest = s > longest ? s : longest;
        all += s;
        mpi += in_mpi(&records_rank[i]);
        told += records_rank[i].begin > 0 || records_rank[i].end > 0 || s > 0;
    }
    if (told == 0) {
        fprintf(to, "profile: no rank has recorded anything: --profile counts between MPI_Init and "
                    "MPI_Finalize, in programs that are linked with the shared library\n");
        return;
    }
    if (all <= 0) {
        print_no_time(to, told);
        return;
    }
    fprintf(to,
            "profile: %d ranks, %.6f s from MPI_Init to MPI_Finalize, %.1f %% of their time in "
            "MPI\n",
            told, longest, 100 * mpi / all);
    print_functions(to, all);
    print_sites(to, all);
    for (int i = 0; i < PROFILE_CAUSES; i++)
        print_blamed(to, all, i);
    if (prove_runs())
        prove_tell(longest);
    if (records_unplaced() > 0)
        fprintf(to, "  %llu calls came from more than %d places, which are not told apart\n",
                (unsigned long long)records_unplaced(), PROFILE_SITES);
}
