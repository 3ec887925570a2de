/* SPDX-License-Identifier: MIT */
/* A cluster that dies in the middle ends the machine within a second, by name; a supervisor that
 * dies takes its clusters along; and nothing stays behind that a later machine could stumble on. */
#define _GNU_SOURCE
#include "contract_run.h"

#include <dirent.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 20 }; /* a busy computer may take longer than the second, but not each time */

static int pipes[2] = {-1, -1}; /* every cluster holds the writing end */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

static int load(struct hal_machine *m, struct hal_options *o)
{
    contract_load("mini", m, o);
    m->compute_clusters = 8;
    m->compute_cores = 1;
    m->io_clusters = 0;
    return hal_machine_clusters(m);
}

/* Cluster 3 kills itself, without any last word, while the others wait for it; some of them poll,
 * some sleep, one computes. */
static void killed(void *arg)
{
    contract_meet();
    if (hal_cluster() == 0 && pipes[1] >= 0)
        CHECK_EQ(write(pipes[1], "", 1), 1);
    if (hal_cluster() == 3)
        raise(*(int *)arg);
    if (hal_cluster() == 4)
        for (;;)
            hal_event_relax(true);
    for (;;)
        hal_event_wait(HAL_NEVER);
}

static int signal_number;
static uint64_t took;

static void run_killed(void)
{
    struct hal_machine m;
    struct hal_options o;
    int status = 0;
    load(&m, &o);
    took = SECOND;
    for (int i = 0; i < TRIES && took >= SECOND; i++) {
        uint64_t start = now_ns();
        status = hal_run(&m, &o, killed, &signal_number);
        took = now_ns() - start;
        CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1); /* no child is left, alive or not */
    }
    CHECK(took < SECOND);
    exit(status);
}

static void check_signal(int number)
{
    int status;
    char what[64];
    signal_number = number;
    const char *text = contract_capture(run_killed, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 128 + number);
    snprintf(what, sizeof what, "killed by signal %d (%s)", number, strsignal(number));
    CHECK(strstr(text, "cluster 3 ") && strstr(text, what));
}

/* A cluster that ends with a status of its own, without power-off, ends the machine, too. */
static void quits(void *arg)
{
    (void)arg;
    if (hal_cluster() == 5)
        _exit(42);
    for (;;)
        hal_event_wait(HAL_NEVER);
}

/* The supervisor is killed: everybody who holds the pipe must go. Returns how long that took. */
static uint64_t orphans(void)
{
    CHECK(pipe(pipes) == 0);
    pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        struct hal_machine m;
        struct hal_options o;
        load(&m, &o);
        o.timeout_ns = 0;
        signal_number = SIGCONT; /* cluster 3 stays, too */
        hal_run(&m, &o, killed, &signal_number);
        _exit(1);
    }
    close(pipes[1]);
    char byte;
    CHECK_EQ(read(pipes[0], &byte, 1), 1); /* all have met */
    uint64_t start = now_ns();
    kill(pid, SIGKILL);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    CHECK_EQ(read(pipes[0], &byte, 1), 0); /* the end of the file: nobody is left */
    close(pipes[0]);
    pipes[1] = -1;
    return now_ns() - start;
}

static void check_orphans(void)
{
    int tries = 1;
    while (orphans() >= SECOND)
        CHECK(tries++ < TRIES);
}

/* Peers of a cluster that ended in order get an error instead of waiting for ever. */
static void outlives(void *arg)
{
    (void)arg;
    struct hal_mail m = {.header = {0}};
    if (hal_cluster() == 1) {
        contract_meet();
        return; /* with messages unread */
    }
    CHECK_EQ(hal_mailbox_send(1, &m, 0), 0);
    contract_meet();
    int rc;
    UNTIL((rc = hal_mailbox_verdict(1)) != -B_EAGAIN);
    CHECK_EQ(rc, -B_EIO);
    CHECK_EQ(hal_mailbox_send(1, &m, 0), -B_EIO);
    CHECK_EQ(hal_sync_signal(1, 0), -B_EIO);
}

static int open_files(void)
{
    int n = 0;
    DIR *d = opendir("/proc/self/fd");
    CHECK(d != NULL);
    while (readdir(d))
        n++;
    closedir(d);
    return n;
}

static void meets(void *arg)
{
    (void)arg;
    contract_meet();
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    int before = open_files();
    check_signal(SIGKILL);
    check_signal(SIGTERM);
    load(&m, &o);
    CHECK_EQ(hal_run(&m, &o, quits, NULL), 42);
    CHECK_EQ(hal_run(&m, &o, outlives, NULL), 0);
    check_orphans();
    CHECK_EQ(hal_run(&m, &o, meets, NULL), 0);
    CHECK_EQ(open_files(), before);
    return 0;
}
