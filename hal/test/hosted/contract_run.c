/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "contract_run.h"

#include <sys/wait.h>
#include <unistd.h>

void contract_load(const char *machine, struct hal_machine *m, struct hal_options *o)
{
    char why[256];
    if (hal_machine_load(machine, m, why, sizeof why) != 0 ||
        hal_options_default(o, why, sizeof why) != 0) {
        fprintf(stderr, "%s\n", why);
        exit(1);
    }
    o->timeout_ns = PATIENT;
}

int contract_run(void (*boot)(void *arg))
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    return hal_run(&m, &o, boot, NULL);
}

const char *contract_capture(void (*body)(void), int *status)
{
    static char text[64 * 1024];
    int pipes[2];
    CHECK(pipe(pipes) == 0);
    fflush(NULL);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(pipes[1], STDERR_FILENO);
        close(pipes[0]);
        close(pipes[1]);
        body();
        exit(0);
    }
    close(pipes[1]);
    size_t used = 0;
    for (ssize_t n; (n = read(pipes[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)n;
    text[used] = '\0';
    close(pipes[0]);
    CHECK(waitpid(pid, status, 0) == pid);
    return text;
}

static uint64_t stuck_ns;
static void (*stuck_boot)(void *arg);

static void run_stuck(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    o.timeout_ns = stuck_ns;
    exit(hal_run(&m, &o, stuck_boot, NULL));
}

const char *contract_capture_stuck(void (*boot)(void *arg), bool (*good)(const char *text),
                                   int *status)
{
    const char *text;
    stuck_boot = boot;
    stuck_ns = SECOND / 4;
    do {
        text = contract_capture(run_stuck, status);
        stuck_ns *= 2;
    } while (!good(text) && stuck_ns < PATIENT / 2);
    return text;
}
