/* SPDX-License-Identifier: MIT */
/* The trace of several processes is one valid JSON file (python3 judges), also after a crash; and
 * counters are summed over clusters, or their highest value kept. */
#define _GNU_SOURCE
#include "contract_run.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <sys/mman.h>
#include <unistd.h>

#include <hal/trace.h>

#define SPANS 100
#define PAIRS 150                  /* of names that two cores record at once */
#define APART ((size_t)256 * 1024) /* bytes between names that are looked for in one place */

static char file[32];

static void boot(void *arg)
{
    CHECK(hal_trace_on());
    for (int i = 0; i < SPANS; i++) {
        struct hal_span s;
        hal_trace_begin(&s, i % 2 == 0 ? "even" : "odd \"quoted\"\\\t");
        hal_trace_end(&s);
        hal_trace_value("rounds", (uint64_t)i);
    }
    hal_count("messages", (uint64_t)hal_cluster() + 1);
    hal_count("messages", 1);
    hal_count_max("high", (uint64_t)hal_cluster() * 10);
    contract_meet();
    if (hal_cluster() == 0) {
        int seen = 0;
        for (int i = 0; hal_counter_name(i); i++) {
            if (strcmp(hal_counter_name(i), "messages") == 0) {
                CHECK_EQ(hal_counter_sum(i), 1 + 2 + 3 + 3);
                seen |= 1;
            } else if (strcmp(hal_counter_name(i), "high") == 0) {
                CHECK_EQ(hal_counter_sum(i), 20);
                seen |= 2;
            }
        }
        CHECK_EQ(seen, 3);
    }
    contract_meet();
    if (arg && hal_cluster() == 1)
        raise(SIGKILL);
    contract_meet();
}

static void judge(void)
{
    char command[512];
    snprintf(command, sizeof command,
             "python3 -c \"import json;e=json.load(open('%s'))['traceEvents'];"
             "n=[sum(1 for x in e if x['ph']=='X' and x['pid']==p) for p in range(3)];"
             "assert n==[%d]*3,n;"
             "assert all(x['dur']>=0 and x['ts']>=0 for x in e if x['ph']=='X');"
             "v=[x['args']['value'] for x in e if x['ph']=='C' and x['name']=='rounds'];"
             "assert v==list(range(%d))*3,v;"
             "assert len(set(x['name'] for x in e if x['ph']=='X'))==2\"",
             file, SPANS, SPANS);
    CHECK_EQ(system(command), 0);
}

static char names[2][APART];
static atomic_int turn[2], done;

/* Cores 1 and 2 meet at each name, so that both find its place free. */
static void record_names(void *arg)
{
    int self = arg != NULL;
    for (int i = 0; i < 2 * PAIRS; i++) {
        struct hal_span s;
        atomic_store(&turn[self], i + 1);
        while (atomic_load(&turn[!self]) <= i)
            ;
        hal_trace_begin(&s, &names[self][i % PAIRS * 256]);
        hal_trace_end(&s);
    }
    atomic_fetch_add(&done, 1);
}

static void boot_cores(void *arg)
{
    if (hal_cluster() != 0)
        return;
    for (size_t i = 0; i < PAIRS; i++)
        for (size_t core = 0; core < 2; core++)
            snprintf(&names[core][i * 256], 8, "%zu.%zu", core + 1, i);
    CHECK_EQ(hal_core_start(1, record_names, NULL), 0);
    CHECK_EQ(hal_core_start(2, record_names, arg), 0);
    while (atomic_load(&done) < 2)
        usleep(1000);
}

static void judge_cores(void)
{
    char command[512];
    snprintf(command, sizeof command,
             "python3 -c \"import json;e=json.load(open('%s'))['traceEvents'];"
             "n=[(x['tid'],x['name']) for x in e if x['ph']=='X'];"
             "assert len(n)==%d,len(n);"
             "bad=[x for x in n if int(x[1].split('.')[0])!=x[0]];assert not bad,bad\"",
             file, 4 * PAIRS);
    CHECK_EQ(system(command), 0);
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    int crash = 1;
    int fd = memfd_create("trace", 0); /* of which nothing is left, however the test ends */
    CHECK(fd >= 0);
    snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
    contract_load("mini", &m, &o);
    o.trace = file;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    judge();
    CHECK_EQ(hal_run(&m, &o, boot, &crash), 128 + SIGKILL);
    judge();
    CHECK_EQ(hal_run(&m, &o, boot_cores, &crash), 0);
    judge_cores();
    return 0;
}
