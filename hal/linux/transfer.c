/* SPDX-License-Identifier: MIT */
/* The bytes of a portal transfer: the ways from buffer to buffer, best first. */
#include "portal.h"

#include <string.h>
#include <sys/uio.h>

/* The system refused once (seccomp, Yama, another user): it will refuse again. */
static atomic_bool refused;

bool lx_in_window(const void *p, size_t n, uint64_t *offset)
{
    uintptr_t base = (uintptr_t)lx_window(lx.job, lx.cluster);
    size_t size = hal_machine_memory(&lx.job->machine, lx.cluster);
    *offset = (uintptr_t)p - base;
    return (uintptr_t)p >= base && *offset <= size && n <= size - *offset;
}

/* Writes straight into the memory of another process. */
static bool write_process(int pid, uint64_t address, const void *buf, size_t n)
{
    if (atomic_load_explicit(&refused, memory_order_relaxed)) {
        return false;
    }
    size_t done = 0;
    while (done < n) {
        struct iovec from = {.iov_base = (char *)(uintptr_t)buf + done, .iov_len = n - done};
        struct iovec to = {.iov_base = (void *)(uintptr_t)(address + done), .iov_len = n - done};
        ssize_t moved = process_vm_writev(pid, &from, 1, &to, 1, 0);
        if (moved <= 0) {
            atomic_store_explicit(&refused, true, memory_order_relaxed);
            return false;
        }
        done += (size_t)moved;
    }
    return true;
}

bool lx_transfer_direct(int to, const struct lx_channel *ch, const void *buf, size_t n)
{
    if (n == 0) {
        return true;
    }
    if (ch->in_window != 0) {
        memcpy(lx_window(lx.job, to) + ch->address, buf, n);
        return true;
    }
    if (to == lx.cluster) {
        memcpy((void *)(uintptr_t)ch->address, buf, n);
        return true;
    }
    uint64_t offset;
    if (lx_in_window(buf, n, &offset)) {
        return false; /* the receiver copies: cheaper than the system */
    }
    return write_process(atomic_load(&lx_cluster(lx.job, to)->pid), ch->address, buf, n);
}

/* Copies `n` bytes between memory and the ring of a bounce buffer at position `at`. */
static void ring_copy(char *ring, uint64_t at, char *memory, size_t n, bool in)
{
    while (n > 0) {
        size_t offset = at % LX_BOUNCE_SIZE;
        size_t piece = LX_BOUNCE_SIZE - offset < n ? LX_BOUNCE_SIZE - offset : n;
        if (in) {
            memcpy(ring + offset, memory, piece);
        } else {
            memcpy(memory, ring + offset, piece);
        }
        at += piece;
        memory += piece;
        n -= piece;
    }
}

bool lx_transfer_fill(int to, int channel, const void *buf, size_t n)
{
    struct lx_channel *ch = &lx_cluster(lx.job, to)->channel[channel];
    uint64_t filled = atomic_load_explicit(&ch->filled, memory_order_relaxed);
    size_t room = LX_BOUNCE_SIZE - (size_t)(filled - atomic_load(&ch->drained));
    size_t piece = n - filled < room ? n - filled : room;
    if (piece == 0 || (piece < n - filled && piece < LX_BOUNCE_SIZE / 2)) {
        return false; /* wait until a good part is free */
    }
    ring_copy(lx_bounce(lx.job, to, channel), filled, (char *)(uintptr_t)buf + filled, piece, true);
    atomic_store(&ch->filled, filled + piece);
    return true;
}

bool lx_transfer_drain(int channel, void *buf)
{
    struct lx_channel *ch = &lx.self->channel[channel];
    uint64_t drained = atomic_load_explicit(&ch->drained, memory_order_relaxed);
    size_t piece = (size_t)(atomic_load(&ch->filled) - drained);
    if (piece == 0) {
        return false;
    }
    ring_copy(lx_bounce(lx.job, lx.cluster, channel), drained, (char *)buf + drained, piece, false);
    atomic_store(&ch->drained, drained + piece);
    return true;
}
