/* SPDX-License-Identifier: MIT */
/* How a process meets its machine: alone, from a launcher's environment, and with an environment
 * that makes no sense, which gets one line and no harm. */
#define _GNU_SOURCE
#include "contract_run.h"

#include <fcntl.h>
#include <hal/job.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void alone(void *arg)
{
    CHECK_EQ(*(int *)arg, 5);
    CHECK_EQ(hal_machine_clusters(hal_machine()), 1);
    CHECK_EQ(hal_cluster(), 0);
    CHECK_EQ(hal_core(), 0);
    struct hal_mail m = {.header = {7}};
    int from;
    contract_send(0, &m, 0);
    CHECK_EQ(contract_receive(&from)->header[0], 7);
    hal_power_off(9);
}

static void run_alone(void)
{
    int five = 5;
    int status = hal_enter(alone, &five);
    CHECK_EQ(status, 9);
    exit(3); /* hal_enter came back: the caller decides */
}

static void attach_alone(void)
{
    CHECK_EQ(hal_attach(), 0);
    contract_meet();
    hal_detach(0);
    exit(4);
}

static void power_off_attached(void)
{
    CHECK_EQ(hal_attach(), 0);
    hal_power_off(6);
}

static void other_core(void *arg)
{
    (void)arg;
    hal_power_off(11);
}

static void two_cores(void *arg)
{
    (void)arg;
    CHECK_EQ(hal_core_start(1, other_core, NULL), 0);
    for (;;)
        hal_event_wait(HAL_NEVER);
}

static void off_by_other_core(void)
{
    setenv("LWMPI_MACHINE", "mini", 1);
    exit(hal_enter(two_cores, NULL));
}

static void check_status(void (*body)(void), int want)
{
    int status;
    const char *text = contract_capture(body, &status);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != want) {
        fprintf(stderr, "wait status %x, should be exit %d:\n%s", status, want, text);
        exit(1);
    }
}

static const char *value; /* of LWMPI_JOB */

static void try_value(void)
{
    setenv("LWMPI_JOB", value, 1);
    exit(hal_attach() == -B_EINVAL ? 77 : 1);
}

static void check_bad(const char *text, const char *complaint)
{
    int status;
    value = text;
    const char *said = contract_capture(try_value, &status);
    const char *line = strchr(said, '\n');
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 77 || !strstr(said, complaint) ||
        !strstr(said, "LWMPI_JOB") || !line || line[1] != '\0') {
        fprintf(stderr, "LWMPI_JOB=%s: status %x, said: %s", text, status, said);
        exit(1);
    }
}

static void check_bad_values(struct hal_job *job)
{
    char text[64], own[64];
    static const char *const malformed[] = {
        "",       "x", "3", "3:", ":1", "-1:0", "3:-1", "3:0x", "3 :0", "99999999999999999999:0",
        "3:99999"};
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++)
        check_bad(malformed[i], "descriptor:cluster");
    check_bad("777:0", "not open");
    int null = open("/dev/null", O_RDWR), empty = memfd_create("t", 0);
    CHECK(null >= 0 && empty >= 0);
    snprintf(text, sizeof text, "%d:0", null);
    check_bad(text, "not the mapping");
    snprintf(text, sizeof text, "%d:0", empty);
    check_bad(text, "not the mapping");
    CHECK_EQ(ftruncate(empty, 1 << 20), 0);
    check_bad(text, "not the mapping");
    hal_job_environment(job, 1, own, sizeof own);
    check_bad((snprintf(text, sizeof text, "%d:%d", hal_job_fd(job), 3), text), "0 .. 2");
    /* The right number, then nonsense: a mapping of another version, a damaged one. */
    uint32_t start[4];
    CHECK_EQ(pread(hal_job_fd(job), start, sizeof start, 0), sizeof start);
    uint32_t other[4] = {start[0], start[1], start[2] + 1, start[3]};
    CHECK_EQ(pwrite(empty, other, sizeof other, 0), sizeof other);
    snprintf(text, sizeof text, "%d:0", empty);
    check_bad(text, "version");
    CHECK_EQ(pwrite(empty, start, sizeof start, 0), sizeof start);
    check_bad(text, "damaged");
    close(null);
    close(empty);
    check_bad((hal_job_started(job, 0, getpid()), own), "taken");
}

static char job_value[64];

static void member(void *arg)
{
    (void)arg;
    CHECK(!getenv("LWMPI_JOB")); /* a program that this one starts is no part of the job */
    contract_meet();
    hal_power_off(hal_cluster());
}

/* The clusters of a job come one by one, in any order, as a launcher's children would. */
static void check_job(struct hal_job *job)
{
    static const int order[] = {2, 0, 1};
    pid_t pids[3];
    for (int i = 0; i < 3; i++) {
        pids[i] = fork();
        CHECK(pids[i] >= 0);
        if (pids[i] == 0) {
            hal_job_environment(job, order[i], job_value, sizeof job_value);
            setenv("LWMPI_JOB", job_value, 1);
            exit(hal_enter(member, NULL));
        }
        hal_job_started(job, order[i], pids[i]);
        usleep(20000);
    }
    for (int i = 0; i < 3; i++) {
        int status;
        CHECK_EQ(waitpid(pids[i], &status, 0), pids[i]);
        CHECK_EQ(status, order[i] << 8);
        CHECK_EQ(hal_job_state(job, order[i]), HAL_JOB_OFF);
        hal_job_ended(job, order[i]);
    }
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    struct hal_job *job;
    unsetenv("LWMPI_JOB");
    check_status(run_alone, 3);
    check_status(attach_alone, 4);
    check_status(power_off_attached, 6);
    check_status(off_by_other_core, 11);
    contract_load("mini", &m, &o);
    CHECK_EQ(hal_job_create(&m, &o, &job), 0);
    CHECK_EQ(hal_job_state(job, 0), HAL_JOB_ABSENT);
    check_job(job);
    check_bad_values(job);
    hal_job_destroy(job, false);
    return 0;
}
