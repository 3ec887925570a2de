/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <sys/mman.h>

#include "layer.h"

enum { FIRST = 256 }; /* entries: a power of 2 */

static bool make(struct profile_table *t, uint64_t size)
{
    *t = (struct profile_table){profile_memory(size * sizeof *t->entry), size - 1, 0};
    return t->entry;
}

bool profile_table_begin(struct profile_table *t)
{
    return make(t, FIRST);
}

struct profile_entry *profile_table_find(const struct profile_table *t, uint64_t key, uint64_t more)
{
    struct profile_entry *e = profile_table_first(t, key, more);
    while (e->key != 0 && (e->key != key || e->more != more))
        e = e < &t->entry[t->mask] ? e + 1 : t->entry;
    return e;
}

static bool double_room(struct profile_table *t)
{
    struct profile_table twice;
    if (!make(&twice, 2 * (t->mask + 1)))
        return false;
    for (uint64_t i = 0; i <= t->mask; i++)
        if (t->entry[i].key != 0)
            *profile_table_find(&twice, t->entry[i].key, t->entry[i].more) = t->entry[i];
    twice.used = t->used;
    munmap(t->entry, (t->mask + 1) * sizeof *t->entry);
    *t = twice;
    return true;
}

struct profile_entry *profile_table_take(struct profile_table *t, uint64_t key, uint64_t more)
{
    if (!t->entry && !profile_table_begin(t))
        return NULL;
    struct profile_entry *e = profile_table_find(t, key, more);
    if (e->key != 0)
        return e;
    if (t->used > t->mask / 2) {
        if (!double_room(t))
            return NULL;
        e = profile_table_find(t, key, more);
    }
    t->used++;
    *e = (struct profile_entry){key, more, 0};
    return e;
}
