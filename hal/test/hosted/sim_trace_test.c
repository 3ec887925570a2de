/* SPDX-License-Identifier: MIT */
/* sim_trace_test CHECKER: the trace is complete JSON with the right rows and slices after a normal
 * end, an abort, a deadlock, when the process itself ends in the middle, and when the disk is full;
 * and on a machine whose clock is a slow one. */
#define _GNU_SOURCE /* memfd_create */
#include "contract_run.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hal/lock.h>
#include <hal/portal.h>
#include <hal/trace.h>
#include <hal/work.h>

enum ending { NORMAL, ABORT, DEADLOCK, EXIT, ENDINGS };
enum { ROOM = 100000 }; /* bytes of a file: less than the trace takes */

static const char *checker;
static char path[64];
static enum ending ending;
static struct hal_lock lock;
static unsigned char data[4096];

static void crowd(void *arg)
{
    (void)arg;
    hal_lock(&lock);
    hal_unlock(&lock);
}

/* Enough slices to fill the writer's buffer a few times, with a name that must be escaped. */
static void many(void)
{
    for (int i = 0; i < 3000; i++) {
        struct hal_span s;
        hal_trace_begin(&s, "a \"quoted\" \\ name");
        hal_work(10);
        hal_trace_end(&s);
    }
}

static void traffic(void)
{
    size_t n;
    uint32_t cookie;
    struct hal_grant g;
    int handle;
    if (hal_cluster() == 0) {
        CHECK_EQ(hal_portal_allow(0, 1, 0, data, sizeof data), 0);
        UNTIL(hal_portal_received(0, &n, &cookie) == 0);
        contract_receive(&handle);
        CHECK_EQ(hal_mailbox_release(1, 0), 0);
    } else if (hal_cluster() == 1) {
        UNTIL(hal_portal_grant(&g) == 0);
        CHECK_EQ(hal_portal_put(&g, 0, data, sizeof data, HAL_PORTAL_DMA, &handle), 0);
        UNTIL(hal_portal_sent(handle) == 0);
        struct hal_mail m = {{0}, {0}};
        contract_send(0, &m, 4);
        UNTIL(hal_mailbox_verdict(0) == 0);
    }
}

static void boot(void *arg)
{
    (void)arg;
    struct hal_span outer, at_once;
    hal_trace_begin(&outer, "outer");
    hal_trace_begin(&at_once, "at once"); /* all clusters, in the first cycle */
    hal_trace_end(&at_once);
    CHECK(hal_trace_on());
    traffic();
    if (hal_cluster() == 2) {
        hal_lock_init(&lock, "crowded");
        hal_lock(&lock);
        CHECK_EQ(hal_core_start(1, crowd, NULL), 0);
        many();
        hal_unlock(&lock);
        hal_work(1000);
    }
    hal_trace_end(&outer);
    if (hal_cluster() == 2) {
        hal_work(100000); /* the others have ended */
        if (ending == ABORT) {
            hal_abort(3, "on purpose");
        } else if (ending == EXIT) {
            _exit(4);
        } else if (ending == DEADLOCK) {
            hal_event_wait(HAL_NEVER);
            hal_event_wait(HAL_NEVER);
        }
    }
}

static void run(uint64_t hz)
{
    struct hal_machine m;
    struct hal_options o;
    contract_load("mini", &m, &o);
    m.hz = hz != 0 ? hz : m.hz;
    o.trace = path;
    exit(hal_run(&m, &o, boot, NULL));
}

static void body(void)
{
    run(0);
}

static void body_slow(void)
{
    run(10000);
}

/* What is beyond the limit is not written; what is partly beyond it, in part. */
static void body_full(void)
{
    struct rlimit most = {ROOM, ROOM};
    signal(SIGXFSZ, SIG_IGN);
    CHECK_EQ(setrlimit(RLIMIT_FSIZE, &most), 0);
    run(0);
}

static void check(bool all)
{
    char command[1024];
    snprintf(command, sizeof command, "python3 '%s' '%s' 'portal dma to 0' 'mail to 0' %s", checker,
             path, all ? "outer crowded 'a \"quoted\" \\ name'" : "'a \"quoted\" \\ name'");
    CHECK_EQ(system(command), 0);
}

static void test_full(void)
{
    int status;
    ending = NORMAL;
    const char *text = contract_capture(body_full, &status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGPIPE);
    CHECK(strstr(text, ": cannot write this file: ") && strstr(text, "; it ends before the run"));
    check(false);
}

static void test_slow(void)
{
    int status;
    ending = NORMAL;
    contract_capture(body_slow, &status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    check(false);
}

int main(int argc, char **argv)
{
    static const int statuses[ENDINGS] = {0, 3, 124, 4};
    CHECK(argc == 2);
    checker = argv[1];
    int fd = memfd_create("trace", 0); /* of which nothing is left, however the test ends */
    CHECK(fd >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (ending = NORMAL; ending < ENDINGS; ending++) {
        int status;
        contract_capture(body, &status);
        CHECK(WIFEXITED(status));
        CHECK_EQ(WEXITSTATUS(status), statuses[ending]);
        check(ending != EXIT); /* the last slices may be lost then */
    }
    test_full();
    test_slow();
    return 0;
}
