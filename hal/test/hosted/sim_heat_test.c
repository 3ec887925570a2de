/* SPDX-License-Identifier: MIT */
/* The heat map: well-formed, a box per cluster, the count of flits at each link that was used. */
#define _GNU_SOURCE /* memfd_create */
#include "contract_run.h"

#include <sys/mman.h>
#include <unistd.h>

#include <hal/portal.h>

static unsigned char data[8192];

/* 8192 bytes, 2048 flits, from cluster 0 to cluster 2: over the links of 0 and of 1. */
static void boot(void *arg)
{
    (void)arg;
    size_t n;
    uint32_t cookie;
    struct hal_grant g;
    int handle;
    if (hal_cluster() == 2) {
        CHECK_EQ(hal_portal_allow(0, 0, 0, data, sizeof data), 0);
        UNTIL(hal_portal_received(0, &n, &cookie) == 0);
    } else if (hal_cluster() == 0) {
        UNTIL(hal_portal_grant(&g) == 0);
        CHECK_EQ(hal_portal_put(&g, 0, data, sizeof data, HAL_PORTAL_DMA, &handle), 0);
        UNTIL(hal_portal_sent(handle) == 0);
    }
}

static int occurrences(const char *text, const char *part)
{
    int n = 0;
    for (const char *p = strstr(text, part); p; p = strstr(p + 1, part))
        n++;
    return n;
}

int main(void)
{
    static char text[256 * 1024];
    char path[32], command[256];
    struct hal_machine m;
    struct hal_options o;
    int fd = memfd_create("heat", 0); /* of which nothing is left, however the test ends */
    CHECK(fd >= 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    contract_load("mppa256", &m, &o);
    o.heat = path;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    ssize_t n = read(fd, text, sizeof text - 1);
    CHECK(n > 0);
    CHECK_EQ(occurrences(text, ">cluster "), 16);
    CHECK_EQ(occurrences(text, ">I/O "), 4);
    CHECK_EQ(occurrences(text, ">2048<"), 2 + 1); /* two links, and the end of the scale */
    snprintf(command, sizeof command,
             "python3 -c 'import sys, xml.dom.minidom as x; x.parse(sys.argv[1])' %s", path);
    CHECK_EQ(system(command), 0);
    return 0;
}
