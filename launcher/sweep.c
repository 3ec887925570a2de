/* SPDX-License-Identifier: MIT */
/* Each run is another mpiexec with the same words, whose environment says which value is its own.
 * What it took is read from what its --stats print. */
#include "sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/hosted.h>

#include "again.h"

#define VARIABLE "LWMPI_SWEPT"
#define WIDTH    15 /* of a column */
#define SAID     200

char *sweep_value(void)
{
    return getenv(VARIABLE);
}

void sweep_set_variable(void)
{
    char *own = sweep_value();
    if (own && sweep_is_variable(own))
        putenv(own); /* which stays in the environment, as part of the other one */
}

/* What the library says is a line of --stats, its words in columns, or a complaint about something
 * that stands before a colon. */
static bool is_complaint(const char *line)
{
    static const char ours[] = "lwmpi: ";
    const char *text = line + strlen(ours);
    if (strncmp(line, ours, strlen(ours)) != 0)
        return true;
    size_t word = strcspn(text, " "), gap = strspn(text + word, " ");
    return word > 0 && gap == 1 && strstr(text, ": ") &&
           strncmp(text, "computation ", strlen("computation ")) != 0;
}

/* A line of --stats, or what the run has to complain of, of which the first is kept. */
static void look(struct sweep_run *run, char *said, const char *line)
{
    sscanf(line, "lwmpi: time %lf s, %lf cycles", &run->seconds, &run->cycles);
    sscanf(line, "lwmpi: energy %lf J", &run->joules);
    sscanf(line, "lwmpi: memory %lf KB", &run->memory);
    sscanf(line, "lwmpi: wall time %lf s", &run->host);
    sscanf(line, "lwmpi: computation %79[^,;:\n]", run->computation);
    if (said[0] == '\0' && is_complaint(line))
        snprintf(said, SAID, "%.*s", (int)strcspn(line, "\n"), line);
}

/* The run's standard error is read here, nobody sees what it prints. -1: it cannot be started. */
static pid_t start(const char *variable, FILE **from)
{
    const char *const more[] = {variable, NULL};
    int ends[2], nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nothing < 0 || pipe2(ends, O_CLOEXEC) < 0)
        return -1;
    pid_t pid = again_start(more, (int[]){nothing, nothing, ends[1]});
    close(nothing);
    close(ends[1]);
    *from = fdopen(ends[0], "r");
    return *from ? pid : -1;
}

/* One run. Its exit code; `said` is what it complained of. */
static int job(const struct sweep *s, struct sweep_run *run, char *said)
{
    char variable[300], line[1024];
    FILE *from;
    said[0] = '\0';
    snprintf(variable, sizeof variable, VARIABLE "=%.*s=%.100s%.40s", s->key_length, s->key,
             run->value, s->unit);
    pid_t pid = start(variable, &from);
    if (pid < 0) {
        snprintf(said, SAID, "it cannot be started: %s", strerror(errno));
        return EXIT_CANNOT_RUN;
    }
    while (fgets(line, sizeof line, from))
        look(run, said, line);
    fclose(from);
    return again_wait(pid);
}

/* Of the first column, in which the longest value has room. */
static int width(const struct sweep *s)
{
    size_t most = WIDTH;
    for (size_t i = 0; i < s->values; i++)
        most = strlen(s->value[i]) > most ? strlen(s->value[i]) : most;
    return (int)most;
}

static void print_head(const struct sweep *s)
{
    char key[110];
    snprintf(key, sizeof key, "%.*s%.40s", s->key_length, s->key, s->unit);
    printf("%*s %*s %*s %*s %*s %*s\n", width(s), key, WIDTH, "cycles", WIDTH, "seconds", WIDTH,
           "joules", WIDTH, "KB in a cluster", WIDTH, "host seconds");
    fflush(stdout);
}

static void print(const struct sweep *s, const struct sweep_run *r)
{
    printf("%*s %*.0f %*.9f %*.6f %*.0f %*.3f\n", width(s), r->value, WIDTH, r->cycles, WIDTH,
           r->seconds, WIDTH, r->joules, WIDTH, r->memory, WIDTH, r->host);
    fflush(stdout);
}

static void write_rows(FILE *f, const struct sweep *s, const struct sweep_run *run, size_t runs)
{
    fprintf(f, "%.*s,cycles,seconds,joules,KB in a cluster,host seconds\n", s->key_length, s->key);
    for (size_t i = 0; i < runs; i++)
        fprintf(f, "%s,%.0f,%.9f,%.6f,%.0f,%.3f\n", run[i].value, run[i].cycles, run[i].seconds,
                run[i].joules, run[i].memory, run[i].host);
}

char *sweep_table(const char *chart)
{
    char *path;
    size_t stem = strlen(chart);
    if (!hal_file_on_disk(chart)) /* nobody expects a table beside /dev/stdout */
        return NULL;
    if (stem > 4 && strcmp(chart + stem - 4, ".svg") == 0)
        stem -= 4;
    return asprintf(&path, "%.*s.csv", (int)stem, chart) < 0 ? NULL : path;
}

static bool write_table(const char *path, const struct sweep *s, const struct sweep_run *run,
                        size_t runs)
{
    FILE *f = fopen(path, "w");
    if (f)
        write_rows(f, s, run, runs);
    return hal_file_finish(f, "mpiexec", "--chart", path);
}

/* How computation was taken, unless that is what is swept: then the rows say it. */
static void tell_computation(const struct sweep_run *run, size_t runs)
{
    bool alike = runs > 0;
    for (size_t i = 1; i < runs && alike; i++)
        alike = strcmp(run[i].computation, run[0].computation) == 0;
    if (alike)
        fprintf(stderr, "lwmpi: computation  %s\n", run[0].computation);
}

/* Runs those that fail have a row, too, but no place among the `*runs` that were counted. The exit
 * code of the first of them, or 0. */
static int run_all(const struct sweep *s, struct sweep_run *run, size_t *runs)
{
    char said[SAID];
    int first = 0;
    size_t i;
    for (i = 0; i < s->values && !again_asked(); i++) {
        struct sweep_run *now = &run[*runs];
        *now = (struct sweep_run){.value = s->value[i]};
        int code = job(s, now, said);
        if (code == 0) {
            print(s, now);
            ++*runs;
            continue;
        }
        if (again_asked())
            break;
        first = first == 0 ? code : first;
        printf("%*s exit code %d: %s\n", width(s), s->value[i], code,
               said[0] == '\0' ? "said nothing" : said);
        fflush(stdout);
    }
    if (!again_asked())
        return first;
    complain("ended by signal %d (%s); --sweep has run %zu of %zu values", again_asked(),
             strsignal(again_asked()), i, s->values);
    return 128 + again_asked();
}

/* The exit code of mpiexec. */
static int all(const struct request *r, const struct sweep *s, struct sweep_run *run)
{
    size_t runs = 0;
    again_pass_on();
    print_head(s);
    int code = run_all(s, run, &runs);
    tell_computation(run, runs);
    if (!r->chart || runs == 0)
        return code;
    bool whole = sweep_draw(r, s, run, runs);
    if (r->table)
        whole = write_table(r->table, s, run, runs) && whole;
    return hal_status(code, whole);
}

/* Whether the machine can be with any of the values; if not, *why says what is wrong with the
 * last. */
static bool is_possible(const struct request *r, const struct sweep *s, char *why, size_t size)
{
    struct hal_machine machine;
    char by[120], with[300];
    bool possible = sweep_is_variable(s->key);
    snprintf(by, sizeof by, "--sweep %.100s", r->sweep);
    for (size_t i = 0; i < s->values && !possible; i++) {
        snprintf(with, sizeof with, "%.*s=%.100s%.40s", s->key_length, s->key, s->value[i],
                 s->unit);
        possible = hal_machine_load_set(r->machine, by, with, &machine, why, size) == 0;
    }
    return possible;
}

int sweep_jobs(const struct request *r)
{
    char why[1024] = "";
    struct sweep s;
    if (strcmp(r->machine, "linux") == 0) {
        complain("--sweep is for machines in virtual time; --machine mppa256 is one");
        return EXIT_USAGE;
    }
    int code = sweep_parse(&s, "--sweep", r->sweep);
    if (code >= 0)
        return code;
    if (!is_possible(r, &s, why, sizeof why)) {
        complain("%s", why);
        sweep_free(&s);
        return EXIT_USAGE;
    }
    struct sweep_run *run = calloc(s.values, sizeof *run);
    if (!run)
        complain("--sweep: out of memory");
    code = run ? all(r, &s, run) : EXIT_CANNOT_RUN;
    free(run);
    sweep_free(&s);
    return code;
}
