/* SPDX-License-Identifier: MIT */
/* mpiexec --break: a job in virtual time stops for the debugger at a cycle, to look at a rank. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <hal/hosted.h>
#include <process/image.h>

#include "debug.h"

/* What the debugger reads when it has been stopped. */
static struct image_stop {
    bool now;
    int rank;
    uint64_t cycle;
} stop;

const struct hal_debug_word image_debug_stop[] = {
    {HAL_DEBUG_ADDRESS(stop)},
    {HAL_DEBUG_SIZE(image_stop)},
    {HAL_DEBUG_MEMBER(image_stop, now)},
    {HAL_DEBUG_MEMBER(image_stop, rank)},
    {HAL_DEBUG_MEMBER(image_stop, cycle)},
    {NULL, 0},
};

bool image_is_debugged(void)
{
    char line[128];
    int tracer = 0;
    FILE *status = fopen("/proc/self/status", "re");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "TracerPid: %d", &tracer) == 1)
            break;
    if (status)
        fclose(status);
    return tracer != 0;
}

static bool reached(void)
{
    image.stop.reached = true;
    if (!image_is_debugged()) {
        fprintf(stderr,
                "lwmpi: --break %d:%" PRIu64 ": this cycle is reached, and no debugger is there: "
                "mpiexec ... gdb --args PROGRAM starts one\n",
                image.stop.rank, image.stop.cycle);
        return false;
    }
    stop = (struct image_stop){true, image.stop.rank, image.stop.cycle};
    raise(SIGTRAP);
    stop.now = false;
    return true;
}

void image_stop_begin(void)
{
    static bool begun;
    if (image.stop.cycle == 0 || begun)
        return;
    begun = true;
    hal_at_cycle(image.stop.cycle, reached);
}

void image_stop_end(void)
{
    struct hal_result r;
    if (image.stop.cycle == 0 || image.stop.reached || !hal_machine())
        return;
    hal_result(&r);
    fprintf(stderr, "lwmpi: --break %d:%" PRIu64 ": the job ended before, at cycle %" PRIu64 "\n",
            image.stop.rank, image.stop.cycle, r.cycles);
}
