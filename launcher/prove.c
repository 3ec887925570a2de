/* SPDX-License-Identifier: MIT */
/* The second run is another mpiexec with the same words and environment, whose output nobody
 * sees. */
#include "prove.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "again.h"
#include "path.h"

#define FACTOR   2
#define VARIABLE "LWMPI_PROOF" /* in the environment of a second run: where it tells its time */

bool prove_runs(void)
{
    return getenv(VARIABLE) != NULL;
}

void prove_tell(double seconds)
{
    dprintf(atoi(getenv(VARIABLE)), "%.12g\n", seconds);
}

/* Starts the second run, which tells its time to `fd`. */
static pid_t start(int rank, int fd)
{
    char proof[32], faster[32];
    const char *const more[] = {proof, faster, NULL};
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), standard[] = {nothing, nothing, nothing};
    snprintf(proof, sizeof proof, VARIABLE "=%d", fd);
    snprintf(faster, sizeof faster, "LWMPI_FASTER=%d:%d", rank, FACTOR);
    pid_t pid = nothing < 0 ? -1 : again_start(more, standard);
    if (nothing >= 0)
        close(nothing);
    return pid;
}

/* Seconds of the machine that the job takes with the rank faster; < 0: it failed, said so. */
static double run_again(int rank, FILE *to)
{
    int ends[2];
    char text[64] = "";
    pid_t pid = -1;
    if (pipe(ends) == 0) {
        fcntl(ends[0], F_SETFD, FD_CLOEXEC);
        pid = start(rank, ends[1]);
        close(ends[1]);
        if (pid < 0)
            close(ends[0]);
    }
    if (pid < 0) {
        fprintf(to, "; the second run cannot be started: %s\n", strerror(errno));
        return -1;
    }
    FILE *from = fdopen(ends[0], "r");
    char *line = from ? fgets(text, sizeof text, from) : NULL;
    if (from)
        fclose(from);
    int code = again_wait(pid);
    if (line && code == 0)
        return strtod(text, NULL);
    fprintf(to, "; the second run failed with exit code %d\n", code);
    return -1;
}

static double change(double seconds, double before)
{
    return 100 * (seconds / before - 1);
}

static void print_faster(const struct plan *plan, FILE *to, int rank)
{
    int anybody = -1;
    double before = path_predict(rank, 1, false, NULL);
    double after = path_predict(rank, FACTOR, false, &anybody);
    double idle = path_predict(rank, FACTOR, true, NULL);
    if (before <= 0 || after < 0)
        return;
    fprintf(to, "  if rank %d computed %dx faster: ", rank, FACTOR);
    int idler = path_idler();
    if (idler >= 0 && fabs(change(after, before) - change(idle, before)) > 1)
        fprintf(to,
                "between %+.1f and %+.1f %%, predicted, as rank %d computes between calls that ask "
                "in vain, which it may need or not",
                change(after, before), change(idle, before), idler);
    else
        fprintf(to, "%+.1f %%, predicted", change(after, before));
    if (anybody >= 0)
        fprintf(to, ", if rank %d, which takes messages from anybody, gave others the same work",
                anybody);
    if (!plan->request->prove) {
        fprintf(to, " (--prove runs it)\n");
        return;
    }
    fflush(to);
    double seconds = run_again(rank, to);
    if (seconds > 0)
        fprintf(to, "; %+.1f %% as run, %.6f s\n", change(seconds, before), seconds);
}

void prove(const struct plan *plan, FILE *to)
{
    struct path path;
    if (prove_runs() || !path_find(&path))
        return;
    path_print(to, &path);
    int rank = path_computes(&path);
    if (plan->virtual_time && rank >= 0)
        print_faster(plan, to, rank);
    free(path.part);
}
