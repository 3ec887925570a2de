/* SPDX-License-Identifier: MIT */
/* Runs the body of a test on one cluster of several machines: kernel calls inline and by a
 * master core, and on sim the whole of a compute cluster of mppa256. */
#ifndef TEST_ON_MACHINE_H
#define TEST_ON_MACHINE_H

#include <inttypes.h>
#include <string.h>

#include <base/error.h>
#include <hal/hosted.h>
#include <hal/machine.h>
#include <kernel/boot.h>
#include <test/check.h>

static int (*test_body)(void *arg);
static uint64_t test_seed; /* order of simultaneous events on sim */

static void test_boot(void *arg)
{
    kern_boot(test_body, arg);
}

static inline int on_machine(const struct hal_machine *m, int (*body)(void *arg), void *arg)
{
    struct hal_options o;
    char why[256];
    CHECK_EQ(hal_options_default(&o, why, sizeof why), 0);
    test_body = body;
    o.seed = test_seed;
    int status = hal_run(m, &o, test_boot, arg);
    if (strcmp(hal_port_name, "sim") == 0) {
        struct hal_result r;
        hal_result(&r);
        printf("%s, %s: %" PRIu64 " cycles\n", m->name, m->asymmetric ? "master" : "inline",
               r.cycles);
    }
    return status;
}

static void one_cluster(const char *name, bool asymmetric, struct hal_machine *m)
{
    char why[256];
    if (hal_machine_load(name, m, why, sizeof why) != 0)
        fprintf(stderr, "%s\n", why);
    CHECK(m->compute_clusters >= 1);
    m->compute_clusters = 1;
    m->io_clusters = 0;
    m->asymmetric = asymmetric;
}

static inline int on_machines(int (*body)(void *arg))
{
    struct hal_machine m;
    one_cluster("mini", false, &m);
    CHECK_EQ(on_machine(&m, body, NULL), 0);
    one_cluster("mini", true, &m);
    CHECK_EQ(on_machine(&m, body, NULL), 0);
    if (strcmp(hal_port_name, "sim") == 0) {
        one_cluster("mppa256", true, &m);
        CHECK_EQ(on_machine(&m, body, NULL), 0);
    }
    return 0;
}

#endif
