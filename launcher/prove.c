/* SPDX-License-Identifier: MIT */
/* The second run is another mpiexec with the same words and environment, whose output nobody
 * sees. */
#include "prove.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "path.h"

#define FACTOR   2
#define VARIABLE "LWMPI_PROOF" /* in the environment of a second run: where it tells its time */

static char **environment, **command; /* as they were at the start */

void prove_remember(char **words)
{
    int n = 0;
    command = words;
    while (environ[n] != NULL)
        n++;
    environment = calloc((size_t)n + 3, sizeof *environment);
    for (int i = 0; environment != NULL && i < n; i++)
        environment[i] = environ[i];
}

bool prove_runs(void)
{
    return getenv(VARIABLE) != NULL;
}

void prove_tell(double seconds)
{
    dprintf(atoi(getenv(VARIABLE)), "%.12g\n", seconds);
}

/* In the new process. */
static _Noreturn void start(int rank, int fd)
{
    char proof[32], faster[32];
    int n = 0, nothing = open("/dev/null", O_RDWR);
    for (int i = STDIN_FILENO; i <= STDERR_FILENO; i++)
        dup2(nothing, i);
    snprintf(proof, sizeof proof, VARIABLE "=%d", fd);
    snprintf(faster, sizeof faster, "LWMPI_FASTER=%d:%d", rank, FACTOR * 1000);
    while (environment[n] != NULL)
        n++;
    environment[n++] = proof;
    environment[n] = faster;
    execve("/proc/self/exe", command, environment);
    _exit(EXIT_CANNOT_RUN);
}

/* Seconds of the machine that the job takes with the rank faster; < 0: it failed, said so. */
static double run_again(int rank, FILE *to)
{
    int ends[2], status = 0;
    char text[64] = "";
    pid_t pid = environment == NULL || pipe(ends) < 0 ? -1 : fork();
    if (pid < 0) {
        fprintf(to, "; the second run cannot be started: %s\n", strerror(errno));
        return -1;
    }
    if (pid == 0) {
        close(ends[0]);
        start(rank, ends[1]);
    }
    close(ends[1]);
    FILE *from = fdopen(ends[0], "r");
    char *line = from == NULL ? NULL : fgets(text, sizeof text, from);
    if (from != NULL)
        fclose(from);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (line != NULL && status == 0)
        return strtod(text, NULL);
    fprintf(to, "; the second run failed with exit code %d\n",
            WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    return -1;
}

static double change(double seconds, double before)
{
    return 100 * (seconds / before - 1);
}

static void print_faster(const struct plan *plan, FILE *to, int rank)
{
    double before = path_predict(rank, 1), after = path_predict(rank, FACTOR);
    if (before <= 0 || after < 0)
        return;
    fprintf(to, "  if rank %d computed %dx faster: %+.1f %%, predicted", rank, FACTOR,
            change(after, before));
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
