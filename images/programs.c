/* SPDX-License-Identifier: MIT */
/* The programs that make up a job, as mpiexec describes them in LWMPI_PROGRAMS: for each its number
 * of ranks and of words, then the words, its path and its arguments; numbers end with a colon, a
 * word is its length, a colon and its bytes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/core.h>
#include <hal/hosted.h>
#include <hal/machine.h>
#include <process/image.h>

#define PROGRAMS_MAX 1000000

struct reader {
    const char *at;
    char *words; /* room for the words that are still to come: as long as the text */
};

static bool number(struct reader *r, long least, long most, long *n)
{
    char *end;
    if (*r->at < '0' || *r->at > '9')
        return false;
    *n = strtol(r->at, &end, 10);
    if (*end != ':' || *n < least || *n > most)
        return false;
    r->at = end + 1;
    return true;
}

static bool word(struct reader *r, char **w)
{
    long n;
    if (!number(r, 0, PROGRAMS_MAX, &n) || strnlen(r->at, (size_t)n) < (size_t)n)
        return false;
    *w = r->words;
    memcpy(r->words, r->at, (size_t)n);
    r->words[n] = '\0';
    r->words += n + 1;
    r->at += n;
    return true;
}

/* One program; *end is the rank after its last. argv[-1] is its path. */
static bool program(struct reader *r, long first, struct image_program *p, int *end)
{
    long ranks, words;
    if (!number(r, 0, PROGRAMS_MAX, &ranks) || !number(r, 2, PROGRAMS_MAX, &words))
        return false;
    char **all = calloc((size_t)words + 1, sizeof *all);
    for (long i = 0; all && i < words; i++)
        if (!word(r, &all[i]))
            return false;
    if (!all || first + ranks > PROGRAMS_MAX)
        return false;
    *p = (struct image_program){.argc = (int)words - 1, .argv = all + 1};
    *end = (int)(first + ranks);
    return true;
}

static int refuse(char *why, size_t size, const char *what)
{
    snprintf(why, size, "LWMPI_PROGRAMS: %s; mpiexec writes this variable", what);
    return -B_EINVAL;
}

/* What is read here lives as long as the process. */
int image_programs_read(struct image *im, char *why, size_t size)
{
    const char *text = getenv("LWMPI_PROGRAMS");
    im->program = &im->own;
    if (!text || *text == '\0')
        return 0;
    im->words = malloc(strlen(text) + 1);
    struct reader r = {.at = text, .words = im->words};
    struct image_program *programs = NULL;
    int *ends = NULL, n = 0;
    for (; r.words && *r.at != '\0'; n++) {
        struct image_program *more = realloc(programs, ((size_t)n + 1) * sizeof *more);
        int *more_ends = realloc(ends, ((size_t)n + 1) * sizeof *more_ends);
        if (!more || !more_ends)
            return refuse(why, size, "out of memory");
        programs = more;
        ends = more_ends;
        if (!program(&r, n == 0 ? 0 : ends[n - 1], &programs[n], &ends[n]))
            return refuse(why, size, "this is no list of programs");
    }
    if (n == 0 || ends[n - 1] != im->job.ranks)
        return refuse(why, size, "the programs do not have the ranks of the job");
    im->program = programs;
    im->job.programs = n;
    im->job.program_end = ends;
    return 0;
}

/* Does a rank of the program live in this process? */
static bool here(const struct image *im, int program)
{
    int clusters = (int)hal_machine()->compute_clusters;
    bool sim = strcmp(hal_port_name, "sim") == 0;
    for (int rank = 0; rank < svc_spawn_total(&im->job); rank++) {
        int cluster = svc_spawn_place(&im->job, rank, clusters, 0, 1).cluster;
        if (svc_spawn_program(&im->job, rank) == program && (sim || cluster == hal_cluster()))
            return true;
    }
    return false;
}

int image_programs_load(struct image *im, char *why, size_t size)
{
    int clusters = (int)hal_machine()->compute_clusters;
    int first = strcmp(hal_port_name, "sim") == 0
                    ? 0
                    : svc_spawn_rank(&im->job, hal_cluster(), 0, clusters);
    int own = svc_spawn_program(&im->job, first);
    if (im->job.programs == 0)
        return 0;
    free(im->program[own].argv - 1);
    im->program[own] = im->own;
    for (int i = 0; i < im->job.programs; i++) {
        int e = i == own || !here(im, i) ? 0 : image_program_load(&im->program[i], why, size);
        if (e < 0)
            return e;
    }
    return 0;
}
