/* SPDX-License-Identifier: MIT */
/* hal/machine.h: the machine that runs is the one that was asked for. */
#include "contract.h"

static void check(int clusters, int io_cores)
{
    const struct hal_machine *m = hal_machine();
    CHECK(m && m == hal_machine());
    CHECK(strcmp(m->name, "mini") == 0);
    CHECK_EQ(hal_machine_clusters(m), clusters);
    CHECK(hal_cluster() >= 0 && hal_cluster() < clusters);
    CHECK_EQ(hal_machine_is_io(m, hal_cluster()), hal_cluster() >= 2);
    CHECK_EQ(hal_machine_cores(m, hal_cluster()), hal_cluster() >= 2 ? io_cores : 4);
    CHECK(!m->asymmetric);
    CHECK_EQ(m->page_size, 1024);
    CHECK(hal_node() >= 0 && hal_node() < clusters);
    CHECK(hal_node() == 0 || hal_node() == hal_cluster());
    CHECK(hal_node_name()[0] != '\0' && hal_node_name() == hal_node_name());
    contract_meet(); /* nobody is missing, nobody is there twice */
}

static void boot(void *arg)
{
    CHECK(!arg);
    check(3, 4);
}

static void boot_more(void *arg)
{
    (void)arg;
    check(5, 2);
}

static void more(struct hal_machine *m)
{
    m->io_clusters = 3;
    m->io_cores = 2;
    m->noc.torus_x = 5;
}

CONTRACT({.boot = boot}, {.boot = boot_more, .adapt = more});
