/* SPDX-License-Identifier: MIT */
/* Every collective in its three forms, by name:
 *
 *     mpiexec -n 16 osu_coll allreduce               time of a call after the ranks met
 *     mpiexec -n 16 osu_coll allreduce_persistent    the same of Start and Wait
 *     mpiexec -n 16 osu_coll iallreduce              how much of it hides behind computation
 *
 * and all of them by blocking, persistent, nonblocking or all. */
#include <stdio.h>
#include <string.h>

#include "osu.h"

enum reach { ONE, ALL, NEAR };
enum { NEIGHBOURS = 2, MEMORY = 512 << 20 /* of the ranks that share one */ };

struct job {
    const struct osu *o;
    char *out, *in;
    int *counts, *starts, *floats; /* of each rank: bytes, where they begin, floats */
    MPI_Aint *places;              /* as starts */
    MPI_Datatype *types;
    MPI_Comm ring;
};

struct entry {
    const char *title, *name;
    int least;
    enum reach reach;
    void (*call)(const struct job *j, int n);
    void (*start)(const struct job *j, int n, MPI_Request *q);
    void (*init)(const struct job *j, int n, MPI_Request *q);
};

#define COLLECTIVE(title, name, Name, least, reach, ...)                                           \
    static void call_##name(const struct job *j, int n)                                            \
    {                                                                                              \
        int count = n / 4;                                                                         \
        (void)count;                                                                               \
        MPI_##Name(__VA_ARGS__ j->ring);                                                           \
    }                                                                                              \
    static void start_##name(const struct job *j, int n, MPI_Request *q)                           \
    {                                                                                              \
        int count = n / 4;                                                                         \
        (void)count;                                                                               \
        MPI_I##name(__VA_ARGS__ j->ring, q);                                                       \
    }                                                                                              \
    static void init_##name(const struct job *j, int n, MPI_Request *q)                            \
    {                                                                                              \
        int count = n / 4;                                                                         \
        (void)count;                                                                               \
        MPI_##Name##_init(__VA_ARGS__ j->ring, MPI_INFO_NULL, q);                                  \
    }
#include "coll.def"
#undef COLLECTIVE

static const struct entry entries[] = {
#define COLLECTIVE(title, name, Name, least, reach, ...)                                           \
    {title, #name, least, reach, call_##name, start_##name, init_##name},
#include "coll.def"
#undef COLLECTIVE
};

enum { ENTRIES = sizeof entries / sizeof *entries };

/* One form of a collective: how its name is made, and its line of the table. */
struct form {
    const char *group, *before, *after, *title;
    void (*line)(const struct job *j, const struct entry *e, int n);
};

/* Where ranks share a processor the mean of single calls has all their looks at the clock in it. */
static void line_row(const struct job *j, const struct entry *e, int n)
{
    int skip = osu_skip(j->o, (size_t)n), iterations = osu_iterations(j->o, (size_t)n);

    for (int i = 0; i < skip; i++)
        e->call(j, n);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = MPI_Wtime();
    for (int i = 0; i < iterations; i++)
        e->call(j, n);
    osu_latency(j->o, (size_t)n, (MPI_Wtime() - begin) * 1e6 / iterations, iterations);
}

static void line_blocking(const struct job *j, const struct entry *e, int n)
{
    int skip = osu_skip(j->o, (size_t)n), iterations = osu_iterations(j->o, (size_t)n);
    double sum = 0;

    if (j->o->row) {
        line_row(j, e, n);
        return;
    }
    for (int i = -skip; i < iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        e->call(j, n);
        if (i >= 0)
            sum += MPI_Wtime() - begin;
    }
    osu_latency(j->o, (size_t)n, sum * 1e6 / iterations, iterations);
}

static void line_persistent(const struct job *j, const struct entry *e, int n)
{
    int skip = osu_skip(j->o, (size_t)n), iterations = osu_iterations(j->o, (size_t)n);
    double sum = 0;
    MPI_Request q;

    e->init(j, n, &q);
    for (int i = -skip; i < iterations; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        double begin = MPI_Wtime();
        MPI_Start(&q);
        MPI_Wait(&q, MPI_STATUS_IGNORE);
        if (i >= 0)
            sum += MPI_Wtime() - begin;
    }
    MPI_Request_free(&q);
    osu_latency(j->o, (size_t)n, sum * 1e6 / iterations, iterations);
}

struct starting {
    const struct job *job;
    const struct entry *entry;
};

static void start(void *arg, size_t n, MPI_Request *q)
{
    const struct starting *s = arg;

    s->entry->start(s->job, (int)n, q);
}

static void line_nonblocking(const struct job *j, const struct entry *e, int n)
{
    struct starting s = {j, e};
    struct osu_overlap v = osu_measure_overlap(j->o, (size_t)n, start, &s);

    osu_overlap(j->o, (size_t)n, &v);
}

static const struct form forms[] = {
    {"blocking", "", "", "", line_blocking},
    {"persistent", "", "_persistent", "Persistent ", line_persistent},
    {"nonblocking", "i", "", "Non-blocking ", line_nonblocking},
};

enum { FORMS = sizeof forms / sizeof *forms };

static void print_head(const struct osu *o, const struct form *f, const struct entry *e)
{
    char what[80];

    snprintf(what, sizeof what, "%s%s Latency", f->title, e->title);
    if (f->line == line_nonblocking)
        osu_title(o, what, OSU_OVERLAP_COLUMNS);
    else
        osu_title(o, what,
                  o->full ? "# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)"
                            "  Iterations"
                          : "# Size       Avg Latency(us)");
}

/* Messages of n bytes, one for each rank, and room for as many: for the ranks of one memory. */
static bool fits(size_t n, const struct entry *e, const struct osu *o)
{
    size_t messages = e->reach == ALL ? (size_t)o->ranks : e->reach == NEAR ? NEIGHBOURS : 1;

    return 2 * n * messages <= MEMORY / (size_t)o->ranks;
}

/* The first size of a table: whole elements, as many as are asked for or more. */
static size_t first_size(const struct entry *e, const struct osu *o)
{
    size_t element = e->least > 0 ? (size_t)e->least : 1;
    size_t n = (o->least + element - 1) / element * element;

    return n > 0 ? n : element;
}

static void table(struct job *j, const struct form *f, const struct entry *e)
{
    const struct osu *o = j->o;
    size_t n = first_size(e, o);

    print_head(o, f, e);
    for (; e->least && n <= o->most && fits(n, e, o); n = osu_next(n)) {
        for (int i = 0; i < o->ranks || i < NEIGHBOURS; i++) {
            j->counts[i] = (int)n;
            j->starts[i] = i * (int)n;
            j->places[i] = i * (MPI_Aint)n;
            j->floats[i] = (int)n / 4;
        }
        f->line(j, e, (int)n);
    }
    if (!e->least)
        f->line(j, e, 0);
    else if (n <= o->most)
        osu_say(o, "# longer messages would need more than 512 MB\n");
}

/* Is the form of this collective meant by the name? */
static bool named(const char *name, const struct form *f, const struct entry *e)
{
    char full[80];

    snprintf(full, sizeof full, "%s%s%s", f->before, e->name, f->after);
    return strcmp(name, "all") == 0 || strcmp(name, f->group) == 0 || strcmp(name, full) == 0;
}

/* Is it meant in any form? */
static bool wanted(const char *name, const struct entry *e)
{
    for (int f = 0; f < FORMS; f++)
        if (named(name, &forms[f], e))
            return true;
    return false;
}

/* Buffers for the largest messages of the collectives that are meant. */
static struct job make_job(struct osu *o, const char *name)
{
    size_t ranks = (size_t)(o->ranks > NEIGHBOURS ? o->ranks : NEIGHBOURS), most = 0;
    struct job j = {.o = o};
    int around = 1;

    for (int i = 0; i < ENTRIES; i++)
        for (size_t n = first_size(&entries[i], o);
             wanted(name, &entries[i]) && n <= o->most && fits(n, &entries[i], o);
             n = osu_next(n)) {
            size_t all = n * (entries[i].reach == ALL ? ranks : NEIGHBOURS);
            most = all > most ? all : most;
        }
    j.out = osu_memory(o, most);
    j.in = osu_memory(o, most);
    j.counts = osu_memory(o, ranks * sizeof(int));
    j.starts = osu_memory(o, ranks * sizeof(int));
    j.floats = osu_memory(o, ranks * sizeof(int));
    j.places = osu_memory(o, ranks * sizeof(MPI_Aint));
    j.types = osu_memory(o, ranks * sizeof(MPI_Datatype));
    for (size_t i = 0; i < ranks; i++)
        j.types[i] = MPI_CHAR;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &o->ranks, &around, 0, &j.ring);
    return j;
}

int main(int argc, char **argv)
{
    struct osu o = {.least = 1, .most = 1 << 20};
    int found = 0;

    osu_begin(&o, argc, argv, 0,
              " NAME\nNAME: a collective, as allreduce, allreduce_persistent or iallreduce; or\n"
              "blocking, persistent, nonblocking, all");
    const char *name = o.name ? o.name : "blocking";
    struct job j = make_job(&o, name);
    for (int f = 0; f < FORMS; f++)
        for (int e = 0; e < ENTRIES; e++)
            if (named(name, &forms[f], &entries[e])) {
                table(&j, &forms[f], &entries[e]);
                found++;
            }
    if (!found && o.rank == 0)
        fprintf(stderr, "osu: there is no collective %s; --help tells more\n", name);
    MPI_Comm_free(&j.ring);
    osu_end(&o);
    return found ? 0 : 2;
}
