/* SPDX-License-Identifier: MIT */
/* hal/console.h: what clusters and cores write at the same time comes out whole. */
#include "contract.h"

#include <hal/console.h>

#define LINES 100
#define WIDTH 60

static _Atomic int done[8];

static void writes(void *arg)
{
    (void)arg;
    char line[WIDTH];
    for (int i = 0; i < LINES; i++) {
        memset(line, 'a' + hal_cluster() * 4 + hal_core(), WIDTH - 1);
        line[WIDTH - 1] = '\n';
        hal_console_write(line, WIDTH);
        hal_console_write(line, 0);
    }
    atomic_fetch_add(&done[hal_cluster()], 1);
    hal_event_notify(0);
}

static void boot(void *arg)
{
    (void)arg;
    CHECK_EQ(hal_core_start(1, writes, NULL), 0);
    writes(NULL);
    UNTIL(atomic_load(&done[hal_cluster()]) == 2);
}

/* Lines of one letter each, as many of each writer as it wrote. */
static bool whole_lines(const char *text)
{
    int lines[12] = {0};
    for (; *text != '\0'; text += WIDTH) {
        CHECK(*text >= 'a' && *text < 'a' + 12);
        for (int i = 0; i < WIDTH - 1; i++)
            CHECK_EQ(text[i], text[0]);
        CHECK_EQ(text[WIDTH - 1], '\n');
        lines[*text - 'a']++;
    }
    for (int cluster = 0; cluster < 3; cluster++) {
        int first = lines[cluster * 4], second = lines[cluster * 4 + 1];
        if (first != LINES || second != LINES) {
            fprintf(stderr, "cluster %d: %d lines of core 0, %d of core 1, should be %d each\n",
                    cluster, first, second, LINES);
            return false;
        }
    }
    return true;
}

CONTRACT({.boot = boot, .good = whole_lines});
