/* SPDX-License-Identifier: MIT */
/* The layer of programs that use the kernel's communication and nothing above it: none. */
#include <process/image.h>
#include <sys/k_info.h>

static int cluster_begin(const struct image *im)
{
    (void)im;
    return 0;
}

static void cluster_end(void)
{
}

static int rank_begin(struct svc_rank *r)
{
    k_thread_local_set(r);
    return 0;
}

static int rank_end(int status)
{
    k_thread_local_set(NULL);
    return status;
}

const struct image_layer image_layer = {
    .name = "a program",
    .cluster_begin = cluster_begin,
    .cluster_end = cluster_end,
    .rank_begin = rank_begin,
    .rank_end = rank_end,
};
