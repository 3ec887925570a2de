/* SPDX-License-Identifier: MIT */
/* hal/machine.h on hosted ports: the machine that runs is the one that was loaded. */
#include "contract_run.h"

static struct hal_machine loaded;

static void boot(void *arg)
{
    const struct hal_machine *m = hal_machine();
    CHECK(arg == &loaded);
    CHECK(m && m == hal_machine());
    CHECK(strcmp(m->name, loaded.name) == 0);
    CHECK_EQ(hal_machine_clusters(m), loaded.compute_clusters + loaded.io_clusters);
    CHECK(hal_cluster() >= 0 && hal_cluster() < hal_machine_clusters(m));
    CHECK_EQ(hal_machine_is_io(m, hal_cluster()), hal_cluster() >= (int)loaded.compute_clusters);
    CHECK_EQ(m->asymmetric, loaded.asymmetric);
    CHECK_EQ(m->mail_slots, loaded.mail_slots);
    CHECK_EQ(m->page_size, loaded.page_size);
    CHECK(hal_node() >= 0 && hal_node() < hal_machine_clusters(m));
    CHECK(hal_node() == 0 || hal_node() == hal_cluster());
    CHECK(hal_node_name()[0] != '\0' && hal_node_name() == hal_node_name());
    contract_meet(); /* nobody is missing, nobody is there twice */
}

int main(void)
{
    static const char *const names[] = {"mini", "mppa256", "pulp", "linux"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct hal_options o;
        contract_load(names[i], &loaded, &o);
        CHECK_EQ(hal_run(&loaded, &o, boot, &loaded), 0);
    }
    return 0;
}
