/* SPDX-License-Identifier: MIT */
/* hal/report.h: the table of who waits for what. */
#include "contract.h"

#include <sys/wait.h>

#include <hal/report.h>

static const char *const names[] = {"zero", "one", "two"};

static void wrong(void *arg, hal_report_sink *emit, void *sink)
{
    struct hal_waiter w = {.who = "of the first reporter", .what = arg};
    emit(sink, &w);
}

static void reporter(void *arg, hal_report_sink *emit, void *sink)
{
    const int *cluster = arg;
    struct hal_waiter first = {
        .core = 2, .who = names[*cluster], .what = "mutex", .holder = "somebody", .since = 77};
    struct hal_waiter second = {.core = 3, .who = "another", .what = "mailbox read port 3"};
    emit(sink, &first);
    emit(sink, &second);
}

static int clusters[] = {0, 1, 2};

static void boot(void *arg)
{
    (void)arg;
    hal_report_register(wrong, NULL);
    hal_report_register(reporter, &clusters[hal_cluster()]); /* the last wins */
    contract_meet();
    if (hal_cluster() == 1) {
        hal_report_print("the title");
    }
    contract_meet();
}

static void body(void)
{
    exit(contract_run(boot));
}

/* Stuck for ever: the report comes by itself. */
static void boot_stuck(void *arg)
{
    (void)arg;
    hal_report_register(reporter, &clusters[hal_cluster()]);
    for (;;) {
        hal_event_wait(HAL_NEVER);
    }
}

static bool has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fprintf(stderr, "the report lacks \"%s\":\n%s", part, text);
        return false;
    }
    return true;
}

static bool has_all(const char *text)
{
    return has(text, names[0]) && has(text, names[1]) && has(text, names[2]);
}

int main(void)
{
    int status;
    const char *text = contract_capture(body, &status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    CHECK(has(text, "the title"));
    CHECK(has(text, "one") && has(text, "mutex") && has(text, "somebody"));
    CHECK(has(text, "another") && has(text, "mailbox read port 3"));
    CHECK(strstr(text, "of the first reporter") == NULL);
    text = contract_capture_stuck(boot_stuck, has_all, &status);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 124);
    CHECK(has_all(text));
    return 0;
}
