/* SPDX-License-Identifier: MIT */
/* The job as the environment describes it. mpiexec writes these variables; a user may too, so they
 * are checked like any other input. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include <base/error.h>
#include <hal/hosted.h>
#include <process/image.h>

#define RANKS_MAX   1000000
#define STACK_USUAL ((size_t)8 << 20)
#define STACK_MOST  ((size_t)64 << 20)

/* The value of a variable; NULL: it is not set, or to nothing. */
static const char *value_of(const char *name)
{
    const char *text = getenv(name);
    return text && *text != '\0' ? text : NULL;
}

static int number(const char *name, long least, long most, int *value, char *why, size_t size)
{
    const char *text = value_of(name);
    if (!text)
        return 0;
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    if (errno != 0 || *end != '\0' || n < least || n > most) {
        snprintf(why, size, "%s=%.40s: must be a number from %ld to %ld", name, text, least, most);
        return -B_EINVAL;
    }
    *value = (int)n;
    return 0;
}

/* A process that is one rank is told which, for the program, which finds it as long as it runs. So
 * a program that the rank starts finds it, too, and is one rank by itself. */
static bool told_rank(void)
{
    return getenv("LWMPI_RANK") != NULL;
}

static bool started_by_rank(void)
{
    return told_rank() && !getenv("LWMPI_JOB");
}

/* How many ranks there are, and how many of them a cluster has (0: as many as fit). */
static int shape(int *ranks, int *per_cluster, int *io, char *why, size_t size)
{
    *ranks = 1;
    *per_cluster = strcmp(hal_port_name, "sim") == 0 ? 0 : 1;
    *io = 0;
    if (started_by_rank())
        return 0;
    if (number("LWMPI_SIZE", 1, RANKS_MAX, ranks, why, size) < 0 ||
        number("LWMPI_RANKS_PER_CLUSTER", 1, RANKS_MAX, per_cluster, why, size) < 0 ||
        number("LWMPI_IO_RANK", 0, 1, io, why, size) < 0)
        return -B_EINVAL;
    return 0;
}

static bool shared(int ranks, int per_cluster, int io)
{
    return ranks + io > 1 && (strcmp(hal_port_name, "sim") == 0 || per_cluster > 1);
}

bool image_will_share(void)
{
    char why[256];
    int ranks, per_cluster, io;
    return shape(&ranks, &per_cluster, &io, why, sizeof why) == 0 && shared(ranks, per_cluster, io);
}

/* A static program is linked for one kind of machine; a dynamic one that is run without mpiexec has
 * the library of linux. */
static int port(bool sim, char *why, size_t size)
{
    const char *machine = value_of("LWMPI_MACHINE");
    if (!machine || (strcmp(machine, "linux") != 0) == sim)
        return 0;
    snprintf(why, size, "LWMPI_MACHINE=%.40s: this program has the library for %s in it; %s",
             machine, sim ? "virtual time" : "linux",
             sim ? "run it with mpiexec --machine mppa256"
                 : "run it with mpiexec, linked dynamically if it is static");
    return -B_EINVAL;
}

static int map(struct image *im, char *why, size_t size)
{
    const char *text = value_of("LWMPI_MAP");
    if (!text)
        return 0;
    if (svc_map_parse(text, &im->job.map) < 0) {
        snprintf(why, size, "LWMPI_MAP=%.40s: must be compact or scatter", text);
        return -B_EINVAL;
    }
    return 0;
}

static int compute(struct image *im, char *why, size_t size)
{
    const char *text = getenv("LWMPI_COMPUTE");
    for (int i = 0; i < IMAGE_COMPUTES; i++) {
        if (strcmp(text ? text : "", image_compute_names[i]) == 0) {
            im->compute = (enum image_compute)i;
            return 0;
        }
    }
    snprintf(why, size, "LWMPI_COMPUTE=%.40s: must be counted, measured, annotated or none", text);
    return -B_EINVAL;
}

/* A number with at most three digits behind its point, by whole numbers, as what reads others is a
 * tenth of a static program. One that is too large, or below 0, is far below 0. */
static long thousandths(const char *text, char **end)
{
    unsigned long whole = (unsigned long)strtol(text, end, 10);
    long number = whole < LONG_MAX / 2000 ? 1000 * (long)whole : LONG_MIN / 2;
    if (**end == '.')
        ++*end;
    for (long digit = 100; digit > 0 && **end >= '0' && **end <= '9'; digit /= 10)
        number += (*(*end)++ - '0') * digit;
    return number;
}

/* What stands behind "RANK:"; NULL: this is no rank of the job. */
static char *behind_rank(const char *text, int ranks, int *rank)
{
    char *end;
    long n = strtol(text, &end, 10);
    *rank = (int)n;
    return end > text && *end == ':' && n >= 0 && n < ranks ? end + 1 : NULL;
}

static int faster(struct image *im, int ranks, char *why, size_t size)
{
    const char *text = value_of("LWMPI_FASTER");
    if (!text)
        return 0;
    char *end = behind_rank(text, ranks, &im->faster.rank);
    long factor = end && *end != '-' ? thousandths(end, &end) : 0;
    im->faster.factor = (double)factor / 1000;
    if (factor > 0 && *end == '\0')
        return 0;
    snprintf(why, size,
             "--faster %.40s (LWMPI_FASTER): must be a rank (0..%d), a colon, and how many times "
             "as fast it "
             "is: 0:2",
             text, ranks - 1);
    return -B_EINVAL;
}

static int stop_at(struct image *im, int ranks, char *why, size_t size)
{
    const char *text = value_of("LWMPI_BREAK");
    if (!text)
        return 0;
    char *end = behind_rank(text, ranks, &im->stop.rank);
    im->stop.cycle = end && *end >= '0' && *end <= '9' ? strtoull(end, &end, 10) : 0;
    if (im->stop.cycle > 0 && *end == '\0')
        return 0;
    snprintf(why, size,
             "--break %.40s (LWMPI_BREAK): must be a rank (0..%d), a colon, and a cycle above 0",
             text, ranks - 1);
    return -B_EINVAL;
}

/* A rank may use as much stack as a program that was started without us: the system's limit. Pages
 * cost memory only once they are touched. LWMPI_STACK, if set, is the machine's default: 0. */
static size_t rank_stack(void)
{
    struct rlimit limit;
    if (value_of("LWMPI_STACK"))
        return 0;
    if (getrlimit(RLIMIT_STACK, &limit) < 0 || limit.rlim_cur > STACK_MOST)
        return limit.rlim_cur == RLIM_INFINITY ? STACK_USUAL : STACK_MOST;
    return limit.rlim_cur < IMAGE_STACK_LEAST ? IMAGE_STACK_LEAST : (size_t)limit.rlim_cur;
}

static int memory(struct image *im, char *why, size_t size)
{
    static const char *const words[] = {[IMAGE_MEMORY_ENFORCE] = "enforce",
                                        [IMAGE_MEMORY_REPORT] = "report",
                                        [IMAGE_MEMORY_NO] = "no"};
    const char *text = value_of("LWMPI_MEMORY");
    if (!text)
        return 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i]) == 0) {
            im->memory = (enum image_memory)i;
            return 0;
        }
    }
    snprintf(why, size, "LWMPI_MEMORY=%.40s: must be enforce, report or no", text);
    return -B_EINVAL;
}

static int tuning(struct image *im, char *why, size_t size)
{
    for (int i = 0; i < MPU_TUNES; i++) {
        const char *text = value_of(mpu_tunes[i].variable);
        if (text && mpu_tune_read(&im->tuning, (enum mpu_tune_id)i, text, why, size) < 0)
            return -B_EINVAL;
    }
    return 0;
}

/* mpiexec has set the one or the other. A program that a rank starts is by itself, and meant to be
 * so, whatever launcher is around mpiexec. */
static int check_launcher(char *why, size_t size)
{
    int allowed = 0;
    if (number("LWMPI_ALLOW_SINGLETON", 0, 1, &allowed, why, size) < 0)
        return -B_EINVAL;
    if (getenv("LWMPI_JOB") || getenv("LWMPI_SIZE"))
        setenv("LWMPI_ALLOW_SINGLETON", "1", 1);
    else if (!allowed && image_foreign(why, size))
        return -B_EINVAL;
    return 0;
}

/* The value of a variable that is set, to be kept; NULL if there is none. */
static const char *kept(const char *name)
{
    const char *text = value_of(name);
    return text ? strdup(text) : NULL;
}

static void unset(const char *const *names)
{
    for (; *names; names++)
        unsetenv(*names);
}

/* A program that a rank starts is no part of this job. */
static void forget(void)
{
    static const char *const whose[] = {"LWMPI_RANK", "LWMPI_SIZE", "MPI_LOCALRANKID",
                                        "MPI_LOCALNRANKS", NULL};
    static const char *const job[] = {"LWMPI_MAP",
                                      "LWMPI_RANKS_PER_CLUSTER",
                                      "LWMPI_LABEL",
                                      "LWMPI_STATS",
                                      "LWMPI_EXIT_CODES",
                                      "LWMPI_UNIVERSE",
                                      "LWMPI_PROGRAMS",
                                      "LWMPI_IO_RANK",
                                      "LWMPI_OUTFILE",
                                      "LWMPI_ERRFILE",
                                      "LWMPI_SERVICES",
                                      "LWMPI_ASYNC_PROGRESS",
                                      "LWMPI_COMPUTE",
                                      "LWMPI_MEMORY_MAP",
                                      "LWMPI_FASTER",
                                      "LWMPI_BREAK",
                                      NULL};
    unset(job);
    if (!told_rank() || started_by_rank())
        unset(whose);
    const char *bind = getenv("LD_BIND_NOW");
    if (bind && strcmp(bind, "lwmpi") == 0)
        unsetenv("LD_BIND_NOW");
}

int image_params(struct image *im, char *why, size_t size)
{
    bool sim = strcmp(hal_port_name, "sim") == 0;
    int help = IMAGE_HELP_NEEDED, label = 0, stats = 0, codes = 0, services = 0, universe = 0, io,
        ranks, per_cluster;
    if (check_launcher(why, size) < 0 || port(sim, why, size) < 0 ||
        shape(&ranks, &per_cluster, &io, why, size) < 0 ||
        number("LWMPI_LABEL", 0, 1, &label, why, size) < 0 ||
        number("LWMPI_STATS", 0, 1, &stats, why, size) < 0 ||
        number("LWMPI_EXIT_CODES", 0, 1, &codes, why, size) < 0 ||
        number("LWMPI_SERVICES", 0, 1, &services, why, size) < 0 ||
        number("LWMPI_ASYNC_PROGRESS", IMAGE_HELP_NEVER, IMAGE_HELP_ALWAYS, &help, why, size) < 0 ||
        number("LWMPI_UNIVERSE", -1, RANKS_MAX, &universe, why, size) < 0 ||
        map(im, why, size) < 0 || compute(im, why, size) < 0 || memory(im, why, size) < 0 ||
        faster(im, ranks + io, why, size) < 0 || stop_at(im, ranks + io, why, size) < 0 ||
        tuning(im, why, size) < 0)
        return -B_EINVAL;
    im->job.ranks = ranks;
    im->job.universe = universe;
    if (image_programs_read(im, why, size) < 0)
        return -B_EINVAL;
    im->job.per_cluster = per_cluster;
    im->job.stack = rank_stack();
    im->codes = codes != 0;
    im->io = io != 0;
    im->services = services != 0;
    im->help = (enum image_help)help;
    im->file[0] = kept("LWMPI_OUTFILE");
    im->file[1] = kept("LWMPI_ERRFILE");
    im->memory_map = sim ? kept("LWMPI_MEMORY_MAP") : NULL;
    im->label = label != 0;
    im->stats = stats != 0 && sim;
    im->shared = shared(ranks, per_cluster, io);
    forget();
    return 0;
}
