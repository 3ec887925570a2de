/* SPDX-License-Identifier: MIT */
/* Options that are numbers, names and switches. */
#include "take.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

#define TIMEOUT_MAX 1e7 /* seconds */

/* "; did you mean X?", or nothing, for the word that is near one of `names`. */
static const char *hint(const char *word, const char *const *names)
{
    static char text[80];
    const char *near = suggest(word, names);
    snprintf(text, sizeof text, "; did you mean %.40s?", near ? near : "");
    return near ? text : "";
}

static int number(const char *name, const char *text, const char *what, int *value)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n < 1 || n > RANKS_MAX) {
        complain("%s %.40s: %s must be a whole number from 1 to %d", name, text, what, RANKS_MAX);
        return EXIT_USAGE;
    }
    *value = (int)n;
    return -1;
}

int take_ranks(struct request *r, const char *name, char **value)
{
    return number(name, value[0], "the number of ranks", &take_app(r)->ranks);
}

int take_per_cluster(struct request *r, const char *name, char **value)
{
    return number(name, value[0], "the number of ranks in a cluster", &r->per_cluster);
}

int take_per_node(struct request *r, const char *name, char **value)
{
    return number(name, value[0], "the number of ranks on a node", &r->per_node);
}

int take_universe(struct request *r, const char *name, char **value)
{
    static const char *const words[] = {"infinite", "system", NULL};
    if (strcasecmp(value[0], "infinite") == 0)
        r->universe = -1;
    else if (strcasecmp(value[0], "system") == 0)
        r->universe = 0;
    else if (value[0][0] >= '0' && value[0][0] <= '9')
        return number(name, value[0], "the size of the universe", &r->universe);
    else {
        complain("%s %.40s: the size of the universe must be a number, system or infinite%s", name,
                 value[0], hint(value[0], words));
        return EXIT_USAGE;
    }
    return -1;
}

int take_timeout(struct request *r, const char *name, char **value)
{
    char *end;
    double s = strtod(value[0], &end);
    if (end == value[0] || *end != '\0' || !(s > 0 && s <= TIMEOUT_MAX)) {
        complain("%s %.40s: the time-out must be a number of seconds above 0, %.0f at most", name,
                 value[0], TIMEOUT_MAX);
        return EXIT_USAGE;
    }
    r->timeout = s;
    return -1;
}

int take_machine(struct request *r, const char *name, char **value)
{
    (void)name;
    r->machine = strcmp(value[0], "riscv") == 0 ? "riscv-mini" : value[0];
    return -1;
}

int take_map(struct request *r, const char *name, char **value)
{
    static const char *const names[] = {"compact", "scatter", NULL};
    if (svc_map_parse(value[0], &r->map) == 0)
        return -1;
    complain("%s %.40s: the mapping must be compact or scatter%s", name, value[0],
             hint(value[0], names));
    return EXIT_USAGE;
}

int take_seed(struct request *r, const char *name, char **value)
{
    char *end;
    errno = 0;
    strtoull(value[0], &end, 10);
    if (errno != 0 || value[0][0] < '0' || value[0][0] > '9' || *end != '\0') {
        complain("%s %.40s: the seed must be a whole number from 0 to %llu", name, value[0],
                 ULLONG_MAX);
        return EXIT_USAGE;
    }
    r->virtual_only = "--seed";
    setenv("LWMPI_SEED", value[0], 1);
    return -1;
}

/* The machine file's parser checks them; of two for the same key the last one counts. */
int take_set(struct request *r, const char *name, char **value)
{
    const char *before = getenv("LWMPI_SET");
    char *all;
    if (strchr(value[0], '\n')) {
        complain("%s %.40s: a line end in it; right is KEY=VALUE, one key each time", name,
                 value[0]);
        return EXIT_USAGE;
    }
    if (asprintf(&all, "%s%s\n", before ? before : "", value[0]) < 0) {
        complain("out of memory");
        return EXIT_CANNOT_RUN;
    }
    setenv("LWMPI_SET", all, 1);
    free(all);
    r->virtual_only = "--set";
    return -1;
}

/* One of the runs sets its value and tells what it took. */
int take_sweep(struct request *r, const char *name, char **value)
{
    char *own = sweep_value();
    if (own) {
        r->stats = true;
        return sweep_is_variable(own) ? -1 : take_set(r, name, &own); /* sweep_set_variable */
    }
    if (r->sweep) {
        complain("%s %.100s: one key can be swept; --set gives others another value", name,
                 value[0]);
        return EXIT_USAGE;
    }
    r->sweep = value[0];
    return -1;
}

/* A word for machines in virtual time: one of a few, which it leaves in the environment. */
struct choice {
    const char *option, *variable, *what;
    const char *words[5]; /* NULL terminated */
};

static int choose(struct request *r, const struct choice *c, const char *name, const char *value)
{
    for (int i = 0; c->words[i]; i++) {
        if (strcmp(value, c->words[i]) == 0) {
            r->virtual_only = c->option;
            setenv(c->variable, value, 1);
            return -1;
        }
    }
    complain("%s %.40s: %s%s", name, value, c->what, hint(value, c->words));
    return EXIT_USAGE;
}

int take_compute(struct request *r, const char *name, char **value)
{
    static const struct choice c = {"--compute",
                                    "LWMPI_COMPUTE",
                                    "computation can be counted, measured, annotated or none",
                                    {"counted", "measured", "annotated", "none"}};
    return choose(r, &c, name, value[0]);
}

int take_noc(struct request *r, const char *name, char **value)
{
    static const struct choice c = {"--noc",
                                    "LWMPI_NOC",
                                    "the network model must be fluid, packet or wormhole",
                                    {"fluid", "packet", "wormhole"}};
    return choose(r, &c, name, value[0]);
}

int take_memory(struct request *r, const char *name, char **value)
{
    static const struct choice c = {
        "--memory", "LWMPI_MEMORY", "must be enforce, report or no", {"enforce", "report", "no"}};
    return choose(r, &c, name, value[0]);
}

int take_check(struct request *r, const char *name, char **value)
{
    static const char *const words[] = {"yes", "no", NULL};
    (void)r;
    const char *word = value[0] ? value[0] : "yes";
    if (strcmp(word, "yes") != 0 && strcmp(word, "no") != 0) {
        complain("%s=%.40s: must be yes or no%s", name, word, hint(word, words));
        return EXIT_USAGE;
    }
    setenv("LWMPI_CHECK", word, 1);
    return -1;
}

int take_prove(struct request *r, const char *name, char **value)
{
    (void)name, (void)value;
    r->profile = r->prove = true;
    r->virtual_only = "--prove";
    return -1;
}

int take_faster(struct request *r, const char *name, char **value)
{
    char *end, text[64];
    errno = 0;
    long rank = strtol(value[0], &end, 10);
    double factor = *end == ':' ? strtod(end + 1, &end) : 2;
    if (errno != 0 || end == value[0] || *end != '\0' || rank < 0 || rank >= RANKS_MAX ||
        !(factor >= 0.001 && factor < 1e9)) {
        complain("%s %.40s: must be a rank, or a rank, a colon and how many times as fast it is: "
                 "0:2",
                 name, value[0]);
        return EXIT_USAGE;
    }
    snprintf(text, sizeof text, "%ld:%.3f", rank, factor);
    setenv("LWMPI_FASTER", text, 1);
    r->virtual_only = "--faster";
    return -1;
}

int take_break(struct request *r, const char *name, char **value)
{
    char *end;
    errno = 0;
    long rank = strtol(value[0], &end, 10);
    bool pair = end != value[0] && *end == ':' && end[1] >= '0' && end[1] <= '9';
    unsigned long long cycle = pair ? strtoull(end + 1, &end, 10) : 0;
    if (errno != 0 || *end != '\0' || rank < 0 || rank >= RANKS_MAX || cycle == 0) {
        complain("%s %.40s: must be a rank, a colon and a cycle above 0, at which gdb is to look "
                 "at that rank: 2:250000",
                 name, value[0]);
        return EXIT_USAGE;
    }
    setenv("LWMPI_BREAK", value[0], 1);
    r->virtual_only = "--break";
    return -1;
}

int take_io(struct request *r, const char *name, char **value)
{
    (void)name, (void)value;
    take_app(r)->io = true;
    return -1;
}

int take_oversubscribe(struct request *r, const char *name, char **value)
{
    (void)name, (void)value;
    r->alone = false;
    return -1;
}

/* Options that ask for what is so anyway. */
int take_nothing(struct request *r, const char *name, char **value)
{
    (void)r, (void)name, (void)value;
    return -1;
}

/* The name of a part may be followed by ":" and what Open MPI calls modifiers. */
static const struct part_name {
    const char *name;
    enum part part;
} part_names[] = {
    {"none", PART_NONE},       {"slot", PART_CORE},     {"core", PART_CORE},
    {"hwthread", PART_THREAD}, {"l2cache", PART_L2},    {"l3cache", PART_L3},
    {"numa", PART_NUMA},       {"socket", PART_SOCKET}, {"package", PART_SOCKET},
    {"board", PART_ALL},       {"machine", PART_ALL},   {"node", PART_ALL},
};
#define PART_NAMES (sizeof part_names / sizeof part_names[0])

static int part(const char *name, const char *text, size_t n, enum part *p)
{
    const char *names[PART_NAMES + 1] = {NULL};
    char word[40];
    for (size_t i = 0; i < PART_NAMES; i++) {
        names[i] = part_names[i].name;
        if (strlen(part_names[i].name) == n && strncmp(part_names[i].name, text, n) == 0) {
            *p = part_names[i].part;
            return -1;
        }
    }
    snprintf(word, sizeof word, "%.*s", (int)n, text);
    complain("%s %s: must be one of none, hwthread, core, l2cache, l3cache, numa, socket, node%s",
             name, word, hint(word, names));
    return EXIT_USAGE;
}

int take_bind(struct request *r, const char *name, char **value)
{
    r->bound = true;
    return part(name, value[0], strcspn(value[0], ":"), &r->bind);
}

static int modifier(struct request *r, const char *name, const char *text, size_t n)
{
    if (strncasecmp(text, "pe=", 3) == 0) {
        char digits[16];
        snprintf(digits, sizeof digits, "%.*s", (int)(n - 3), text + 3);
        return number(name, digits, "pe, the parts of a process,", &r->width);
    }
    if (n == strlen("oversubscribe") && strncasecmp(text, "oversubscribe", n) == 0)
        r->alone = false;
    else if (n == strlen("nooversubscribe") && strncasecmp(text, "nooversubscribe", n) == 0)
        r->alone = true;
    else {
        complain("%s: '%.*s' must be pe=N, oversubscribe or nooversubscribe", name, (int)n, text);
        return EXIT_USAGE;
    }
    return -1;
}

/* "socket", "core:pe=2", "ppr:4:node" (4 ranks on each node). */
int take_by(struct request *r, const char *name, char **value)
{
    const char *at = value[0];
    if (strncmp(at, "ppr:", 4) == 0) {
        char digits[16];
        size_t n = strcspn(at + 4, ":");
        snprintf(digits, sizeof digits, "%.*s", (int)n, at + 4);
        if (strcmp(at + 4 + n, ":node") != 0) {
            complain("%s %.40s: ranks are counted per node: ppr:N:node", name, at);
            return EXIT_USAGE;
        }
        return number(name, digits, "the number of ranks on a node", &r->per_node);
    }
    size_t n = strcspn(at, ":");
    int code = part(name, at, n, &r->by);
    if (code < 0 && r->by == PART_NONE) {
        complain("%s none: processes are placed by hwthread, core, l2cache, l3cache, numa, socket "
                 "or node",
                 name);
        return EXIT_USAGE;
    }
    for (at += n; code < 0 && *at == ':'; at += n) {
        n = strcspn(++at, ":");
        code = modifier(r, name, at, n);
    }
    return code;
}
