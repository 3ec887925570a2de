/* SPDX-License-Identifier: MIT */
/* At a time-out each process tells what it waits for. For one that tells nothing the system is
 * asked: it may be stopped, compute with signals blocked, or not be a part of the job (yet). */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

#define LINES_MOST 8 /* of many silent processes the first ones stand for all */

struct doing {
    char state;
    double seconds; /* of processor time so far */
};

/* From the line in /proc: a number, the name in parentheses, which may hold any character, the
 * state, ten numbers, the time in the program, and that in the system. */
static bool look(pid_t pid, struct doing *d)
{
    char path[64], text[1024];
    unsigned long user, system;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *f = fopen(path, "re");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    const char *end = strrchr(text, ')');
    if (!end || sscanf(end + 1, " %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %lu %lu", &d->state,
                       &user, &system) != 3)
        return false;
    d->seconds = (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
    return true;
}

static const char *in_words(char state)
{
    static const struct {
        char state;
        const char *words;
    } all[] = {{'R', "runs"},
               {'S', "sleeps in a call of the system"},
               {'D', "is in a call of the system that nothing interrupts"},
               {'T', "is stopped by a signal"},
               {'t', "is stopped by a debugger"},
               {'Z', "has ended"}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].state == state)
            return all[i].words;
    return "is in a state without a name here";
}

/* Why nothing was heard of process i; NULL: something was. A machine in virtual time does not tell
 * whether it has answered, but stopped it cannot. */
static const char *silence(const struct run *run, int i, const struct doing *d)
{
    if (!run->job)
        return d->state == 'T' || d->state == 't' ? "did not answer" : NULL;
    switch (hal_job_state(run->job, i)) {
    case HAL_JOB_ABSENT:
        return "has not begun with MPI";
    case HAL_JOB_OFF:
        return "is done with MPI, but did not end";
    default:
        return hal_job_answered(run->job, i) ? NULL : "did not answer";
    }
}

void run_name_silent(const struct run *run)
{
    int silent = 0;
    for (int i = 0; i < run->plan->processes; i++) {
        struct doing d;
        char ranks[64];
        if (run->process[i].pid == 0 || !look(run->process[i].pid, &d))
            continue;
        const char *why = silence(run, i, &d);
        if (!why || ++silent > LINES_MOST)
            continue;
        plan_ranks(run->plan, i, ranks, sizeof ranks);
        complain("%s (process %d) %s: the process %s (%c), and has used %.1f s of processor time",
                 ranks, (int)run->process[i].pid, why, in_words(d.state), d.state, d.seconds);
    }
    if (silent > LINES_MOST)
        complain("and %d more processes that did not answer", silent - LINES_MOST);
}
