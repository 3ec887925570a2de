/* SPDX-License-Identifier: MIT */
/* Starting a job and finishing it. */
#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <base/error.h>
#include <launcher/outfile.h>
#include <launcher/stats.h>

#include "identity.h"
#include "profile.h"
#include "prove.h"
#include "records.h"
#include "report.h"
#include "run.h"
#include "start.h"
#include "take.h"
#include "terminal.h"
#include "trace.h"

#define DRAIN_ENDED_MS 2000 /* patience with the reader of the output of a job that was ended */
#define SPARE_FILES    32   /* descriptors beside the pipes */
#define FEW_FILES      8    /* descriptors of a job without pipes, the standard three included */

extern char **environ;

/* What mpiexec's caller had set; its processes get it back. */
struct inherited {
    sigset_t mask;
    struct rlimit files;
};

/* Does one of the app's own variables replace this one? */
static bool replaced(const struct app *a, const char *variable)
{
    size_t n = strcspn(variable, "=") + 1;
    for (int i = 0; i < a->envs; i++)
        if (strncmp(a->env[i], variable, n) == 0)
            return true;
    return false;
}

/* The environment of a process of an app. NULL: no memory. Valid as long as *id is. */
static char **environment(const struct app *a, struct identity *id)
{
    size_t n = 0, used = 0;
    while (environ[n])
        n++;
    char **copy = malloc((n + (size_t)a->envs + (size_t)id->n + 1) * sizeof *copy);
    if (!copy)
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!replaced(a, environ[i]))
            copy[used++] = environ[i];
    for (int i = 0; i < a->envs; i++)
        copy[used++] = a->env[i];
    for (int i = 0; i < id->n; i++)
        copy[used++] = id->text[i];
    copy[used] = NULL;
    return copy;
}

/* Files instead of pipes, for a process that is one rank. 0 or -errno. */
static int open_files(const struct run *run, int process, struct start *s)
{
    const char *patterns[2] = {run->request->output, run->request->errors};
    int *ends[2] = {&s->out, &s->err};
    for (int i = 0; i < 2 && !run->plan->shared; i++) {
        if (!patterns[i])
            continue;
        int fd = launcher_outfile(patterns[i], process, false);
        if (fd < 0)
            return fd;
        *ends[i] = fd;
    }
    return 0;
}

/* The pipes of one process, where it has no file; its ends are kept by *s, ours by the relay. */
static int make_pipes(struct run *run, int process, struct start *s)
{
    int label = run->request->label && run->plan->job.per_cluster == 1 ? process : -1;
    int *ends[2] = {&s->out, &s->err};
    for (int i = 0; i < 2; i++) {
        int pair[2];
        if (*ends[i] >= 0)
            continue;
        bool terminal = i == 1 && process == 0 && isatty(2) == 1;
        if (!terminal || terminal_pair(2, &pair[0], &pair[1]) < 0) {
            if (pipe2(pair, O_CLOEXEC) < 0)
                return -errno;
        }
        fcntl(pair[0], F_SETFL, O_NONBLOCK);
        relay_add(run->relay, pair[0], i, label);
        *ends[i] = pair[1];
    }
    return 0;
}

static void close_end(int fd)
{
    if (fd >= 0)
        close(fd);
}

static int start_one(struct run *run, int process, struct start *s)
{
    cpu_set_t cpus;
    struct identity id;
    identity_of(run, process, &id);
    s->envp = environment(&run->request->app[plan_app(run->plan, process)], &id);
    int e = s->envp ? open_files(run, process, s) : -ENOMEM;
    if (e == 0 && run->relay)
        e = make_pipes(run, process, s);
    if (run->binding) {
        binding_of(run->binding, process, &cpus);
        s->cpus = &cpus;
    }
    s->number = process;
    pid_t pid = e < 0 ? e : start_process(s);
    close_end(s->out);
    close_end(s->err);
    s->out = s->err = -1;
    free(s->envp);
    if (pid < 0)
        return pid;
    run->process[process].pid = pid;
    run->live++;
    if (run->job)
        hal_job_started(run->job, process, pid);
    if (run->request->verbose) {
        char ranks[64];
        plan_ranks(run->plan, process, ranks, sizeof ranks);
        char bound[128] = "", text[100];
        if (run->binding) {
            binding_text(&cpus, text, sizeof text);
            snprintf(bound, sizeof bound, ", processors %s", text);
        }
        complain("%s: process %d, %.200s%s", ranks, (int)pid, s->path, bound);
    }
    return 0;
}

/* The path of a command that lies beside mpiexec. False: it is not known where that is. */
static bool beside(const char *name, char path[PATH_MAX])
{
    char folder[PATH_MAX];
    if (!home(1, folder))
        return false;
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/* An image of bare metal is run by a program of ours, which gets the image and its arguments. */
static int choose_runner(struct run *run, struct start *s)
{
    static char path[PATH_MAX];
    int n = 0;
    while (s->argv[n])
        n++;
    char **argv = calloc((size_t)n + 2, sizeof *argv);
    if (!argv || !beside("lwmpi-virt", path)) {
        free(argv);
        return argv ? -errno : -ENOMEM;
    }
    argv[0] = path;
    memcpy(argv + 1, s->argv, ((size_t)n + 1) * sizeof *argv);
    argv[1] = run->plan->program[0].path; /* the first argument of the program, as everywhere */
    s->argv = run->runner = argv;
    s->path = path;
    return 0;
}

/* What the processes of an app have in common. */
static void choose(const struct run *run, int app, struct start *s)
{
    const struct app *a = &run->request->app[app];
    s->path = run->plan->program[app].path;
    s->argv = run->plan->program[app].argv;
    s->wdir = a->wdir;
}

/* The process of the services: nobody's program, so it is beside mpiexec. What it has to say goes
 * where mpiexec's own errors go. */
static int start_helper(struct run *run, const struct start *like)
{
    static char *const argv[] = {"lwmpi-services", NULL};
    char path[PATH_MAX];
    struct identity id;
    int cluster = run->plan->processes;
    if (!beside(argv[0], path))
        return -errno;
    struct start s = *like;
    s.number = cluster;
    s.path = path;
    s.argv = (char **)argv;
    s.wdir = NULL;
    identity_of(run, cluster, &id);
    s.envp = environment(&run->request->app[0], &id);
    if (!s.envp)
        return -ENOMEM;
    pid_t pid = start_process(&s);
    free(s.envp);
    if (pid < 0)
        return pid;
    run->process[cluster].pid = pid;
    run->live++;
    hal_job_started(run->job, cluster, pid);
    if (run->request->verbose)
        complain("services: process %d, %.200s", (int)pid, path);
    return 0;
}

/* A pipe from those that start to mpiexec; it ends when all have become their programs. -errno. */
static int make_news(struct run *run, struct start *s)
{
    int pair[2];
    if (pipe2(pair, O_CLOEXEC) < 0)
        return -errno;
    fcntl(pair[0], F_SETFL, O_NONBLOCK);
    run->news = pair[0];
    s->news = pair[1];
    return 0;
}

/* Standard input belongs to the process of rank 0; the others find its end. */
static void start_all(struct run *run, const struct inherited *inherited)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct start s = {.in = -1,
                      .out = -1,
                      .err = -1,
                      .news = -1,
                      .path = run->plan->program[0].path,
                      .keep = run->job ? hal_job_fd(run->job) : -1,
                      .mask = &inherited->mask,
                      .files = &inherited->files};
    int e = null < 0 ? -errno : make_news(run, &s);
    if (e == 0 && run->plan->helpers > 0) {
        struct start helper = s;
        helper.in = null;
        e = start_helper(run, &helper);
    }
    for (int i = 0; i < run->plan->processes && e == 0; i++) {
        choose(run, plan_app(run->plan, i), &s);
        e = run->plan->bare ? choose_runner(run, &s) : 0;
        e = e == 0 ? start_one(run, i, &s) : e;
        s.in = null;
    }
    close_end(null);
    close_end(s.news);
    run->begun = e == 0;
    if (e != 0)
        run_end(run, EXIT_CANNOT_RUN, "%.150s: cannot start %s: %s", s.path,
                run->live == 0 ? "this program" : "all its processes", start_error(-e));
}

/* Opens the file of each rank, to clear it or to see whether that is possible. */
static int open_all(const struct run *run, bool clear)
{
    const char *patterns[2] = {run->request->output, run->request->errors};
    for (int i = 0; i < 2; i++) {
        for (int rank = 0; patterns[i] && rank < svc_spawn_total(&run->plan->job); rank++) {
            int fd = launcher_outfile(patterns[i], rank, clear);
            if (fd < 0) {
                complain("-%sfile-pattern %.300s: cannot write the file of rank %d: %s",
                         i == 0 ? "out" : "err", patterns[i], rank,
                         fd == -EINVAL ? "% stands before r, h, p, g or %" : strerror(-fd));
                return EXIT_USAGE;
            }
            close(fd);
        }
    }
    return -1;
}

/* What earlier jobs wrote stays if a file of another rank cannot be written. -1, or the exit code
 * after a complaint. */
static int clear_files(const struct run *run)
{
    int code = open_all(run, false);
    return code < 0 ? open_all(run, true) : code;
}

/* Does the processes' output come through mpiexec? */
static bool piped(const struct run *run)
{
    const struct plan *plan = run->plan;
    bool labels = run->request->label && plan->job.per_cluster == 1;
    return !plan->virtual_time && (plan->processes > 1 || labels);
}

/* mpiexec itself opens as many files as it may. -1 after a complaint: the job needs more. */
static int allow_files(const struct run *run, struct inherited *inherited)
{
    int processes = run->plan->processes;
    rlim_t need = piped(run) ? (rlim_t)processes * 2 + SPARE_FILES : FEW_FILES;
    getrlimit(RLIMIT_NOFILE, &inherited->files);
    struct rlimit files = inherited->files;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
    if (files.rlim_cur >= need)
        return 0;
    complain("a job of %d process%s needs %llu open files, but the limit is %llu (ulimit -n)",
             processes, processes == 1 ? "" : "es", (unsigned long long)need,
             (unsigned long long)files.rlim_cur);
    return -1;
}

/* What mpiexec reacts to. Of what would end it not what its caller ignores, as nohup does: a signal
 * that is blocked would come all the same. */
static void choose_signals(sigset_t *all)
{
    static const int always[] = {SIGCHLD, SIGQUIT, SIGUSR1, SIGUSR2};
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now;
    sigemptyset(all);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
        sigaddset(all, always[i]);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (sigaction(ends[i], NULL, &now) < 0 || now.sa_handler != SIG_IGN)
            sigaddset(all, ends[i]);
}

static int prepare(struct run *run, struct inherited *inherited)
{
    const struct plan *plan = run->plan;
    sigset_t all;
    if (allow_files(run, inherited) < 0)
        return EXIT_CANNOT_RUN;
    choose_signals(&all);
    sigprocmask(SIG_BLOCK, &all, &inherited->mask);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* the call that met the limit says so */
    signal(SIGCHLD, SIG_DFL); /* a caller that ignores it would leave us nothing to wait for */
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run->signals = signalfd(-1, &all, SFD_CLOEXEC | SFD_NONBLOCK);
    run->process = calloc((size_t)(plan->processes + plan->helpers), sizeof *run->process);

    if (piped(run))
        run->relay = relay_create(plan->processes * 2);
    if (!plan->virtual_time && (run->request->bind != PART_NONE || run->request->by != PART_NONE) &&
        !(run->binding = binding_make(run->request))) {
        complain("--bind-to: out of memory");
        return EXIT_CANNOT_RUN;
    }
    int e = plan->virtual_time ? 0 : hal_job_create(&plan->machine, &plan->options, &run->job);
    if (e < 0 || !run->process || run->signals < 0) {
        complain("cannot make the job's shared memory: %s",
                 e == -B_ERANGE ? "files may not be that large here: lift the limit (ulimit -f "
                                  "unlimited)"
                                : b_error_message(e < 0 ? e : -B_ENOMEM));
        return EXIT_CANNOT_RUN;
    }
    return clear_files(run);
}

static const char *counter_name(const void *source, int i)
{
    return hal_job_counter_name(source, i);
}

static uint64_t counter_sum(const void *source, int i)
{
    return hal_job_counter_sum(source, i);
}

/* On linux the launcher sees the whole job; in virtual time the one process prints. */
static void print_stats(const struct run *run)
{
    double seconds = run_time() - run->begin;
    struct launcher_stats s = {
        .machine = run->plan->machine.name,
        .hz = run->plan->machine.hz,
        .job = run->plan->job,
        .clusters = (int)run->plan->machine.compute_clusters,
        .result = {.seconds = seconds, .energy_core = -1, .energy_noc = -1, .energy_static = -1},
        .wall = seconds,
        .name = counter_name,
        .sum = counter_sum,
        .source = run->job,
    };
    launcher_stats_print(stderr, &s);
}

static void print_codes(const struct run *run)
{
    fprintf(stderr, "mpiexec: exit codes of ranks 0-%d: ", svc_spawn_total(&run->plan->job) - 1);
    for (int i = 0; i < run->plan->processes; i++)
        fprintf(stderr, i == 0 ? "%d" : ",%d", run->process[i].status);
    fprintf(stderr, "\n");
}

/* The first status that is not 0 in the order of processes, of which each has that of its ranks. */
static int exit_code(const struct run *run)
{
    if (run->ending)
        return run->code;
    for (int i = 0; i < run->plan->processes; i++)
        if (run->process[i].status != 0)
            return run->process[i].status;
    return 0;
}

/* False: the machine's trace is lost. */
static bool release(struct run *run)
{
    bool told = !run->job || hal_job_destroy(run->job, run->begun);
    relay_destroy(run->relay);
    free(run->process);
    free(run->runner);
    free(run->binding);
    close_end(run->signals);
    close_end(run->news);
    return told;
}

int job_run(const struct request *r, const struct plan *plan)
{
    struct run run = {.request = r, .plan = plan, .signals = -1, .news = -1, .begin = run_time()};
    struct inherited inherited;
    struct take_files before;
    int code = plan->recorded ? records_create(plan) : -1;
    if (code < 0)
        code = prepare(&run, &inherited);
    if (code >= 0) {
        release(&run);
        return code;
    }
    take_files_look(&before);
    start_all(&run, &inherited);
    run_supervise(&run);
    if (run.ending)
        run_sweep();
    /* All has ended: from here on a signal may end mpiexec as it ends anybody. */
    sigprocmask(SIG_SETMASK, &inherited.mask, NULL);
    bool told = !run.relay || relay_finish(run.relay, run.ending ? DRAIN_ENDED_MS : -1);
    if (run.why[0] != '\0')
        complain("%s", run.why);
    if (r->codes && !plan->shared)
        print_codes(&run);
    if (run.job && r->stats)
        print_stats(&run);
    if (plan->recorded)
        records_settle(run.job ? hal_job_time_ns(run.job) : 0);
    if (r->profile) {
        profile_print(stderr);
        prove(plan, stderr);
    }
    code = exit_code(&run);
    /* The machine in virtual time says by its exit code that it could not write a file. */
    bool lost = !release(&run) || (plan->virtual_time && code == hal_status(0, false));
    if (run.begun)
        take_files_clear(&before);
    if (run.begun && plan->options.trace && !trace_add(plan, lost))
        lost = true;
    if (run.begun && r->trace_to && !take_trace_handed_on(r))
        lost = true;
    told = told && !lost;
    if (r->report && !report_write(plan))
        told = false;
    records_release();
    return hal_status(code, told);
}
