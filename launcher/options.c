/* SPDX-License-Identifier: MIT */
/* The command line of mpiexec, driven by one table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/hosted.h>

#include "take.h"

#define NAMES_MAX 5
#define OPTIONAL  (-1)

/* An option: its names without dashes, what it takes, and what to do with it (take.h). */
struct option {
    const char *names[NAMES_MAX];
    const char *argument; /* shown by --help; NULL: takes nothing */
    int values;           /* words that follow; OPTIONAL: none, or one after '=' */
    take_function *take;  /* NULL: it puts on the switch at `values` in the request */
    const char *help;
};
#define SWITCH(name) ((int)offsetof(struct request, name))

static take_function take_version, take_help;

static const struct option options[] = {
    {{"n", "np", "c"}, "N", 1, take_ranks, "number of ranks (1)"},
    {{"machine"}, "M", 1, take_machine, "linux (default), riscv, or the name or file of a machine"},
    {{"map"}, "MAP", 1, take_map, "compact: fill a cluster before the next (default); or scatter"},
    {{"ranks-per-cluster"}, "K", 1, take_per_cluster, "most ranks in a cluster; linux: a process"},
    {{"ppn", "npernode", "perhost", "N"}, "K", 1, take_per_node, "most ranks on a node"},
    {{"host", "hosts", "H"}, "NAMES", 1, take_hosts, "this computer, which it is in any case"},
    {{"hostfile", "machinefile", "f"}, "FILE", 1, take_hostfile, "the same in a file"},
    {{"timeout"}, "S", 1, take_timeout, "after S real seconds print who waits for whom, exit 124"},
    {{"check"},
     "[=no]",
     OPTIONAL,
     take_check,
     "ask ranks that wait for long what they have called"},
    {{"env"}, "NAME VALUE", 2, take_env, "set a variable for this program"},
    {{"genv"}, "NAME VALUE", 2, take_genv, "set a variable for all programs"},
    {{"x"}, "NAME=VALUE", 1, take_export, "the same"},
    {{"wdir", "wd"}, "DIR", 1, take_wdir, "run this program in this directory"},
    {{"path"}, "DIRS", 1, take_path, "where to look for this program, before PATH"},
    {{"configfile"},
     "FILE",
     1,
     take_config,
     "read programs and their options from FILE, a line each"},
    {{"l", "label", "prepend-rank", "tag-output"},
     NULL,
     SWITCH(label),
     NULL,
     "[rank] before each line"},
    {{"outfile-pattern"}, "NAME", 1, take_output, "standard output to a file; %r is the rank"},
    {{"errfile-pattern"}, "NAME", 1, take_errors, "the same for standard error"},
    {{"bind-to"}, "PART", 1, take_bind, "none, hwthread, core, l2cache, l3cache, numa, socket"},
    {{"map-by"}, "PART", 1, take_by, "consecutive ranks go to consecutive parts; PART:pe=N"},
    {{"oversubscribe"}, NULL, 0, take_oversubscribe, "ranks may share processors (default)"},
    {{"nooversubscribe"}, NULL, SWITCH(alone), NULL, "refuse more ranks than processors"},
    {{"io-rank"}, NULL, 0, take_io, "this program also, without -n only, on an I/O cluster"},
    {{"usize"}, "N", 1, take_universe, "MPI_UNIVERSE_SIZE: a number, system or infinite"},
    {{"print-all-exitcodes"},
     NULL,
     SWITCH(codes),
     NULL,
     "at the end print the exit code of each rank"},
    {{"trace"}, "FILE", 1, take_trace, "write a trace for Perfetto or chrome://tracing"},
    {{"stats"}, NULL, SWITCH(stats), NULL, "at the end print time, energy, messages, memory"},
    {{"profile"},
     NULL,
     SWITCH(profile),
     NULL,
     "at the end print where the ranks' time in MPI went"},
    {{"report"}, "FILE", 1, take_report, "write what the job did over time as an HTML page"},
    {{"against"}, "FILE", 1, take_against, "... beside another report"},
    {{"prove"}, NULL, 0, take_prove, "virtual time: --profile, and again with a rank faster"},
    {{"faster"},
     "RANK[:FACTOR]",
     1,
     take_faster,
     "virtual time: this rank computes 2 or FACTOR times as fast"},
    {{"break"}, "RANK:CYCLE", 1, take_break, "virtual time: stop in gdb there, to see this rank"},
    {{"services"}, NULL, SWITCH(services), NULL, "servers of names, semaphores, remote memory"},
    {{"set"}, "KEY=VALUE", 1, take_set, "virtual time: another value of a machine file's key"},
    {{"sweep"},
     "KEY=VALUES",
     1,
     take_sweep,
     "virtual time: a run for each, as in hz=4..64:x2 or =A,B"},
    {{"chart"}, "FILE", 1, take_chart, "... with a chart as SVG, and the table as CSV"},
    {{"heat"}, "FILE", 1, take_heat, "virtual time: write the load of the network as SVG"},
    {{"memory-map"},
     "FILE",
     1,
     take_memory_map,
     "virtual time: write what the clusters' memory was used for as SVG"},
    {{"seed"}, "N", 1, take_seed, "virtual time: another order of simultaneous events"},
    {{"noc"}, "MODEL", 1, take_noc, "virtual time: network model fluid, packet or wormhole"},
    {{"compute"}, "WAY", 1, take_compute, "virtual time: counted, measured, annotated, none"},
    {{"memory"},
     "MODE",
     1,
     take_memory,
     "virtual time: malloc ends with a cluster: enforce, report, no"},
    {{"parallel"},
     NULL,
     SWITCH(parallel),
     NULL,
     "machine riscv: harts at the same time, in real time"},
    {{"genvall", "envall", "allow-run-as-root"}, NULL, 0, take_nothing, "as it is anyway"},
    {{"v", "verbose"},
     NULL,
     SWITCH(verbose),
     NULL,
     "say what is started, and how each process ended"},
    {{"V", "version"}, NULL, 0, take_version, "print the version"},
    {{"h", "help"}, NULL, 0, take_help, "print this"},
};
#define OPTIONS (sizeof options / sizeof options[0])

static int take_version(struct request *r, const char *name, char **value)
{
    (void)r, (void)name, (void)value;
    printf("mpiexec (lwmpi) %s, MPI 5.0 standard ABI\n", LWMPI_VERSION);
    return 0;
}

/* "-n", "--machine": short ones take one dash by habit, and those that MPICH's users know. */
static const char *dashes(const char *name)
{
    static const char *const one[] = {"env",
                                      "genv",
                                      "ppn",
                                      "wdir",
                                      "path",
                                      "configfile",
                                      "usize",
                                      "outfile-pattern",
                                      "errfile-pattern",
                                      "print-all-exitcodes",
                                      "genvall",
                                      "envall",
                                      "prepend-rank",
                                      "perhost"};
    for (size_t i = 0; i < sizeof one / sizeof one[0]; i++)
        if (strcmp(one[i], name) == 0)
            return "-";
    return strlen(name) <= 2 ? "-" : "--";
}

static int take_help(struct request *r, const char *name, char **value)
{
    (void)r, (void)name, (void)value;
    char machines[1024];
    printf("usage: mpiexec [options] program [arguments] [: [options] program [arguments]]...\n\n"
           "Options (with one dash or two):\n");
    for (size_t i = 0; i < OPTIONS; i++) {
        char left[80];
        const struct option *o = &options[i];
        int n = snprintf(left, sizeof left, "%s%s", dashes(o->names[0]), o->names[0]);
        if (o->names[1])
            n += snprintf(left + n, sizeof left - (size_t)n, ", %s%s", dashes(o->names[1]),
                          o->names[1]);
        if (o->argument)
            snprintf(left + n, sizeof left - (size_t)n, "%s%s", o->values == OPTIONAL ? "" : " ",
                     o->argument);
        printf("  %-30s %s\n", left, o->help);
    }
    hal_machine_list(machines, sizeof machines);
    printf("\n-n, -env, -wdir and -path are about the program that follows, all others about the "
           "whole job.\nMPIEXEC_TIMEOUT=S in the environment is --timeout S.\n\n"
           "Machines:\n  %s\n\nExamples:\n"
           "  mpiexec -n 4 ./prog                         4 processes on this computer\n"
           "  mpiexec -n 192 --machine mppa256 ./prog     the same program in virtual time\n"
           "  mpiexec -n 12 --machine riscv prog.img      an image of bare metal, in QEMU\n"
           "  mpiexec -n 8 --ranks-per-cluster 4 ./prog   2 processes of 4 ranks each\n"
           "  mpiexec -n 1 ./master : -n 3 ./worker       2 programs, one MPI_COMM_WORLD\n"
           "  mpiexec -n 16 --machine mppa256 ./work : --io-rank ./read\n"
           "                                              16 ranks, and one on an I/O cluster\n"
           "  mpiexec -n 4 -l --timeout 60 ./prog         lines with [rank]; ends after a minute\n"
           "  mpiexec -n 2 -outfile-pattern out.%%r ./prog out.0 and out.1\n",
           machines);
    return 0;
}

static const struct option *find(const char *word, size_t n)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        for (int k = 0; k < NAMES_MAX && options[i].names[k]; k++)
            if (strlen(options[i].names[k]) == n && strncmp(options[i].names[k], word, n) == 0)
                return &options[i];
    }
    return NULL;
}

static int unknown(const char *given, const char *word, size_t n)
{
    const char *names[OPTIONS * NAMES_MAX + 1];
    size_t count = 0;
    char bare[64];
    snprintf(bare, sizeof bare, "%.*s", (int)n, word);
    for (size_t i = 0; i < OPTIONS; i++)
        for (int k = 0; k < NAMES_MAX && options[i].names[k]; k++)
            names[count++] = options[i].names[k];
    names[count] = NULL;
    const char *near = suggest(bare, names);
    if (near)
        complain("unknown option %.60s; did you mean %s%s?", given, dashes(near), near);
    else
        complain("unknown option %.60s; mpiexec --help lists what there is", given);
    return EXIT_USAGE;
}

/* Passes over the option of another launcher at argv[0], of this name, or refuses it. */
static int pass_over(const struct foreign *f, const char *name, char **argv, bool joined, int *used)
{
    if (f->values == REFUSED) {
        complain("%.60s is an option of other launchers; here: %s", name, f->here);
        return EXIT_USAGE;
    }
    *used = 1;
    for (int i = 1; i <= f->values && !joined; i++) {
        if (!argv[i]) {
            complain("%s: missing argument", name);
            return EXIT_USAGE;
        }
        *used = 1 + i;
    }
    if (f->here)
        complain("%s is an option of other launchers and ignored: %s", name, f->here);
    return -1;
}

/* Takes the option at argv[0], -n or --n or --name=value; *used arguments belong to it. */
static int parse_one(struct request *r, char **argv, int *used)
{
    const char *word = argv[0] + (argv[0][1] == '-' ? 2 : 1);
    char *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    const struct option *o = find(word, n);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(word - argv[0]) + (int)n, argv[0]);
    const struct foreign *f = o ? NULL : foreign(name + (word - argv[0]));
    if (f)
        return pass_over(f, name, argv, equals != NULL, used);
    if (!o)
        return unknown(argv[0], word, n);
    if (o->values == OPTIONAL || (equals && o->values == 1)) {
        char *value = equals ? equals + 1 : NULL;
        *used = 1;
        return o->take(r, name, &value);
    }
    if (equals) {
        complain("%s takes no value after '='", name);
        return EXIT_USAGE;
    }
    if (!o->take) {
        *(bool *)((char *)r + o->values) = true;
        *used = 1;
        return -1;
    }
    equals = o->values == 2 && argv[1] ? strchr(argv[1], '=') : NULL;
    if (equals) { /* -env NAME=VALUE, as MPICH takes it, too */
        char *pair[] = {argv[1], equals + 1};
        *equals = '\0';
        *used = 2;
        return o->take(r, name, pair);
    }
    for (int i = 1; i <= o->values; i++) {
        if (!argv[i]) {
            complain("%s: missing argument: %s %s", name, name, o->argument);
            return EXIT_USAGE;
        }
    }
    *used = 1 + o->values;
    return o->take(r, name, argv + 1);
}

/* Complaints name the line of a configuration file in which the word stands. */
static void look_at(const struct request *r, char **word)
{
    if (r->config_file)
        complain_of(r->config_file, r->config_lines[word - r->config_words]);
}

static int no_program(const struct request *r, bool of_several)
{
    if (r->config_file)
        complain("no program in this line; a line is: -n 2 program arguments");
    else
        complain("no program given%s; usage: mpiexec [options] program [arguments], --help "
                 "explains",
                 of_several ? " on one side of ':'" : "");
    return EXIT_USAGE;
}

/* Options and one program up to ":" or the end; *next is what follows, NULL: nothing. */
static int parse_app(struct request *r, char **argv, char ***next)
{
    struct app *more = realloc(r->app, ((size_t)r->apps + 1) * sizeof *more);
    int used = 0, code;
    if (!more) {
        complain("out of memory");
        return EXIT_CANNOT_RUN;
    }
    r->app = more;
    struct app *app = &r->app[r->apps++];
    *app = (struct app){0};
    look_at(r, argv);
    for (; *argv && argv[0][0] == '-' && argv[0][1] != '\0'; argv += used) {
        used = 1;
        look_at(r, argv);
        if (strcmp(*argv, "--") == 0) {
            argv++;
            break;
        }
        if ((code = parse_one(r, argv, &used)) >= 0)
            return code;
    }
    char **end = argv;
    while (*end && strcmp(*end, ":") != 0)
        end++;
    bool more_follow = *end != NULL;
    *end = NULL;
    app->command = argv;
    *next = more_follow ? end + 1 : NULL;
    return argv == end && !r->config ? no_program(r, r->apps > 1 || more_follow) : -1;
}

static int parse_words(struct request *r, char **words)
{
    int code = parse_app(r, words, &words);
    while (code < 0 && words)
        code = parse_app(r, words, &words);
    return code;
}

/* Options before -configfile are about the whole job; programs come from the file only. */
static int parse_config(struct request *r)
{
    const char *path = r->config;
    struct app *app = &r->app[0];
    if (r->apps > 1 || app->command[0] || app->ranks > 0) {
        complain("-configfile %.200s: the programs and their -n come from this file, so the "
                 "command line must not have any",
                 path);
        return EXIT_USAGE;
    }
    char **words = r->config_words = config_words(path, &r->config_buffer, &r->config_lines);
    if (!words)
        return EXIT_USAGE;
    r->apps = 0;
    r->config = NULL;
    r->config_file = path;
    int code = parse_words(r, words);
    r->config_file = NULL;
    complain_of(NULL, 0);
    if (code < 0 && r->config) {
        complain("%.200s: -configfile in the file of -configfile", path);
        return EXIT_USAGE;
    }
    return code;
}

/* The program of the rank beside the world comes last. One that has ranks in the world, too, is
 * there twice; a single program is not. */
static int place_io(struct request *r)
{
    int io = -1;
    for (int i = 0; i < r->apps; i++) {
        if (r->app[i].io && io >= 0) {
            complain("--io-rank: there is one I/O rank, but it is given for several programs");
            return EXIT_USAGE;
        }
        io = r->app[i].io ? i : io;
    }
    r->io = io >= 0;
    if (io < 0 || r->apps == 1)
        return -1;
    struct app last = r->app[io];
    last.ranks = 0;
    if (r->app[io].ranks == 0) {
        memmove(&r->app[io], &r->app[io + 1], (size_t)(r->apps - io - 1) * sizeof last);
        r->apps--;
    } else {
        struct app *more = realloc(r->app, ((size_t)r->apps + 1) * sizeof last);
        if (!more) {
            complain("out of memory");
            return EXIT_CANNOT_RUN;
        }
        r->app = more;
        r->app[io].io = false;
    }
    r->app[r->apps++] = last;
    return -1;
}

static int take_environment(struct request *r)
{
    char *timeout = getenv("MPIEXEC_TIMEOUT");
    return !timeout || *timeout == '\0' || r->timeout > 0
               ? -1
               : take_timeout(r, "MPIEXEC_TIMEOUT", &timeout);
}

int options_parse(struct request *r, int argc, char **argv)
{
    (void)argc;
    *r = (struct request){.machine = "linux", .map = SVC_MAP_COMPACT, .by = PART_NONE, .width = 1};
    int code = parse_words(r, argv + (argv[0] != NULL));
    if (code < 0 && r->config)
        code = parse_config(r);
    if (code < 0)
        code = take_environment(r);
    if (code < 0)
        code = take_files_apart(r);
    if (code < 0)
        code = take_trace_apart(r);
    if (code < 0)
        code = place_io(r);
    for (int i = 0; code < 0 && i < r->apps; i++) {
        struct app *a = &r->app[i];
        if (a->command[0][0] == '\0') {
            complain("the name of the program is empty");
            return EXIT_USAGE;
        }
        a->ranks = a->ranks == 0 && (!a->io || r->apps == 1) ? 1 : a->ranks;
        r->ranks += a->ranks;
        if (r->ranks > RANKS_MAX) {
            complain("%d ranks: at most %d are possible", r->ranks, RANKS_MAX);
            return EXIT_USAGE;
        }
    }
    return code;
}

/* The I/O rank's program may share its variables with the one before it. */
void options_free(struct request *r)
{
    for (int i = 0; i < r->apps; i++) {
        struct app *a = &r->app[i];
        bool shared = false; /* with one that is still to come: the last one frees */
        for (int k = i + 1; k < r->apps; k++)
            shared = shared || r->app[k].env == a->env;
        for (int k = 0; k < a->envs && !shared; k++)
            free(a->env[k]);
        if (!shared)
            free(a->env);
    }
    take_trace_dropped(r);
    free(r->table);
    free(r->app);
    free(r->config_words);
    free(r->config_buffer);
    free(r->config_lines);
}
