/* SPDX-License-Identifier: MIT */
/* A machine that takes too long says who waits for what and ends with 124, also when one cluster
 * does not answer; SIGQUIT prints the same and the machine goes on. */
#define _GNU_SOURCE
#include "contract_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hal/report.h>

static void reporter(void *arg, hal_report_sink *emit, void *sink)
{
    struct hal_waiter w = {.core = 0,
                           .who = "worker",
                           .what = arg,
                           .holder = "cluster 1",
                           .since = hal_clock_cycles()};
    emit(sink, &w);
}

static void stuck(void *arg)
{
    (void)arg;
    hal_report_register(reporter, "mailbox read port 3");
    contract_meet();
    if (hal_cluster() == 2) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, NULL); /* the one that does not answer */
    }
    for (;;)
        hal_event_wait(HAL_NEVER);
}

static bool two_wait(const char *text)
{
    return strstr(text, "cluster 0 core 0: worker waits for mailbox read port 3") &&
           strstr(text, "cluster 1 core 0: worker waits for mailbox read port 3");
}

static void asked(void *arg)
{
    (void)arg;
    hal_report_register(reporter, "condition 7");
    contract_meet();
    if (hal_cluster() == 1)
        kill(getpid(), SIGQUIT);
    contract_meet();
}

static void run_asked(void)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    exit(hal_run(&m, &o, asked, NULL));
}

static void spins(void *arg)
{
    (void)arg;
    for (;;)
        hal_event_relax(true);
}

/* Without a supervisor. */
static void run_alone(void)
{
    setenv("LWMPI_TIMEOUT", "200 ms", 1);
    exit(hal_enter(spins, NULL));
}

int main(void)
{
    int status;
    const char *text = contract_capture_stuck(stuck, two_wait, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 124);
    CHECK(strstr(text, "time-out") != NULL);
    CHECK(strstr(text, "cluster 0 ") && strstr(text, "cluster 1 "));
    CHECK(two_wait(text));
    CHECK(strstr(text, "held by cluster 1") != NULL);

    text = contract_capture(run_asked, &status);
    CHECK_EQ(status, 0);
    CHECK(strstr(text, "worker waits for condition 7") != NULL);
    CHECK(strstr(text, "cluster 1 ") && !strstr(text, "cluster 0 "));

    unsetenv("LWMPI_JOB");
    text = contract_capture(run_alone, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 124);
    CHECK(strstr(text, "cluster 0 ") != NULL);
    return 0;
}
