/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "contract.h"

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
    for (ssize_t n; (n = read(pipes[0], text + used, sizeof text - 1 - used)) > 0;) {
        used += (size_t)n;
    }
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

uint64_t contract_after(uint64_t ns)
{
    return hal_clock_cycles() + ns / 1000 * (hal_clock_hz() / 1000) / 1000;
}

static uint64_t take_word(int from)
{
    int sender;
    uint64_t word;
    UNTIL(hal_sync_peek(&sender, &word) == 0);
    CHECK(from < 0 || sender == from);
    CHECK_EQ(hal_sync_release(sender), 0);
    return word;
}

void contract_meet(void)
{
    int clusters = hal_machine_clusters(hal_machine());
    if (hal_cluster() != 0) {
        UNTIL(hal_sync_signal(0, 1) == 0);
        CHECK_EQ(take_word(0), 2);
        return;
    }
    for (int i = 1; i < clusters; i++) {
        CHECK_EQ(take_word(-1), 1);
    }
    for (int i = 1; i < clusters; i++) {
        UNTIL(hal_sync_signal(i, 2) == 0);
    }
}

void contract_send(int to, const struct hal_mail *m, size_t used)
{
    int rc;
    do {
        hal_mailbox_verdict(to);
        rc = hal_mailbox_send(to, m, used);
        if (rc == -B_EAGAIN) {
            UNTIL(hal_mailbox_verdict(to) >= 0);
        }
    } while (rc == -B_EAGAIN);
    CHECK_EQ(rc, 0);
}

const struct hal_mail *contract_receive(int *from)
{
    const struct hal_mail *m;
    UNTIL((m = hal_mailbox_peek(from)) != NULL);
    return m;
}
