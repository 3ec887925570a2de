/* SPDX-License-Identifier: MIT */
#include "reach.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/uio.h>

#include <base/error.h>

#include "port.h"

/* The system's word on each direction. What it refuses once it refuses again. */
enum word { UNKNOWN, HELPS, REFUSES };
static atomic_int word[2];

int lx_reach(int cluster, uint64_t address, void *here, size_t n, enum lx_direction d)
{
    int pid = atomic_load(&lx_cluster(lx.job, cluster)->pid);
    size_t done = 0;
    if (atomic_load_explicit(&word[d], memory_order_relaxed) == REFUSES)
        return -B_ENOSYS;
    while (done < n) {
        struct iovec near = {.iov_base = (char *)here + done, .iov_len = n - done};
        struct iovec far = {.iov_base = (void *)(uintptr_t)(address + done), .iov_len = n - done};
        ssize_t moved = d == LX_GET ? process_vm_readv(pid, &near, 1, &far, 1, 0)
                                    : process_vm_writev(pid, &near, 1, &far, 1, 0);
        if (moved < 0 && (errno == EPERM || errno == ENOSYS)) {
            atomic_store_explicit(&word[d], REFUSES, memory_order_relaxed);
            return -B_ENOSYS;
        }
        if (moved <= 0)
            return -B_EFAULT;
        done += (size_t)moved;
    }
    return 0;
}

bool lx_reaches(int cluster, uint64_t address, void *here, enum lx_direction d)
{
    if (atomic_load_explicit(&word[d], memory_order_relaxed) == UNKNOWN) {
        int next = lx_reach(cluster, address, here, 1, d) == 0 ? HELPS : REFUSES;
        atomic_store_explicit(&word[d], next, memory_order_relaxed);
    }
    return atomic_load_explicit(&word[d], memory_order_relaxed) == HELPS;
}
