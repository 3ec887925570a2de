/* SPDX-License-Identifier: MIT */
/* The report of the simulated machine at a deadlock, a time-out and on SIGQUIT: its content and the
 * exit status. */
#include "contract_run.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <hal/console.h>
#include <hal/lock.h>
#include <hal/report.h>
#include <hal/work.h>

static struct hal_lock alpha, beta;

static int run(void (*boot)(void *arg), uint64_t timeout_ns)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    m.hz = 1000000000;
    o.timeout_ns = timeout_ns;
    return hal_run(&m, &o, boot, NULL);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fprintf(stderr, "the report lacks \"%s\":\n%s", part, text);
        exit(1);
    }
}

static void lacks(const char *text, const char *part)
{
    if (strstr(text, part)) {
        fprintf(stderr, "the report should not have \"%s\":\n%s", part, text);
        exit(1);
    }
}

/* Two cores take two locks in opposite order; a kernel tells of its threads. */
static void other_way_round(void *arg)
{
    (void)arg;
    hal_lock(&beta);
    hal_work(100);
    hal_lock(&alpha);
    hal_unlock(&alpha);
}

static void tell(void *arg, hal_report_sink *emit, void *sink)
{
    (void)hal_clock_cycles();
    struct hal_waiter w = {
        .core = 2, .who = "worker", .what = "mailbox read port 3", .holder = arg, .since = 77};
    emit(sink, &w);
}

static void cross(void *arg)
{
    (void)arg;
    if (hal_cluster() != 1)
        return;
    hal_lock_init(&alpha, "alpha");
    hal_lock_init(&beta, "beta");
    hal_report_register(tell, (void *)"thread \"server\"");
    CHECK_EQ(hal_core_start(1, other_way_round, NULL), 0);
    hal_lock(&alpha);
    hal_work(200);
    hal_lock(&beta);
    hal_unlock(&beta);
}

static void deadlock(void)
{
    exit(run(cross, 0));
}

static void test_deadlock(void)
{
    int status;
    const char *text = contract_capture(deadlock, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 124);
    has(text, "deadlock: nothing can happen any more: machine mini, cycle 200, noc fluid, seed 0");
    has(text, "cluster 1 core 0 waits for lock \"beta\" held by core 1 since cycle 200");
    has(text, "cluster 1 core 1 waits for lock \"alpha\" held by core 0 since cycle 100");
    has(text, "lock cycle in cluster 1: core 0 -> \"beta\" core 1 -> \"alpha\" -> core 0");
    has(text,
        "cluster 1 core 2 thread \"worker\" waits for mailbox read port 3 since cycle 77, held "
        "by thread \"server\"");
    has(text, "in hal_lock < other_way_round"); /* the call chains, with names */
    has(text, "in hal_lock < cross");
    lacks(text, "cluster 0 core");
}

/* Nobody will ever write: each cluster waits for a message of the next. */
static void wait_for_mail(void *arg)
{
    (void)arg;
    int from;
    hal_work(10);
    while (!hal_mailbox_peek(&from))
        hal_event_wait(HAL_NEVER);
}

static void starve(void)
{
    exit(run(wait_for_mail, SECOND)); /* found at once, not after a second of virtual time */
}

static void test_starvation(void)
{
    int status;
    const char *text = contract_capture(starve, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 124);
    has(text, "deadlock: nothing can happen any more: machine mini, cycle 10,");
    has(text, "cluster 0 core 0 waits for an event since cycle 10");
    has(text, "cluster 2 core 0 waits for an event since cycle 10");
}

/* Somebody is always busy, so only the time-out ends it; in virtual time. */
static void busy_for_ever(void *arg)
{
    (void)arg;
    for (;;)
        hal_work(7);
}

static void ask_for_ever(void *arg)
{
    (void)arg;
    while (hal_clock_cycles() != 0 || hal_cluster() >= 0) {
    }
}

static void overtime(void)
{
    exit(run(busy_for_ever, 123456));
}

static void overtime_asking(void)
{
    exit(run(ask_for_ever, 2000));
}

static void test_timeout(void)
{
    int status;
    const char *text = contract_capture(overtime, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 124);
    has(text, "time-out: machine mini, cycle 123456,");
    has(text, "cluster 1 core 0 works since cycle 123");
    text = contract_capture(overtime_asking, &status);
    CHECK_EQ(WEXITSTATUS(status), 124);
    has(text, "time-out: machine mini, cycle 2000,");
}

/* Work that would end behind the last cycle of the clock lets it go on and never back. */
static void beyond_the_clock(void *arg)
{
    (void)arg;
    hal_work(1000);
    if (hal_cluster() == 0)
        hal_work(UINT64_MAX - 100);
}

static void overflow(void)
{
    exit(run(beyond_the_clock, 0));
}

static void test_overflow(void)
{
    int status;
    const char *text = contract_capture(overflow, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 124);
    has(text, "nothing can happen any more: machine mini, cycle 1000,");
    has(text, "cluster 0 core 0 works since cycle 1000");
}

/* A request is answered between two events; one that comes while another still waits, at once. */
static void asked(void *arg)
{
    (void)arg;
    if (hal_cluster() != 0) {
        hal_work(1000);
        return;
    }
    raise(SIGQUIT);
    hal_work(500);
    raise(SIGQUIT);
    raise(SIGQUIT);
    hal_console_write("between\n", 8);
    hal_work(500);
}

static void ask(void)
{
    exit(run(asked, 0));
}

static void test_request(void)
{
    int status;
    const char *text = contract_capture(ask, &status);
    CHECK(WIFEXITED(status));
    CHECK_EQ(WEXITSTATUS(status), 0); /* it goes on */
    has(text, "report: machine mini, cycle 0");
    const char *second = strstr(text, "report: machine mini, cycle 500");
    CHECK(second && strstr(text, "between") > second);
    has(strstr(text, "between"), "report: machine mini, cycle 500");
}

int main(void)
{
    test_deadlock();
    test_starvation();
    test_timeout();
    test_overflow();
    test_request();
    return 0;
}
