/* SPDX-License-Identifier: MIT */
/* Options about files, folders and the environment. */
#include "prove.h"
#include "report.h"
#include "sweep.h"
#include "take.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FULL (2 * PATH_MAX)

static void absolute(const char *path, char full[FULL])
{
    char here[PATH_MAX];
    if (path[0] == '/' || !getcwd(here, sizeof here))
        snprintf(full, FULL, "%s", path);
    else
        snprintf(full, FULL, "%s/%s", here, path);
}

/* The path in absolute form, because --wdir may change what a relative one means. */
static int export_path(const char *variable, const char *path)
{
    char full[FULL];
    absolute(path, full);
    setenv(variable, full, 1);
    return -1;
}

/* Devices and pipes take what several have to write. */
static bool is_same_file(const char *a, const char *b)
{
    char full[2][FULL];
    struct stat s, t;
    bool there = stat(a, &s) == 0, too = stat(b, &t) == 0;
    if (there && too)
        return S_ISREG(s.st_mode) && s.st_dev == t.st_dev && s.st_ino == t.st_ino;
    absolute(a, full[0]);
    absolute(b, full[1]);
    return !there && !too && strcmp(full[0], full[1]) == 0;
}

int take_files_apart(const struct request *r)
{
    const struct {
        const char *option, *path;
    } file[] = {{"--trace", getenv("LWMPI_TRACE")},
                {"--heat", getenv("LWMPI_HEAT")},
                {"--memory-map", getenv("LWMPI_MEMORY_MAP")},
                {"--report", r->report},
                {"--chart", r->chart},
                {"--chart", r->table}};
    for (size_t i = 0; i < sizeof file / sizeof file[0]; i++) {
        for (size_t k = 0; k < i; k++) {
            if (!file[i].path || !file[k].path || !is_same_file(file[i].path, file[k].path))
                continue;
            complain("%s %.200s: %s writes to this file, too; each needs one of its own",
                     file[i].option, file[i].path, file[k].option);
            return EXIT_USAGE;
        }
    }
    return -1;
}

/* Opening now tells about a bad path before anything runs, and leaves what is there, or that there
 * is nothing: the job may be refused. -1, or the exit code. */
static int try_to_write(const char *name, const char *path)
{
    struct stat st;
    if (stat(path, &st) == 0 && S_ISFIFO(st.st_mode))
        return -1; /* whoever reads would find its end when it is closed, before the job begins */
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0)
        unlink(path);
    else if (errno == EEXIST)
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        complain("%s %.200s: cannot write this file: %s", name, path, strerror(errno));
        return EXIT_USAGE;
    }
    close(fd);
    return -1;
}

static int take_file(const char *name, const char *variable, const char *path)
{
    if (prove_runs())
        return -1; /* those of the first run stay as they are */
    int code = try_to_write(name, path);
    return code >= 0 ? code : export_path(variable, path);
}

static const char *const variables[TAKE_FILES] = {"LWMPI_TRACE", "LWMPI_HEAT", "LWMPI_MEMORY_MAP"};

/* Only what is on a disk can be what an earlier job wrote. */
static bool look(int i, struct stat *st)
{
    const char *path = getenv(variables[i]);
    return path && stat(path, st) == 0 && S_ISREG(st->st_mode);
}

void take_files_look(struct take_files *before)
{
    for (int i = 0; i < TAKE_FILES; i++)
        before->there[i] = look(i, &before->was[i]);
}

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool untouched(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           same_time(a->st_mtim, b->st_mtim) && same_time(a->st_ctim, b->st_ctim);
}

void take_files_clear(const struct take_files *before)
{
    struct stat now;
    for (int i = 0; i < TAKE_FILES && !prove_runs(); i++)
        if (before->there[i] && look(i, &now) && untouched(&before->was[i], &now) &&
            truncate(getenv(variables[i]), 0) != 0)
            complain("%s %.200s: holds what an earlier job wrote: %s", variables[i],
                     getenv(variables[i]), strerror(errno));
}

int take_trace(struct request *r, const char *name, char **value)
{
    (void)r;
    return take_file(name, "LWMPI_TRACE", value[0]);
}

/* The runs of the sweep leave it alone. */
int take_chart(struct request *r, const char *name, char **value)
{
    if (sweep_value())
        return -1;
    r->chart = value[0];
    free(r->table);
    r->table = sweep_table(value[0]);
    int code = try_to_write(name, value[0]);
    return code < 0 && r->table ? try_to_write(name, r->table) : code;
}

/* Its numbers over time come from a trace. The file may be what it is compared with. */
int take_report(struct request *r, const char *name, char **value)
{
    if (prove_runs())
        return -1;
    r->report = value[0];
    return try_to_write(name, value[0]);
}

int take_against(struct request *r, const char *name, char **value)
{
    if (prove_runs())
        return -1;
    if (access(value[0], R_OK) != 0) {
        complain("%s %.200s: cannot read this file: %s", name, value[0], strerror(errno));
        return EXIT_USAGE;
    }
    char *data = report_read(value[0]);
    free(data);
    if (!data) {
        complain("%s %.200s: no report of mpiexec in this file", name, value[0]);
        return EXIT_USAGE;
    }
    r->against = value[0];
    return -1;
}

int take_heat(struct request *r, const char *name, char **value)
{
    r->virtual_only = "--heat";
    return take_file(name, "LWMPI_HEAT", value[0]);
}

int take_memory_map(struct request *r, const char *name, char **value)
{
    r->virtual_only = "--memory-map";
    return take_file(name, "LWMPI_MEMORY_MAP", value[0]);
}

int take_wdir(struct request *r, const char *name, char **value)
{
    (void)name;
    take_app(r)->wdir = value[0];
    return -1;
}

int take_path(struct request *r, const char *name, char **value)
{
    (void)name;
    take_app(r)->path = value[0];
    return -1;
}

int take_output(struct request *r, const char *name, char **value)
{
    (void)name;
    r->output = value[0];
    return -1;
}

int take_errors(struct request *r, const char *name, char **value)
{
    (void)name;
    r->errors = value[0];
    return -1;
}

int take_config(struct request *r, const char *name, char **value)
{
    (void)name;
    r->config = value[0];
    return -1;
}

/* NAME=VALUE for all programs, or, with an app, for this one only. */
static int set_variable(struct app *app, const char *option, const char *name, const char *value)
{
    if (name[0] == '\0' || strchr(name, '=')) {
        complain("%s %.40s: the name of a variable must not be empty nor contain '='", option,
                 name);
        return EXIT_USAGE;
    }
    if (!app)
        return setenv(name, value, 1) == 0 ? -1 : EXIT_CANNOT_RUN;
    size_t size = strlen(name) + strlen(value) + 2;
    char **more = realloc(app->env, ((size_t)app->envs + 1) * sizeof *more);
    char *pair = malloc(size);
    if (!more || !pair) {
        complain("%s %.40s: out of memory", option, name);
        return EXIT_CANNOT_RUN;
    }
    int at = 0, length = snprintf(pair, size, "%s=", name);
    strcpy(pair + length, value);
    app->env = more;
    while (at < app->envs && strncmp(app->env[at], pair, (size_t)length) != 0)
        at++;
    if (at < app->envs)
        free(app->env[at]);
    else
        app->envs++;
    app->env[at] = pair;
    return -1;
}

int take_env(struct request *r, const char *name, char **value)
{
    return set_variable(take_app(r), name, value[0], value[1]);
}

int take_genv(struct request *r, const char *name, char **value)
{
    (void)r;
    return set_variable(NULL, name, value[0], value[1]);
}

/* -x NAME=VALUE sets; -x NAME passes on what is there, as everything is. */
int take_export(struct request *r, const char *name, char **value)
{
    (void)r;
    char *equals = strchr(value[0], '=');
    if (equals == value[0]) {
        complain("%s %.40s: must be NAME=VALUE, or the NAME of a variable", name, value[0]);
        return EXIT_USAGE;
    }
    if (!equals && !getenv(value[0]))
        complain("%s %.40s: this variable is not set, so there is nothing to pass on", name,
                 value[0]);
    if (!equals)
        return -1;
    *equals = '\0';
    return set_variable(NULL, name, value[0], equals + 1);
}
