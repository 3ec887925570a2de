/* SPDX-License-Identifier: MIT */
/* hal/trace.h and the results of hal/hosted.h: counters, spans, the file. */
#include "contract_run.h"

#include <unistd.h>

#include <hal/trace.h>
#include <hal/work.h>

static bool traced;

static uint64_t sum(const char *name)
{
    const char *found;
    for (int i = 0; (found = hal_counter_name(i)); i++) {
        CHECK(i < 64);
        if (strcmp(found, name) == 0)
            return hal_counter_sum(i);
    }
    return UINT64_MAX;
}

static void boot(void *arg)
{
    (void)arg;
    CHECK_EQ(hal_trace_on(), traced);
    struct hal_span outer, inner;
    hal_trace_begin(&outer, "the outer span");
    hal_work(100);
    hal_trace_begin(&inner, "the inner span");
    hal_work(100);
    hal_trace_end(&inner);
    hal_trace_end(&outer);
    for (int i = 0; i <= hal_cluster(); i++)
        hal_count("test.events", 1000);
    hal_count_max("test.high", 10 + (uint64_t)hal_cluster());
    hal_count_max("test.high", 5);
    contract_meet();
    if (hal_cluster() == 0) {
        CHECK_EQ(sum("test.events"), 6000);
        CHECK_EQ(sum("test.high"), 12);
        CHECK(sum("test.unknown") == UINT64_MAX);
        struct hal_result r;
        hal_result(&r);
        CHECK(r.cycles > 0 && r.seconds > 0);
    }
    contract_meet();
}

/* Brackets pair up outside of strings: enough to see a file that was cut or spliced. */
static void check_json(const char *text)
{
    int depth = 0;
    bool string = false;
    CHECK(text[0] == '{' || text[0] == '[');
    for (; *text != '\0'; text++) {
        if (string && *text == '\\') {
            text++;
        } else if (*text == '"') {
            string = !string;
        } else if (!string) {
            depth += (*text == '{' || *text == '[') - (*text == '}' || *text == ']');
            CHECK(depth >= 0);
        }
    }
    CHECK(!string && depth == 0);
}

int main(void)
{
    static char text[1 << 20];
    char path[64];
    struct hal_machine m;
    struct hal_options o;
    CHECK_EQ(contract_run(boot), 0);
    contract_load("mini", &m, &o);
    snprintf(path, sizeof path, "/tmp/trace_test.%ld.json", (long)getpid());
    o.trace = path;
    traced = true;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    FILE *f = fopen(path, "r");
    CHECK(f != NULL);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    unlink(path);
    text[n] = '\0';
    check_json(text);
    CHECK(strstr(text, "the outer span") && strstr(text, "the inner span"));
    return 0;
}
