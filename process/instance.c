/* SPDX-License-Identifier: MIT */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <base/link.h>
#include <hal/power.h>

#include "debug.h"
#include "instance.h"
#include "template.h"

#define FEW_ZEROS ((uint64_t)64 * 1024) /* bytes */

/* Of the library that serves exceptions, and of the one that looks for leaks, if the process has
 * them: functions and variables of an instance are known to them only if they are told. */
B_IF_LINKED void __register_frame(void *frames);
B_IF_LINKED void __lsan_register_root_region(const void *at, size_t size);

struct image_instance {
    struct image_instance *next; /* of the object's */
    const struct image_object *object;
    uintptr_t base; /* object->base: the object itself */
    struct image_optvars getopt;
    struct {
        int number[3];
        char *text;
    } room; /* for those variables of which the program has none */
};

const struct hal_debug_word image_debug_instances[] = {
    {HAL_DEBUG_MEMBER(image_instance, base)},
    {HAL_DEBUG_MEMBER(image_instance, object)},
    {HAL_DEBUG_MEMBER(image_object, path)},
    {HAL_DEBUG_MEMBER(image_object, base)},
    {HAL_DEBUG_MEMBER(image_object, low)},
    {HAL_DEBUG_MEMBER(image_object, span)},
    {NULL, 0},
};

static _Noreturn void no_memory(void)
{
    hal_abort(1, "no memory to map the program once more for a rank: use fewer ranks, or let a "
                 "process have more mappings (sysctl vm.max_map_count)");
}

static bool mapped(const struct image_instance *in)
{
    return in && in->base != in->object->base;
}

static void map_at(uintptr_t at, uint64_t size, int protection, int fd, uint64_t offset)
{
    int flags = MAP_PRIVATE | MAP_FIXED | (fd < 0 ? MAP_ANONYMOUS : 0);
    if (size != 0 && mmap((void *)at, size, protection, flags, fd, (off_t)offset) == MAP_FAILED)
        no_memory();
}

/* The file's part of a segment, of a writable one as the template has it, and pages of zeros. The
 * system allows a process so many mappings, and neighbours of one file with one protection are one:
 * so constants are executable as code is, and few pages of zeros come out of the template, which
 * then has a page more for each of them that is touched. */
static void map_segment(const struct image_instance *in, const ElfW(Phdr) * s)
{
    int protection = PROT_READ | (s->p_flags & PF_W ? PROT_WRITE : PROT_EXEC);
    uint64_t page = in->object->page, from = s->p_vaddr / page * page;
    uint64_t filled = s->p_vaddr + s->p_filesz, zeros = (filled + page - 1) / page * page;
    uint64_t end = (s->p_vaddr + s->p_memsz + page - 1) / page * page;
    if (s->p_filesz == 0)
        zeros = from;
    if (s->p_flags & PF_W && end - zeros <= FEW_ZEROS)
        zeros = end;
    if (s->p_flags & PF_W)
        map_at(in->base + from, zeros - from, protection, in->object->template,
               from - in->object->low);
    else
        map_at(in->base + from, zeros - from, protection, in->object->fd,
               s->p_offset - (s->p_vaddr - from));
    if (end > zeros)
        map_at(in->base + zeros, end - zeros, protection, -1, 0);
}

/* The distance of instances is a multiple of the program's alignment, and, if that is a page, odd:
 * a processor keeps what it knows of jumps by some lower bits of their addresses, and each jump of
 * the program is at as many addresses as there are ranks. docs/collectives.md. */
static uintptr_t reserve(const struct image_object *o)
{
    uint64_t odd = o->align == o->page && o->span / o->page % 2 == 0 ? o->page : 0;
    uint64_t size = o->span + o->align - o->page + odd;
    char *at = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        no_memory();
    uint64_t shift = (o->base + o->low - (uintptr_t)at) & (o->align - 1);
    if (shift > 0)
        munmap(at, shift);
    if (size > shift + o->span)
        munmap(at + shift + o->span, size - shift - o->span);
    return (uintptr_t)at + shift - o->low;
}

/* The pointer to the variable of getopt that has this name; NULL: there is none. */
static void *getopt_variable(struct image_optvars *g, const char *name)
{
    const struct {
        const char *name;
        void *pointer;
    } all[] = {{"optind", &g->optind},
               {"opterr", &g->opterr},
               {"optopt", &g->optopt},
               {"optarg", &g->optarg}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(name, all[i].name) == 0)
            return all[i].pointer;
    return NULL;
}

bool image_is_getopt(const char *name)
{
    struct image_optvars any;
    return getopt_variable(&any, name) != NULL;
}

/* An address in the program: the same place in the instance. Others are as they are. */
static uint64_t moved(const struct image_instance *in, uint64_t value)
{
    const struct image_object *o = in->object;
    return image_leads_in(o, value) ? value + (in->base - o->base) : value;
}

/* Words that hold an address in the program get the same place in the clone. Of the others, those
 * that hold the address of a variable of getopt in the C library get that of the clone's own. */
static void relocate(struct image_instance *in)
{
    const struct image_object *o = in->object;
    for (size_t i = 0; i < o->words; i++) {
        uint64_t value = moved(in, o->word[i].value);
        const void *variable = NULL;
        if (value == o->word[i].value)
            variable = getopt_variable(&in->getopt, o->word[i].name);
        if (variable)
            memcpy(&value, variable, sizeof value);
        memcpy((void *)(in->base + o->word[i].at), &value, sizeof value);
    }
}

/* A variable that is a word or less (stdout, environ) has the value that it has in the process. A
 * larger one is an object, which may have memory of its own by now: it is as it was before the
 * program ran, but for addresses in the program, as std::cout has one of itself. */
static void copy_value(const struct image_instance *in, const struct image_copy *c, uint8_t *here)
{
    uint64_t word;
    if (c->size <= sizeof word) {
        memcpy(here, (const void *)(in->object->base + c->at), c->size);
        return;
    }
    memcpy(here, c->value, c->size);
    for (uint64_t i = -c->at % sizeof word; i + sizeof word <= c->size; i += sizeof word) {
        memcpy(&word, here + i, sizeof word);
        word = moved(in, word);
        memcpy(here + i, &word, sizeof word);
    }
}

/* Variables of libraries that live in the program: those of getopt become the instance's. */
static void copy_variables(struct image_instance *in)
{
    for (size_t i = 0; i < in->object->copies; i++) {
        const struct image_copy *c = &in->object->copy[i];
        void *here = (void *)(in->base + c->at);
        void *variable = getopt_variable(&in->getopt, c->name);
        if (variable)
            memcpy(variable, &here, sizeof here);
        else if (mapped(in))
            copy_value(in, c, here);
    }
}

static void own_variables(struct image_instance *in)
{
    struct image_optvars *g = &in->getopt;
    *g = (struct image_optvars){.optind = &in->room.number[0],
                                .opterr = &in->room.number[1],
                                .optopt = &in->room.number[2],
                                .optarg = &in->room.text};
    copy_variables(in);
    *g->optind = *g->opterr = 1;
    *g->optopt = '?';
    *g->optarg = NULL;
}

static void protect(const struct image_instance *in)
{
    const ElfW(Phdr) *s = in->object->relro;
    uint64_t page = in->object->page;
    if (!s)
        return;
    uint64_t from = s->p_vaddr / page * page, end = (s->p_vaddr + s->p_memsz) / page * page;
    if (end > from)
        mprotect((void *)(in->base + from), end - from, PROT_READ);
}

static void tell_others(const struct image_instance *in)
{
    const struct image_object *o = in->object;
    if (__register_frame && o->frames != 0)
        __register_frame((void *)(o->frames - o->base + in->base));
    for (int i = 0; __lsan_register_root_region && i < o->segments; i++) {
        const ElfW(Phdr) *s = &o->segment[i];
        if (s->p_type == PT_LOAD && s->p_flags & PF_W)
            __lsan_register_root_region((void *)(in->base + s->p_vaddr), s->p_memsz);
    }
}

static void keep(struct image_object *o, struct image_instance *in)
{
    in->next = atomic_load(&o->instances);
    while (!atomic_compare_exchange_weak(&o->instances, &in->next, in)) {
    }
}

struct image_instance *image_instance_new(struct image_object *o)
{
    bool first = o && !atomic_exchange(&o->taken, true);
    if (!o || (first && !o->joined))
        return NULL;
    struct image_instance *in = calloc(1, sizeof *in);
    if (!in)
        no_memory();
    *in = (struct image_instance){.object = o, .base = first ? o->base : reserve(o)};
    keep(o, in);
    if (first) {
        own_variables(in);
        return in;
    }
    for (int i = 0; i < o->segments; i++)
        if (o->segment[i].p_type == PT_LOAD)
            map_segment(in, &o->segment[i]);
    own_variables(in);
    relocate(in);
    protect(in);
    tell_others(in);
    return in;
}

static void call_at(uintptr_t address, int argc, char **argv, char **envp)
{
    void (*f)(int, char **, char **);
    memcpy(&f, &address, sizeof f);
    f(argc, argv, envp);
}

/* Calls element i of an array of functions, as the first rank has it: the instance's copy is not
 * its own. Old linkers' marks of its ends are none. */
static void call_element(const struct image_instance *in, uint64_t array, uint64_t i, int argc,
                         char **argv, char **envp)
{
    uintptr_t value;
    const struct image_object *o = in->object;
    memcpy(&value, (const void *)(o->base + array + i * sizeof value), sizeof value);
    value = moved(in, value);
    if (value != 0 && value != UINTPTR_MAX)
        call_at(value, argc, argv, envp);
}

image_main_function *image_instance_begin(struct image_instance *in, image_main_function *main,
                                          int argc, char **argv, char **envp)
{
    if (!mapped(in))
        return main;
    const struct image_object *o = in->object;
    if (o->init != 0)
        call_at(in->base + o->init, argc, argv, envp);
    for (uint64_t i = 0; i < o->init_count; i++)
        call_element(in, o->init_array, i, argc, argv, envp);
    uintptr_t address = moved(in, (uintptr_t)main);
    memcpy(&main, &address, sizeof main);
    return main;
}

void image_instance_end(struct image_instance *in)
{
    if (!mapped(in))
        return;
    const struct image_object *o = in->object;
    for (uint64_t i = o->fini_count; i-- > 0;)
        call_element(in, o->fini_array, i, 0, NULL, NULL);
    if (o->fini != 0)
        call_at(in->base + o->fini, 0, NULL, NULL);
}

/* A program or library that registers functions with atexit names itself by the address of a word
 * of its data that holds its own address (__dso_handle). So each such word is tried; for those that
 * are something else nothing is registered. */
void image_first_end(const struct image_instance *in, const struct image_object *o)
{
    for (size_t i = 0; o && !mapped(in) && i < o->words; i++) {
        uintptr_t at = o->base + o->word[i].at;
        if (o->word[i].value == at)
            __cxa_finalize((void *)at);
    }
}

static const struct image_instance *holder(const struct image_object *o, uintptr_t address)
{
    struct image_instance *in = o ? atomic_load(&o->instances) : NULL;
    while (in && (!mapped(in) || address - in->base - o->low >= o->span))
        in = in->next;
    return in;
}

uintptr_t image_instance_distance(uintptr_t address)
{
    const struct image_instance *in = holder(image.own.object, address);
    for (int i = 0; !in && image.program && i < image.job.programs; i++)
        in = holder(image.program[i].object, address);
    return in ? in->base - in->object->base : 0;
}

uintptr_t image_instance_base(const struct image_instance *in, const struct image_object *o)
{
    return in ? in->base : o->base;
}

struct image_optvars image_instance_getopt(struct image_instance *in)
{
    return in ? in->getopt : (struct image_optvars){&optind, &opterr, &optopt, &optarg};
}
