/* SPDX-License-Identifier: MIT */
/* The command line of mpiexec, driven by one table. */
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/hosted.h>

#include "options.h"

#define RANKS_MAX   1000000
#define TIMEOUT_MAX 1e7 /* seconds */

void complain(const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    fprintf(stderr, "mpiexec: %s\n", line);
}

/* An option: its names without dashes, what it takes, and what to do with it. take() gets the name
 * as the user wrote it and the values; it returns -1, or the exit code after a complaint. */
struct option {
    const char *names[5];
    const char *argument; /* shown by --help; NULL: takes nothing */
    int values;
    int (*take)(struct request *r, const char *name, char **value);
    const char *help;
};

static int number(const char *name, const char *text, const char *what, long most, int *value)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n < 1 || n > most) {
        complain("%s %.40s: %s must be a whole number from 1 to %ld", name, text, what, most);
        return EXIT_USAGE;
    }
    *value = (int)n;
    return -1;
}

static int take_ranks(struct request *r, const char *name, char **value)
{
    return number(name, value[0], "the number of ranks", RANKS_MAX, &r->ranks);
}

static int take_per_cluster(struct request *r, const char *name, char **value)
{
    return number(name, value[0], "the number of ranks in a cluster", RANKS_MAX, &r->per_cluster);
}

static int take_machine(struct request *r, const char *name, char **value)
{
    (void)name;
    r->machine = value[0];
    return -1;
}

static int take_map(struct request *r, const char *name, char **value)
{
    static const char *const names[] = {"compact", "scatter", NULL};
    if (svc_map_parse(value[0], &r->map) == 0)
        return -1;
    const char *near = suggest(value[0], names);
    complain("%s %.40s: the mapping must be compact or scatter%s%s%s", name, value[0],
             near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return EXIT_USAGE;
}

static int take_timeout(struct request *r, const char *name, char **value)
{
    char *end;
    double s = strtod(value[0], &end);
    if (end == value[0] || *end != '\0' || !(s > 0 && s <= TIMEOUT_MAX)) {
        complain("%s %.40s: the time-out must be a number of seconds above 0", name, value[0]);
        return EXIT_USAGE;
    }
    r->timeout = s;
    return -1;
}

/* The path in absolute form, because --wdir may change what a relative one means. */
static int export_path(const char *variable, const char *path)
{
    char here[PATH_MAX], full[2 * PATH_MAX];
    if (path[0] == '/' || getcwd(here, sizeof here) == NULL)
        setenv(variable, path, 1);
    else {
        snprintf(full, sizeof full, "%s/%s", here, path);
        setenv(variable, full, 1);
    }
    return -1;
}

/* Opening now tells about a bad path before anything runs. */
static int take_file(const char *name, const char *variable, const char *path)
{
    FILE *f = fopen(path, "w");
    if (f == NULL) {
        complain("%s %.200s: cannot write this file: %s", name, path, strerror(errno));
        return EXIT_USAGE;
    }
    fclose(f);
    return export_path(variable, path);
}

static int take_trace(struct request *r, const char *name, char **value)
{
    (void)r;
    return take_file(name, "LWMPI_TRACE", value[0]);
}

static int take_heat(struct request *r, const char *name, char **value)
{
    r->virtual_only = "--heat";
    return take_file(name, "LWMPI_HEAT", value[0]);
}

static int take_seed(struct request *r, const char *name, char **value)
{
    char *end;
    errno = 0;
    strtoull(value[0], &end, 10);
    if (errno != 0 || value[0][0] < '0' || value[0][0] > '9' || *end != '\0') {
        complain("%s %.40s: the seed must be a whole number, 0 or more", name, value[0]);
        return EXIT_USAGE;
    }
    r->virtual_only = "--seed";
    setenv("LWMPI_SEED", value[0], 1);
    return -1;
}

static int take_noc(struct request *r, const char *name, char **value)
{
    static const char *const models[] = {"fluid", "packet", "wormhole", NULL};
    for (int i = 0; models[i] != NULL; i++) {
        if (strcmp(value[0], models[i]) == 0) {
            r->virtual_only = "--noc";
            setenv("LWMPI_NOC", value[0], 1);
            return -1;
        }
    }
    const char *near = suggest(value[0], models);
    complain("%s %.40s: the network model must be fluid, packet or wormhole%s%s%s", name, value[0],
             near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
    return EXIT_USAGE;
}

static int take_stats(struct request *r, const char *name, char **value)
{
    (void)name, (void)value;
    r->stats = true;
    return -1;
}

static int take_label(struct request *r, const char *name, char **value)
{
    (void)name, (void)value;
    r->label = true;
    return -1;
}

static int take_verbose(struct request *r, const char *name, char **value)
{
    (void)name, (void)value;
    r->verbose = true;
    return -1;
}

static int take_wdir(struct request *r, const char *name, char **value)
{
    (void)name;
    r->wdir = value[0];
    return -1;
}

static int take_env(struct request *r, const char *name, char **value)
{
    (void)r;
    if (value[0][0] == '\0' || strchr(value[0], '=') != NULL ||
        setenv(value[0], value[1], 1) != 0) {
        complain("%s %.40s: the name of a variable must not be empty nor contain '='", name,
                 value[0]);
        return EXIT_USAGE;
    }
    return -1;
}

/* -x NAME=VALUE sets; -x NAME passes on what is there, as everything is. */
static int take_export(struct request *r, const char *name, char **value)
{
    char *equals = strchr(value[0], '=');
    if (equals == NULL && getenv(value[0]) != NULL)
        return -1;
    if (equals == NULL || equals == value[0]) {
        complain("%s %.40s: must be NAME=VALUE, or the NAME of a variable that is set", name,
                 value[0]);
        return EXIT_USAGE;
    }
    *equals = '\0';
    char *pair[2] = {value[0], equals + 1};
    return take_env(r, name, pair);
}

static int take_version(struct request *r, const char *name, char **value)
{
    (void)r, (void)name, (void)value;
    printf("mpiexec (lwmpi) %s, MPI 5.0 standard ABI\n", LWMPI_VERSION);
    return 0;
}

static int take_help(struct request *r, const char *name, char **value);

static const struct option options[] = {
    {{"n", "np"}, "N", 1, take_ranks, "number of ranks (1)"},
    {{"machine"}, "M", 1, take_machine, "linux (default), or the name or file of a machine"},
    {{"map"},
     "compact|scatter",
     1,
     take_map,
     "fill a cluster before the next (default), or go round the clusters"},
    {{"ranks-per-cluster", "ppn"},
     "K",
     1,
     take_per_cluster,
     "most ranks in a cluster; on linux a cluster is a process (1)"},
    {{"timeout"}, "S", 1, take_timeout, "after S real seconds print who waits for what, exit 124"},
    {{"trace"}, "FILE", 1, take_trace, "write a trace for Perfetto or chrome://tracing"},
    {{"stats"}, NULL, 0, take_stats, "at the end print time, energy, messages, memory"},
    {{"heat"}, "FILE", 1, take_heat, "virtual time: write the load of the network as SVG"},
    {{"seed"}, "N", 1, take_seed, "virtual time: another order of simultaneous events"},
    {{"noc"}, "MODEL", 1, take_noc, "virtual time: network model fluid, packet or wormhole"},
    {{"l", "label", "prepend-rank", "tag-output"},
     NULL,
     0,
     take_label,
     "begin each line of output with its [rank]"},
    {{"wdir", "wd"}, "DIR", 1, take_wdir, "run in this directory"},
    {{"env", "genv"}, "NAME VALUE", 2, take_env, "set an environment variable"},
    {{"x"}, "NAME=VALUE", 1, take_export, "the same"},
    {{"v", "verbose"}, NULL, 0, take_verbose, "say what is started, and how each process ended"},
    {{"V", "version"}, NULL, 0, take_version, "print the version"},
    {{"h", "help"}, NULL, 0, take_help, "print this"},
};
#define OPTIONS (sizeof options / sizeof options[0])

/* "-n", "--machine": one letter or np takes one dash by habit, words two. */
static const char *dashes(const char *name)
{
    return strlen(name) <= 2 || strcmp(name, "env") == 0 ? "-" : "--";
}

static int take_help(struct request *r, const char *name, char **value)
{
    (void)r, (void)name, (void)value;
    char machines[1024];
    printf("usage: mpiexec [options] program [arguments]\n\nOptions (with one dash or two):\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        char left[80];
        const struct option *o = &options[i];
        int n = snprintf(left, sizeof left, "%s%s", dashes(o->names[0]), o->names[0]);
        if (o->names[1] != NULL)
            n += snprintf(left + n, sizeof left - (size_t)n, ", %s%s", dashes(o->names[1]),
                          o->names[1]);
        if (o->argument != NULL)
            snprintf(left + n, sizeof left - (size_t)n, " %s", o->argument);
        printf("  %-30s %s\n", left, o->help);
    }
    hal_machine_list(machines, sizeof machines);
    printf("\nMachines: %s\n\nExamples:\n"
           "  mpiexec -n 4 ./prog                         4 processes on this computer\n"
           "  mpiexec -n 192 --machine mppa256 ./prog     the same program in virtual time\n"
           "  mpiexec -n 8 --ranks-per-cluster 4 ./prog   2 processes of 4 ranks each\n",
           machines);
    return 0;
}

static const struct option *find(const char *word, size_t n)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        for (int k = 0; k < 5 && options[i].names[k] != NULL; k++) {
            if (strlen(options[i].names[k]) == n && strncmp(options[i].names[k], word, n) == 0)
                return &options[i];
        }
    }
    return NULL;
}

static int unknown(const char *given, const char *word, size_t n)
{
    const char *names[OPTIONS * 5 + 1];
    size_t count = 0;
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)n, word);
    for (size_t i = 0; i < OPTIONS; i++) {
        for (int k = 0; k < 5 && options[i].names[k] != NULL; k++)
            names[count++] = options[i].names[k];
    }
    names[count] = NULL;
    const char *near = suggest(bare, names);
    if (near != NULL)
        complain("unknown option %.60s; did you mean %s%s?", given, dashes(near), near);
    else
        complain("unknown option %.60s; mpiexec --help lists what there is", given);
    return EXIT_USAGE;
}

/* Takes the option at argv[0], -n or --n or --name=value; *used arguments belong to it. */
static int parse_one(struct request *r, char **argv, int *used)
{
    const char *word = argv[0] + (argv[0][1] == '-' ? 2 : 1);
    char *equals = strchr(word, '=');
    size_t n = equals == NULL ? strlen(word) : (size_t)(equals - word);
    const struct option *o = find(word, n);
    if (o == NULL)
        return unknown(argv[0], word, n);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(word - argv[0]) + (int)n, argv[0]);
    if (equals != NULL && o->values == 1) {
        char *value = equals + 1;
        *used = 1;
        return o->take(r, name, &value);
    }
    if (equals != NULL) {
        complain("%s takes no value after '='", name);
        return EXIT_USAGE;
    }
    for (int i = 1; i <= o->values; i++) {
        if (argv[i] == NULL) {
            complain("%s: missing argument: %s %s", name, name, o->argument);
            return EXIT_USAGE;
        }
    }
    *used = 1 + o->values;
    return o->take(r, name, argv + 1);
}

int options_parse(struct request *r, int argc, char **argv)
{
    *r = (struct request){.ranks = 1, .machine = "linux", .map = SVC_MAP_COMPACT};
    int i = 1, used = 0;
    for (; i < argc && argv[i][0] == '-' && argv[i][1] != '\0'; i += used) {
        if (strcmp(argv[i], "--") == 0) {
            i++;
            break;
        }
        int code = parse_one(r, argv + i, &used);
        if (code >= 0)
            return code;
    }
    if (i >= argc || argv[i][0] == '\0') {
        complain("no program given; usage: mpiexec [options] program [arguments], --help explains");
        return EXIT_USAGE;
    }
    for (int k = i; k < argc; k++) {
        if (strcmp(argv[k], ":") == 0) {
            complain("':' would begin another program, but all ranks of a job run the same one");
            return EXIT_USAGE;
        }
    }
    r->command = argv + i;
    return -1;
}
