/* SPDX-License-Identifier: MIT */
/* Places of calls. */
#include "layer.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hal/site.h>

/* A process has one map; ranks come and go in it. */
static struct hal_map map;
static atomic_flag map_busy = ATOMIC_FLAG_INIT;

/* Where the call stands: in the file, so that ranks can be compared. */
static void find_place(struct profile_site *s)
{
    static struct hal_place p;
    while (atomic_flag_test_and_set_explicit(&map_busy, memory_order_acquire))
        ;
    bool found = hal_map_find(&map, s->address - 1, &p);
    if (!found) {
        hal_map_read(&map, getpid());
        found = hal_map_find(&map, s->address - 1, &p);
    }
    if (found && strlen(p.path) < sizeof s->path) {
        strcpy(s->path, p.path);
        s->offset = p.offset;
    }
    atomic_flag_clear_explicit(&map_busy, memory_order_release);
}

unsigned profile_site(const struct profile_call *c, unsigned at)
{
    uint64_t address = (uint64_t)(uintptr_t)c->site;
    struct profile_rank *rank = c->own->rank;
    unsigned i = 0;
    profile_lock(rank);
    char *name = rank->function[c->record.function].name;
    if (name[0] == '\0')
        snprintf(name, PROFILE_NAME, "%s", c->name);
    for (; i < PROFILE_SITES; i++) {
        struct profile_site *s = &rank->site[(at + i) % PROFILE_SITES];
        if (s->address == 0) {
            s->function = c->record.function;
            s->address = address;
            find_place(s);
        }
        if (s->address == address && s->function == c->record.function)
            break;
    }
    profile_unlock(rank);
    return i < PROFILE_SITES ? (at + i) % PROFILE_SITES : PROFILE_SITES;
}
