/* SPDX-License-Identifier: MIT */
/* a2a: all-to-all communication in supersteps of growing messages (uller-2021, 6.1). */
#include <stdio.h>

#include "a2a.h"
#include "common/options.h"
#include "message.h"

enum { BYTES_MAX = 1 << 24, MESSAGES_MAX = 1000, WINDOW_MAX = 1000 };
enum { LEAST = 128, MOST = 32768, NEIGHBOURS = 12 }; /* uller-2021, table 5 */

#define AT(field) offsetof(struct a2a_options, field)

static const struct option table[] = {
    {"--min", "BYTES", "of a message in the first superstep (128)", OPTION_INT, AT(least),
     A2A_LEAST, BYTES_MAX, 0, "a number from 8 to 16777216"},
    {"--max", "BYTES",
     "at most in the last superstep (32768; 16384 if over 12 ranks share a cluster)", OPTION_INT,
     AT(most), A2A_LEAST, BYTES_MAX, 0, "a number from 8 to 16777216"},
    {"--messages", "N", "to each other rank in a superstep (1)", OPTION_INT, AT(messages), 1,
     MESSAGES_MAX, 0, "a number from 1 to 1000"},
    {"--trials", "N", "repetitions of each superstep (10)", OPTION_INT, AT(trials), 1, 1e6, 0,
     "a number, 1 or more"},
    {"--window", "N", "messages under way at once, MPI only (2)", OPTION_INT, AT(window), 1,
     WINDOW_MAX, 0, "a number from 1 to 1000"},
    {"--alltoall", "", "by MPI_Alltoall", OPTION_FLAG, AT(collective), 0, 0, 0, ""},
    OPTION_QUICK("two supersteps, one trial", AT(quick)),
    {.name = NULL},
};

static const struct usage usage = {
    .program = "a2a",
    .arguments = "",
    .about = "Every rank sends to every other one, then all meet; in each superstep the messages\n"
             "are twice as long. Each message is looked at when it comes.\n",
    .option = table,
};

/* The source has 12 ranks in a cluster. With 16 that have three messages of 32 KB each, 2 MB leave
 * too little for MPI. No cluster has more ranks than the first. */
static int usual_most(const struct team *t)
{
    int neighbours = 0;

    for (int rank = 0; rank < t->ranks; rank++)
        neighbours += t->home[rank] == t->home[0];
    return neighbours > NEIGHBOURS ? MOST / 2 : MOST;
}

/* What the command line left open. -1 to go on, or the exit code. */
static int complete(struct a2a *a)
{
    struct a2a_options *o = &a->options;

    o->most = !o->most ? o->quick ? 2 * LEAST : usual_most(&a->team) : o->most;
    o->trials = !o->trials ? o->quick ? 1 : 10 : o->trials;
    o->least = !o->least ? LEAST < o->most ? LEAST : o->most : o->least;
    if (o->least > o->most)
        return options_refuse(&usage, a->team.rank == 0, "--min must not be above --max");
    if (o->collective && !a2a_has_collective)
        return options_refuse(&usage, a->team.rank == 0, "--alltoall is for the form on MPI");
    return -1;
}

/* One superstep, all trials: the average, the shortest and the longest, in microseconds. */
static void superstep(struct a2a *a, double *average, double *shortest, double *longest)
{
    *average = *longest = 0;
    *shortest = 1e300;
    a2a_make(a);
    for (int i = 0; i < a->options.trials; i++) {
        team_barrier(&a->team);
        double begin = team_time(&a->team);
        a2a_exchange(a);
        team_barrier(&a->team);
        double took = (team_time(&a->team) - begin) * 1e6;
        a2a_count(a);
        *average += took / a->options.trials;
        *shortest = took < *shortest ? took : *shortest;
        *longest = took > *longest ? took : *longest;
    }
}

static void print_head(const struct a2a *a)
{
    printf("# a2a: %s%s, %d ranks in %d clusters, %d messages to each other rank, %d trials\n"
           "# %8s %14s %14s %14s %12s\n",
           team_form_name, a->options.collective ? " (MPI_Alltoall)" : "", a->team.ranks,
           a->team.clusters, a->options.messages, a->options.trials, "bytes", "average us",
           "shortest us", "longest us", "MB/s");
}

static void run(struct a2a *a)
{
    double all = (double)a->team.ranks * (a->team.ranks - 1) * a->options.messages;

    if (a->team.rank == 0)
        print_head(a);
    for (int bytes = a->options.least; bytes <= a->options.most; bytes *= 2) {
        double average, shortest, longest;
        a->bytes = (size_t)bytes;
        a->step++;
        superstep(a, &average, &shortest, &longest);
        if (a->team.rank == 0)
            printf("%10d %14.2f %14.2f %14.2f %12.2f\n", bytes, average, shortest, longest,
                   all * bytes / average);
    }
}

/* Adds up what was wrong, along the team. */
static long all_wrong(struct a2a *a)
{
    struct team *t = &a->team;
    long sum = a->wrong, one;

    for (int i = 0; i < t->crew; i++) {
        team_recv(t, t->member[i], &one, sizeof one);
        sum += one;
    }
    if (t->master >= 0)
        team_send(t, t->master, &sum, sizeof sum);
    return sum;
}

/* Gets the memory, runs, and says whether all messages were right. */
static int measure(struct a2a *a)
{
    const struct team *t = &a->team;
    size_t most = (size_t)a->options.most, out = (size_t)a2a_slots_out(a) * most,
           in = (size_t)a2a_slots_in(a) * most, heard = (size_t)t->ranks * sizeof *a->heard;

    a->out = team_alloc(t, out, "messages to be sent");
    a->in = team_alloc(t, in, "messages that come");
    a->heard = team_alloc(t, heard, "counts");
    for (int i = 0; i < t->ranks; i++)
        a->heard[i] = 0;
    run(a);
    long wrong = all_wrong(a);
    team_free(t, a->heard, heard);
    team_free(t, a->in, in);
    team_free(t, a->out, out);
    if (t->rank > 0)
        return 0;
    if (wrong)
        fprintf(stderr, "a2a: %ld messages were wrong or missing\n", wrong);
    else
        printf("# all messages were right\n");
    return wrong != 0;
}

int main(int argc, char **argv)
{
    struct a2a a = {.options = {.messages = 1, .window = 2}};

    team_begin(&a.team, &argc, &argv);
    int code = options_read(&usage, &a.options, argc, argv, a.team.rank == 0);
    if (code < 0)
        code = complete(&a);
    if (code < 0)
        code = measure(&a);
    team_end(&a.team);
    return code;
}
