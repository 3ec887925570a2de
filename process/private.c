/* SPDX-License-Identifier: MIT */
#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

#include <hal/power.h>
#include <process/image.h>
#include <process/private.h>
#include <process/threads.h>

#include "behind.h"
#include "instance.h"
#include "object.h"

struct image_ending {
    struct image_ending *next;
    void (*f)(void *object);
    void *object;
};

/* Set before the machine runs: where C++ keeps a thread's exceptions (NULL: no C++), and the
 * program's thread-local variables (NULL: none). */
static struct image_exceptions *(*exceptions)(void);
static const ElfW(Phdr) * variables;

/* Of the OS thread: the rank whose values it has now (NULL: nobody's), and where the program's
 * thread-local variables are. Ranks never leave their core. */
static _Thread_local struct image_rank *owner;
static _Thread_local uint8_t *block;

/* The first object of the list is the program. */
static int find(struct dl_phdr_info *info, size_t size, void *found)
{
    (void)size;
    *(void **)found = info->dlpi_tls_data;
    return 1;
}

static uint8_t *here(void)
{
    if (!block)
        dl_iterate_phdr(find, &block);
    return block;
}

static void take_out(struct image_private *p)
{
    if (p->variables)
        memcpy(p->variables, here(), variables->p_memsz);
    if (exceptions)
        p->exceptions = *exceptions();
}

static void put_in(const struct image_private *p)
{
    if (p->variables)
        memcpy(here(), p->variables, variables->p_memsz);
    if (exceptions)
        *exceptions() = p->exceptions;
}

static void change(struct image_rank *to)
{
    if (owner)
        take_out(&owner->own);
    owner = to;
    put_in(&to->own);
}

static void begin(struct image_rank *r)
{
    if (variables && r->object == image.own.object) {
        uint8_t *first = (uint8_t *)image_instance_base(r->instance, r->object);
        r->own.variables = calloc(1, variables->p_memsz);
        if (!r->own.variables)
            hal_abort(1, "out of memory for a rank's thread-local variables");
        memcpy(r->own.variables, first + variables->p_vaddr, variables->p_filesz);
    }
    change(r);
}

static void back(void)
{
    struct image_rank *r = image_rank_self();
    if (r && r != owner)
        change(r);
}

/* C++ registers the destructor of a thread-local variable here when it has made the variable. */
int __cxa_thread_atexit_impl(void (*f)(void *object), void *object, void *library);

EXPORT int __cxa_thread_atexit_impl(void (*f)(void *object), void *object, void *library)
{
    NEXT(__cxa_thread_atexit_impl, int, void (*)(void *), void *, void *);
    struct image_rank *r = image.privately ? image_rank_self() : NULL;
    if (!r)
        return next(f, object, library);
    struct image_ending *e = malloc(sizeof *e);
    if (!e)
        return -1;
    *e = (struct image_ending){r->own.ending, f, object};
    r->own.ending = e;
    return 0;
}

static void finish(struct image_rank *r)
{
    while (r->own.ending) {
        struct image_ending *e = r->own.ending;
        r->own.ending = e->next;
        e->f(e->object);
        free(e);
    }
}

static void end(struct image_rank *r)
{
    if (owner == r)
        owner = NULL;
    free(r->own.variables);
}

static const struct image_privately privately = {begin, back, finish, end};

void image_private_prepare(void)
{
    const struct image_object *o = image.own.object;
    *(void **)&exceptions = dlsym(RTLD_DEFAULT, "__cxa_get_globals");
    for (int i = 0; o && i < o->segments; i++)
        if (o->segment[i].p_type == PT_TLS && o->segment[i].p_memsz > 0)
            variables = &o->segment[i];
    if (!exceptions && !variables)
        return;
    image.privately = &privately;
    image_threads = true; /* calls of MPI end in image_threads_leave */
}
