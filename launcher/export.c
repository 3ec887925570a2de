/* SPDX-License-Identifier: MIT */
/* The environment from which the processes of a job learn what they are part of. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "identity.h"
#include "tuning.h"

#define VARIABLE_MOST (120u << 10) /* the system refuses longer ones */

static void export_number(const char *name, int value)
{
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    setenv(name, text, 1);
}

/* The same in the variables that one program alone gets. */
static void put_before(const struct app *a, const char *name, const char *path)
{
    size_t n = strlen(name);
    char *text;
    for (int i = 0; i < a->envs; i++) {
        if (strncmp(a->env[i], name, n) != 0 || a->env[i][n] != '=' ||
            asprintf(&text, "%s=%s:%s", name, path, a->env[i] + n + 1) < 0)
            continue;
        free(a->env[i]);
        a->env[i] = text;
    }
}

/* In front of what a list of paths in the environment holds. */
static void export_before(const struct request *r, const char *name, const char *path)
{
    const char *before = getenv(name);
    char *text;
    bool more = before && *before != '\0';
    if (asprintf(&text, "%s%s%s", path, more ? ":" : "", more ? before : "") < 0)
        return;
    setenv(name, text, 1);
    free(text);
    for (int i = 0; i < r->apps; i++)
        put_before(&r->app[i], name, path);
}

static bool is_there(const char *library)
{
    if (access(library, R_OK) == 0)
        return true;
    complain("%.400s: cannot read this library: %s; ./lwmpi build makes it", library,
             strerror(errno));
    return false;
}

/* The folder of the library for this machine: beside the folder that holds mpiexec. */
static int export_library(const struct plan *plan)
{
    char self[PATH_MAX], folder[PATH_MAX + 32], file[PATH_MAX + 64];
    if (!home(2, self)) {
        complain("cannot tell where mpiexec itself is: /proc/self/exe: %s", strerror(errno));
        return EXIT_CANNOT_RUN;
    }
    if (plan->bare)
        return -1;
    snprintf(folder, sizeof folder, "%s/lib/%s", self, plan->virtual_time ? "sim" : "linux");
    snprintf(file, sizeof file, "%s/libmpi_abi.so.1", folder);
    if (!is_there(file))
        return EXIT_CANNOT_RUN;
    export_before(plan->request, "LD_LIBRARY_PATH", folder);
    if (plan->recorded) {
        snprintf(file, sizeof file, "%s/lib/liblwmpi_profile.so", self);
        if (!is_there(file))
            return EXIT_CANNOT_RUN;
        export_before(plan->request, "LD_PRELOAD", file);
    }
    return -1;
}

/* In absolute form: the program may run elsewhere. A percent sign in the name of this folder stands
 * for itself. */
static void export_pattern(const char *name, const char *pattern)
{
    char here[PATH_MAX], full[3 * PATH_MAX], *to = full;
    unsetenv(name);
    if (!pattern)
        return;
    if (pattern[0] != '/' && getcwd(here, sizeof here)) {
        for (const char *c = here; *c != '\0'; *to++ = *c++)
            if (*c == '%')
                *to++ = '%';
        snprintf(to, sizeof full - (size_t)(to - full), "/%s", pattern);
        pattern = full;
    }
    setenv(name, pattern, 1);
}

/* NAME=VALUE. */
static void export_pair(const char *pair)
{
    char *name = strndup(pair, strcspn(pair, "="));
    if (name)
        setenv(name, pair + strlen(name) + 1, 1);
    free(name);
}

int plan_export(const struct plan *plan, const struct request *r)
{
    char full[PATH_MAX];
    const char *machine = r->machine;
    if (strchr(machine, '/') || strstr(machine, ".machine"))
        machine = realpath(machine, full) ? full : machine;
    identity_clear();
    setenv("LWMPI_MACHINE", machine, 1);
    export_number("LWMPI_SIZE", plan->job.ranks);
    export_number("LWMPI_RANKS_PER_CLUSTER", plan->job.per_cluster);
    setenv("LWMPI_MAP", plan->job.map == SVC_MAP_COMPACT ? "compact" : "scatter", 1);
    export_number("LWMPI_LABEL", r->label && (plan->virtual_time || plan->job.per_cluster > 1));
    const char *bind = getenv("LD_BIND_NOW");
    if (plan->shared && (!bind || *bind == '\0'))
        setenv("LD_BIND_NOW", "lwmpi", 1); /* instances of the program take over what is bound */
    export_number("LWMPI_STATS", r->stats);
    setenv("LWMPI_VERBOSE", plan->options.verbose ? "yes" : "no", 1);
    export_number("LWMPI_SERVICES", r->services);
    export_number("LWMPI_PARALLEL", r->parallel);
    export_number("LWMPI_EXIT_CODES", r->codes && plan->shared);
    export_number("LWMPI_UNIVERSE", r->universe);
    export_number("LWMPI_IO_RANK", r->io);
    unsetenv("LWMPI_PROGRAMS");
    for (int i = 0; r->apps == 1 && i < r->app[0].envs; i++)
        export_pair(r->app[0].env[i]);
    export_pattern("LWMPI_OUTFILE", plan->shared ? r->output : NULL);
    export_pattern("LWMPI_ERRFILE", plan->shared ? r->errors : NULL);
    /* What a Fortran program prints is out when it is printed, as with C. */
    setenv("GFORTRAN_UNBUFFERED_PRECONNECTED", "y", 0);
    if (!plan->virtual_time && tuning_export(plan->oversubscribed) >= 0)
        return EXIT_USAGE;
    return export_library(plan);
}

/* A program as text: its number of ranks and of words, then the words, its path and its arguments,
 * each as length, colon, bytes. */
static void describe(FILE *to, const struct app *a, const struct program *p)
{
    int words = 1;
    while (a->command[words - 1])
        words++;
    fprintf(to, "%d:%d:%zu:%s", a->ranks, words, strlen(p->path), p->path);
    for (int i = 0; a->command[i]; i++)
        fprintf(to, "%zu:%s", strlen(a->command[i]), a->command[i]);
}

int plan_export_programs(const struct plan *plan)
{
    char *text = NULL;
    size_t size = 0;
    if (plan->request->apps == 1)
        return -1;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return EXIT_CANNOT_RUN;
    for (int i = 0; i < plan->request->apps; i++)
        describe(to, &plan->request->app[i], &plan->program[i]);
    fclose(to);
    bool fits = size < VARIABLE_MOST;
    if (fits)
        setenv("LWMPI_PROGRAMS", text, 1);
    else
        complain("the programs and their arguments are %zu bytes long; %u are possible", size,
                 VARIABLE_MOST);
    free(text);
    return fits ? -1 : EXIT_USAGE;
}
