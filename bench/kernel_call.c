/* SPDX-License-Identifier: MIT */
/* Kernel calls: answered in the caller's core, and answered by the master core. The master call
 * is one that does almost nothing (it refuses to free a page that nobody has). */
#include "kernel_bench.h"

#include <sys/k_call.h>

static void user_calls(int count)
{
    for (int i = 0; i < count; i++)
        k_thread_self();
}

static void local_calls(int count)
{
    for (int i = 0; i < count; i++)
        k_memory(NULL, NULL, NULL);
}

static void refused_frees(int count)
{
    for (int i = 0; i < count; i++)
        k_page_free(NULL, 1);
}

static int inline_body(void *arg)
{
    (void)arg;
    int count = on_sim() ? 100 : 100000;
    bench_report("kernel call that costs nothing", "", count, user_calls);
    bench_report("kernel call on the calling core", "", count, local_calls);
    bench_report("master call answered inline", "", count, refused_frees);
    return 0;
}

static int master_body(void *arg)
{
    (void)arg;
    bench_report("master call answered by core 0", "", on_sim() ? 100 : 20000, refused_frees);
    return 0;
}

int main(void)
{
    int status = bench_cluster(false, inline_body);
    return status != 0 ? status : bench_cluster(true, master_body);
}
