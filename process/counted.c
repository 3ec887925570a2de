/* SPDX-License-Identifier: MIT */
/* Computation by the operations that a program counts itself (mpicc --count). Each loaded object
 * has a table and a counter; the program's own are mapped once more for each further rank like its
 * other variables, those of a library are the process's: what is in it is the calling rank's. */
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <hal/machine.h>
#include <launcher/count.h>

#include <process/compute.h>
#include <process/image.h>
#include "instance.h"
#include "object.h"
#include <process/threads.h>

#define MODULES 64 /* objects with counted code in one process */

struct module {
    uintptr_t base, low, high; /* of the object */
    union count_entry *table, *end;
    uintptr_t counter;                  /* the first */
    const struct image_object *program; /* that it is, if ranks map it again; or NULL */
};

static struct module modules[MODULES];
static int module_count;
static uint64_t operations;
static bool priced;

/* --- finding them --- */

static uintptr_t near(const int32_t *distance)
{
    return (uintptr_t)distance + (uintptr_t)(intptr_t)*distance;
}

/* Files linked from several objects have the note several times. */
static void add(const struct dl_phdr_info *info, const struct count_note *n)
{
    struct module m = {.base = info->dlpi_addr, .low = UINTPTR_MAX, .counter = near(&n->counter)};
    m.table = (union count_entry *)near(&n->table);
    m.end = (union count_entry *)near(&n->table_end);
    for (int i = 0; i < module_count; i++)
        if (modules[i].counter == m.counter)
            return;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *s = &info->dlpi_phdr[i];
        uintptr_t begin = info->dlpi_addr + s->p_vaddr;
        if (s->p_type != PT_LOAD)
            continue;
        m.low = begin < m.low ? begin : m.low;
        m.high = begin + s->p_memsz > m.high ? begin + s->p_memsz : m.high;
    }
    if (module_count < MODULES)
        modules[module_count++] = m;
}

static void read_notes(const struct dl_phdr_info *info, const ElfW(Phdr) * s)
{
    const char *at = (const char *)(info->dlpi_addr + s->p_vaddr), *end = at + s->p_memsz;
    size_t align = s->p_align > 4 ? s->p_align : 4;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *n = (const ElfW(Nhdr) *)at;
        const char *name = at + sizeof *n;
        const char *content = at + (sizeof *n + n->n_namesz + align - 1) / align * align;
        at = content + (n->n_descsz + align - 1) / align * align;
        if (at <= end && n->n_type == COUNT_NOTE_TYPE && n->n_namesz == 8 &&
            n->n_descsz == sizeof(struct count_note) && strcmp(name, COUNT_NOTE) == 0)
            add(info, (const struct count_note *)content);
    }
}

static int look_at(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            read_notes(info, &info->dlpi_phdr[i]);
    return 0;
}

static void find(void)
{
    if (module_count == 0)
        dl_iterate_phdr(look_at, NULL);
}

static uintptr_t program_base(const struct image_program *p)
{
    return p->object ? p->object->base : image_own_base();
}

bool image_programs_count(const struct image *im, const char **which)
{
    int programs = im->job.programs < 2 ? 1 : im->job.programs;
    find();
    for (int i = 0; i < programs; i++) {
        const struct image_program *p = &im->program[i];
        bool found = !p->main;
        for (int k = 0; k < module_count; k++)
            found = found || modules[k].base == program_base(p);
        *which = p->argv[0];
        if (!found)
            return false;
    }
    return true;
}

/* How far from where it was loaded rank r has a module. */
static uintptr_t shift(const struct module *m, const struct image_rank *r)
{
    bool own = m->program && m->program == r->object;
    return own ? image_instance_base(r->instance, m->program) - m->base : 0;
}

bool image_is_counted(const struct image_rank *r, uintptr_t at)
{
    for (int i = 0; i < module_count; i++) {
        const struct module *m = &modules[i];
        if (at - shift(m, r) - m->low < m->high - m->low)
            return true;
    }
    return false;
}

/* --- prices --- */

static union count_entry price(const union count_entry *e)
{
    const struct hal_compute *c = &hal_machine()->compute;
    const uint32_t prices[COUNT_CLASSES] = {
        [COUNT_INTEGER] = c->integer_milli,
        [COUNT_MULTIPLY] = c->multiply_milli,
        [COUNT_DIVIDE] = c->divide_milli,
        [COUNT_MEMORY] = c->memory_milli,
        [COUNT_FLOAT_ADD] = c->float_add_milli,
        [COUNT_FLOAT_MULTIPLY] = c->float_multiply_milli,
        [COUNT_FLOAT_DIVIDE] = c->float_divide_milli,
        [COUNT_BRANCH] = c->branch_milli,
    };
    union count_entry sum = {.price = {0, 0}};
    for (int i = 0; i < COUNT_CLASSES; i++) {
        sum.price.milli += (uint64_t)e->count[i] * prices[i];
        sum.price.operations += e->count[i];
    }
    return sum;
}

/* Where the program is, and where further ranks' variables come from. False: not written. */
static bool price_table(struct module *m)
{
    size_t size = (size_t)((char *)m->end - (char *)m->table);
    for (union count_entry *e = m->table; e < m->end; e++)
        *e = price(e);
    if (!m->program)
        return true;
    off_t at = (off_t)((uintptr_t)m->table - m->base - m->program->low);
    return pwrite(m->program->template, m->table, size, at) == (ssize_t)size;
}

static bool begin(struct image *im, char *why, size_t size)
{
    const char *which;
    int programs = im->job.programs < 2 ? 1 : im->job.programs;
    if (!image_programs_count(im, &which)) {
        snprintf(why, size, "--compute=counted: %.150s was not built by mpicc --count", which);
        return false;
    }
    for (int i = 0; i < module_count; i++) {
        for (int k = 0; k < programs; k++) {
            const struct image_object *o = im->program[k].object;
            if (o && o->base == modules[i].base)
                modules[i].program = o;
        }
        if (!priced && !price_table(&modules[i])) {
            snprintf(why, size, "--compute=counted: no memory for the prices of operations");
            return false;
        }
    }
    priced = true;
    image_threads = true;
    return true;
}

/* --- counting --- */

static uint64_t take(struct image_rank *r)
{
    uint64_t milli = 0;
    for (int i = 0; i < module_count; i++) {
        const struct module *m = &modules[i];
        if (m->program && m->program != r->object)
            continue; /* another rank's program */
        union count_entry *counter = (union count_entry *)(m->counter + shift(m, r));
        for (int k = 0; k < COUNT_COUNTERS; k++) {
            milli += counter[k].price.milli;
            operations += counter[k].price.operations;
        }
        memset(counter, 0, COUNT_COUNTERS * sizeof *counter);
    }
    return milli;
}

static void start(struct image_rank *r)
{
    uint64_t before = operations;
    take(r);
    operations = before;
}

static void tell(char *text, size_t size)
{
    snprintf(text, size, "%" PRIu64 " operations in %" PRIu64 " cycles of the cores", operations,
             image_compute_cycles());
}

const struct image_gauge image_counted = {
    .begin = begin, .start = start, .take = take, .tell = tell};
