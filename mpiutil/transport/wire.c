/* SPDX-License-Identifier: MIT */
/* Messages come from ranks of the same job, but what comes over a network is checked. */
#include <mpiutil/alarm.h>
#include <mpiutil/wire.h>

bool mpu_wire_valid(const struct mpu_wire *w, long n, long payload_most, int ranks)
{
    long payload = n - (long)sizeof *w;
    if (payload < 0 || payload > payload_most || w->from >= (uint32_t)ranks ||
        w->source > INT32_MAX || w->tag < 0)
        return false;
    if (w->kind == MPU_EAGER || w->kind == MPU_SYNC)
        return w->size == (uint64_t)payload;
    if (w->kind == MPU_SPLIT)
        return payload > 0 && w->size >= (uint64_t)payload && w->size <= MPU_SPLIT_MAX;
    if (w->kind == MPU_PIECE)
        return payload > 0 && w->size == (uint64_t)payload;
    if (w->kind == MPU_ALARM || w->kind == MPU_QUERY)
        return payload == MPU_ALARM_CALL && w->size == (uint64_t)payload;
    if ((w->kind == MPU_RTS || w->kind == MPU_FOUND) && w->port == MPU_SHOWN_PORT)
        return payload == sizeof(uint64_t);
    return w->kind > 0 && w->kind < MPU_LOCAL && payload == 0;
}
