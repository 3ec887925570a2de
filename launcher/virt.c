/* SPDX-License-Identifier: MIT */
/* lwmpi-virt: runs an image of the bare machine in QEMU (docs/riscv.md). mpiexec starts it as the
 * one process of the job; the job is described by the environment as for any program. All that the
 * machine says comes by one serial line, where the ranks' text bears marks (hal/virt.h). */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hal/hosted.h>
#include <hal/virt.h>
#include <svc/spawn.h>

#include "counted.h"
#include "serial.h"
#include "where.h"

#define CANNOT_RUN 126
#define NO_PROGRAM 127

extern char **environ;
static struct hal_virt board;
static struct svc_job job;

static _Noreturn void fail(int code, const char *what, const char *why)
{
    fprintf(stderr, "lwmpi: %s%s\n", what, why);
    exit(code);
}

static int number(const char *name, int otherwise)
{
    const char *text = getenv(name);
    return !text || *text == '\0' ? otherwise : atoi(text);
}

/* A string more in the description; *used bytes are taken. */
static void append(const char *text, size_t *used)
{
    size_t n = strlen(text) + 1;
    if (n > sizeof board.text - *used)
        fail(2, "arguments and environment are too long for the machine, ", "124 KB are possible");
    memcpy(board.text + *used, text, n);
    *used += n;
}

static void describe(char **arguments)
{
    char why[512];
    const char *name = getenv("LWMPI_MACHINE");
    size_t used = 0;
    job.ranks = number("LWMPI_SIZE", 1);
    if (hal_machine_load(name ? name : "riscv-mini", &board.machine, why, sizeof why) < 0)
        fail(2, why, "");
    const struct hal_machine *m = &board.machine;
    board.hosted = true;
    board.stats = number("LWMPI_STATS", 0) != 0;
    job.per_cluster =
        number("LWMPI_RANKS_PER_CLUSTER", (int)m->compute_cores - (m->asymmetric ? 1 : 0));
    if (getenv("LWMPI_MAP"))
        svc_map_parse(getenv("LWMPI_MAP"), &job.map);
    for (int i = 0; i < (int)m->compute_clusters && i < HAL_VIRT_CLUSTERS; i++)
        board.copies[i] = (uint8_t)svc_spawn_count(&job, i, (int)m->compute_clusters);
    where_of(*arguments, &job, (int)m->compute_clusters);
    for (; *arguments; arguments++, board.arguments++)
        append(*arguments, &used);
    for (char **v = environ; *v; v++, board.variables++)
        append(*v, &used);
}

/* Ends of pipes to and from QEMU: its serial line, and what the machine reads as standard input. */
struct pipes {
    int to, from, input;
};

/* Starts QEMU. It dies with the caller. */
static pid_t start(const char *image, struct pipes *p)
{
    int in[2], out[2], input[2];
    char why[512];
    bool parallel = number("LWMPI_PARALLEL", 0) != 0 || getenv("LWMPI_TEST_PARALLEL");
    const struct hal_virt_start s = {.image = image, .parallel = parallel};
    int file = hal_virt_write(&board, why, sizeof why);
    if (file < 0)
        fail(2, why, "");
    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0 || pipe2(input, O_CLOEXEC) < 0)
        fail(CANNOT_RUN, "no pipes to QEMU: ", strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        fail(CANNOT_RUN, "no process for QEMU: ", strerror(errno));
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0); /* keys of the terminal are not for it */
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        if (input[0] == HAL_VIRT_INPUT_FD)
            fcntl(input[0], F_SETFD, 0);
        else
            dup2(input[0], HAL_VIRT_INPUT_FD);
        int e = hal_virt_become(&s, &board, file);
        const char *emulator = hal_virt_emulator(image);
        fprintf(stderr, "lwmpi: cannot start %s: %s%s\n", emulator ? emulator : image, strerror(e),
                e == ENOENT  ? " (Debian and Ubuntu have it in the package qemu-system-misc)"
                : e == E2BIG ? "; " HAL_VIRT_MORE " has more than 32 words"
                : e == EFBIG ? "; text and variables of a program must fit the 2 MB of a cluster"
                             : "");
        _exit(NO_PROGRAM);
    }
    close(in[0]);
    close(out[1]);
    close(input[0]);
    close(file);
    *p = (struct pipes){in[1], out[0], input[1]};
    return pid;
}

/* Signals come by a descriptor once QEMU, which shall not inherit that, runs. */
static int watch_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGQUIT);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    sigprocmask(SIG_BLOCK, &set, NULL);
    signal(SIGPIPE, SIG_IGN); /* of a machine that has ended */
    return signalfd(-1, &set, SFD_CLOEXEC);
}

/* 0, or the signal that ends the job. */
static int take_signal(int signals, int to)
{
    static const char report = HAL_VIRT_REPORT;
    struct signalfd_siginfo s;
    if (read(signals, &s, sizeof s) != (ssize_t)sizeof s)
        return 0;
    if (s.ssi_signo == SIGQUIT && write(to, &report, 1) < 0)
        return 0;
    return s.ssi_signo == SIGINT || s.ssi_signo == SIGTERM || s.ssi_signo == SIGHUP
               ? (int)s.ssi_signo
               : 0;
}

/* What is on its way from the own standard input to the machine's. A pipe that can be written to
 * takes PIPE_BUF bytes at once, so nothing here waits for a machine that does not read. */
struct forward {
    char text[PIPE_BUF];
    ssize_t n; /* bytes in it; -1: there are no more */
};

/* Whom to wait for: there is something to read, or room to write. */
static struct pollfd forward_next(const struct forward *f, int input)
{
    return f->n < 0   ? (struct pollfd){.fd = -1}
           : f->n > 0 ? (struct pollfd){.fd = input, .events = POLLOUT}
                      : (struct pollfd){.fd = STDIN_FILENO, .events = POLLIN};
}

static void forward(struct forward *f, int input)
{
    ssize_t n;
    if (f->n == 0) {
        n = read(STDIN_FILENO, f->text, sizeof f->text);
        f->n = n > 0 ? n : n < 0 && errno == EINTR ? 0 : -1;
    } else {
        n = write(input, f->text, (size_t)f->n);
        f->n = n == f->n ? 0 : n < 0 && errno == EINTR ? f->n : -1;
    }
    if (f->n < 0)
        close(input); /* the machine reads to here, and finds the end */
}

/* Until the line ends, or a signal comes that ends the job: that signal. */
static int relay(const struct pipes *pipes, int signals)
{
    char text[4096];
    int from = pipes->from, to = pipes->to;
    struct forward input = {.n = 0};
    struct pollfd p[3] = {{.fd = from, .events = POLLIN}, {.fd = signals, .events = POLLIN}};
    for (int signal_number = 0; signal_number == 0;) {
        p[2] = forward_next(&input, pipes->input);
        if (poll(p, 3, -1) < 0 && errno != EINTR)
            return SIGTERM;
        if (p[2].revents != 0)
            forward(&input, pipes->input);
        if (p[1].revents != 0)
            signal_number = take_signal(signals, to);
        if (p[0].revents == 0)
            continue;
        ssize_t n = read(from, text, sizeof text);
        if (n <= 0 && errno != EINTR)
            return signal_number;
        if (n > 0 && !serial_take(text, (size_t)n))
            return SIGPIPE;
        if (signal_number != 0)
            return signal_number;
    }
    return 0;
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int status;
    double begin = wall();
    struct pipes pipes;
    if (argc < 2)
        fail(2, "usage: lwmpi-virt image [arguments]; ", "mpiexec --machine riscv starts it");
    if (access(argv[1], R_OK) < 0)
        fail(NO_PROGRAM, argv[1], ": cannot read this image");
    describe(argv + 1);
    pid_t pid = start(argv[1], &pipes);
    int signals = watch_signals();
    int ended_by = relay(&pipes, signals);
    if (ended_by != 0)
        kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    if (!serial_end() && ended_by == 0)
        ended_by = SIGPIPE;
    counted_print(stderr, &board.machine, &job, wall() - begin);
    if (ended_by != 0)
        return 128 + ended_by;
    if (WIFSIGNALED(status)) {
        fprintf(stderr, "lwmpi: QEMU was killed by signal %d (%s)\n", WTERMSIG(status),
                strsignal(WTERMSIG(status)));
        return 128 + WTERMSIG(status);
    }
    return WEXITSTATUS(status);
}
