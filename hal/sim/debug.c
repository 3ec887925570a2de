/* SPDX-License-Identifier: MIT */
#include <hal/debug.h>

#include "sim.h"

const struct hal_debug_word hal_debug_port[] = {
    {HAL_DEBUG_ADDRESS(sim)},
    {HAL_DEBUG_MEMBER(sim, machine)},
    {HAL_DEBUG_MEMBER(sim, now)},
    {HAL_DEBUG_MEMBER(sim, core)},
    {HAL_DEBUG_MEMBER(sim, clusters)},
    {HAL_DEBUG_SIZE(sim_cluster)},
    {HAL_DEBUG_MEMBER(sim_cluster, cores)},
    {HAL_DEBUG_SIZE(sim_core)},
    {HAL_DEBUG_MEMBER(sim_core, context)},
    {HAL_DEBUG_MEMBER(sim_core, state)},
    {HAL_DEBUG_MEMBER(sim_core, since)},
    {HAL_DEBUG_VALUE(SIM_READY)},
    {HAL_DEBUG_VALUE(SIM_WORKING)},
    {HAL_DEBUG_VALUE(SIM_HEEDING)},
    {NULL, 0},
};
