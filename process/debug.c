/* SPDX-License-Identifier: MIT */
/* All tables that a debugger reads, and where it stops. Its side are the scripts in gdb/. */
#include <kernel/cluster.h>
#include <mpiutil/message.h>
#include <mpiutil/rank.h>
#include <sys/k_bell.h>
#include <sys/k_wait.h>

#include "behind.h"
#include "debug.h"

static const struct hal_debug_word threads[] = {
    {HAL_DEBUG_MEMBER(kern_thread, core)},
    {HAL_DEBUG_MEMBER(kern_thread, context)},
    {HAL_DEBUG_MEMBER(kern_thread, stack)},
    {HAL_DEBUG_MEMBER(kern_thread, stack_size)},
    {HAL_DEBUG_MEMBER(kern_thread, next)},
    {HAL_DEBUG_MEMBER(kern_thread, since)},
    {HAL_DEBUG_MEMBER(kern_thread, bell)},
    {HAL_DEBUG_MEMBER(kern_thread, waits)},
    {HAL_DEBUG_MEMBER(kern_thread, user_waits)},
    {HAL_DEBUG_MEMBER(kern_thread, asleep)},
    {HAL_DEBUG_MEMBER(k_bell, what)},
    {HAL_DEBUG_MEMBER(kern_wait, what)},
    {HAL_DEBUG_MEMBER(k_wait, what)},
    {HAL_DEBUG_MEMBER(kern_core, cluster)},
    {HAL_DEBUG_MEMBER(kern_core, id)},
    {HAL_DEBUG_MEMBER(kern_core, current)},
    {HAL_DEBUG_MEMBER(kern_core, ready)},
    {HAL_DEBUG_MEMBER(cluster, id)},
    {HAL_DEBUG_MEMBER(hal_context, sp)},
    {HAL_DEBUG_MEMBER(hal_machine, hz)},
    {HAL_DEBUG_MEMBER(mpu_doing, call)},
    {HAL_DEBUG_MEMBER(mpu_doing, comm)},
    {HAL_DEBUG_MEMBER(mpu_doing, peer)},
    {HAL_DEBUG_MEMBER(mpu_doing, tag)},
    {HAL_DEBUG_MEMBER(mpu_doing, bytes)},
    {HAL_DEBUG_MEMBER(mpu_doing, asks)},
    {HAL_DEBUG_MEMBER(mpu_comm, name)},
    {HAL_DEBUG_VALUE(MPU_ANY)},
    {HAL_DEBUG_VALUE(MPU_ALL)},
    {NULL, 0},
};

/* The only name that a debugger has to find. A table ends with {NULL, 0}, the tables with NULL. */
extern const struct hal_debug_word *const image_debug[];
EXPORT const struct hal_debug_word *const image_debug[] = {threads,
                                                           image_debug_ranks,
                                                           image_debug_instances,
                                                           image_debug_stop,
                                                           hal_debug_port,
                                                           hal_debug_context,
                                                           NULL};

/* Who optimizes knows nothing of debuggers: the tables are used here, and neither is to vanish. */
EXPORT __attribute__((noinline)) void image_debug_begins(const struct image_rank *r)
{
    __asm__ volatile("" ::"r"(r), "r"(image_debug));
}
