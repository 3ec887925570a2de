/* SPDX-License-Identifier: MIT */
/* The memory that the kernel keeps for itself, for each kind of cluster of each machine; held to
 * its budget. A machine too small for its own pools is refused with a line that says so. */
#include <hal/power.h>
#include <kernel/mem.h>

#include <test/on_machine.h>

static const struct {
    const char *machine;
    size_t budget;   /* bytes, compute cluster */
    size_t by_tasks; /* in the variants partial and full */
} budgets[] = {
    {"mini", 56 << 10, 64 << 10},    {"mppa256", 96 << 10, 113 << 10},
    {"linux", 1 << 20, 1 << 20},     {"pulp", 24 << 10, 28 << 10},
    {"coreva", 80 << 10, 104 << 10}, {"sw26010", 512 << 10, 536 << 10},
};
static const char *const variants[] = {
    [HAL_BASELINE] = "baseline", [HAL_PARTIAL] = "partial", [HAL_FULL] = "full"};

static size_t show(const struct hal_machine *m, const char *kind, int cluster)
{
    size_t n = kern_cluster_size(m, cluster);
    printf("%-8s %-8s %-7s %7zu bytes of %lu\n", m->name, variants[m->variant], kind, n,
           (unsigned long)hal_machine_memory(m, cluster));
    fflush(stdout);
    return n;
}

static int body(void *arg)
{
    (void)arg;
    return 0;
}

/* Memory that holds the pools but not one thread: refused; one thread more: runs. */
static void check_too_small(void)
{
    struct hal_machine m;
    one_cluster("mini", false, &m);
    m.compute_memory = kern_cluster_size(&m, 0);
    m.compute_memory -= m.compute_memory % m.page_size;
    CHECK_EQ(on_machine(&m, body, NULL), 1);
    m.compute_memory += m.stack_size + 2 * m.page_size;
    CHECK_EQ(on_machine(&m, body, NULL), 0);
}

int main(void)
{
    for (int i = 0; i < (int)(sizeof budgets / sizeof budgets[0]); i++) {
        struct hal_machine m;
        char why[256];
        CHECK_EQ(hal_machine_load(budgets[i].machine, &m, why, sizeof why), 0);
        for (m.variant = HAL_BASELINE; m.variant <= HAL_FULL; m.variant++) {
            size_t budget = m.variant == HAL_BASELINE ? budgets[i].budget : budgets[i].by_tasks;
            CHECK(show(&m, "compute", 0) <= budget);
            if (m.io_clusters > 0)
                show(&m, "io", (int)m.compute_clusters);
        }
    }
    check_too_small();
    return 0;
}
