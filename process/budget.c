/* SPDX-License-Identifier: MIT */
/* What the programs themselves take of a cluster's memory, on machines in virtual time: the code of
 * each once, its variables for each of its ranks. docs/sim.md, Memory. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <hal/machine.h>
#include <hal/power.h>
#include <kernel/cluster.h>
#include <kernel/mem.h>
#include <process/image.h>

#include "budget.h"
#include "object.h"

#define LARGEST 3    /* variables that a refusal names, */
#define LEAST   1024 /* of so many bytes or more */

/* Of what is loaded, what may be written to, with the thread's own, or what may not. */
static size_t loaded(const struct image_object *o, bool variables)
{
    size_t all = 0;
    for (int i = 0; i < o->segments; i++) {
        const ElfW(Phdr) *s = &o->segment[i];
        bool counts = s->p_type == PT_LOAD ? ((s->p_flags & PF_W) != 0) == variables
                                           : s->p_type == PT_TLS && variables;
        all += counts ? s->p_memsz : 0;
    }
    return image_pages(all);
}

/* The largest variables ----------------------------------------------------------------------- */

/* n bytes of the file, to be freed; NULL: it has not so many, or memory is short. */
static void *part(int fd, uint64_t at, size_t n)
{
    void *p = malloc(n + 1);
    if (p && pread(fd, p, n, (off_t)at) == (ssize_t)n) {
        ((char *)p)[n] = '\0';
        return p;
    }
    free(p);
    return NULL;
}

struct largest {
    uint64_t size[LARGEST];
    uint32_t name[LARGEST]; /* in the table of strings */
};

static void insert(struct largest *l, const ElfW(Sym) * s)
{
    int i = LARGEST;
    while (i > 0 && l->size[i - 1] < s->st_size)
        i--;
    if (i == LARGEST || s->st_size < LEAST || ELF64_ST_TYPE(s->st_info) != STT_OBJECT)
        return;
    for (int k = LARGEST - 1; k > i; k--) {
        l->size[k] = l->size[k - 1];
        l->name[k] = l->name[k - 1];
    }
    l->size[i] = s->st_size;
    l->name[i] = s->st_name;
}

static void print_largest(const struct image_object *o, const ElfW(Shdr) * table,
                          const ElfW(Shdr) * strings, char *text, size_t size)
{
    struct largest l = {0};
    ElfW(Sym) *symbol = part(o->fd, table->sh_offset, table->sh_size);
    char *names = part(o->fd, strings->sh_offset, strings->sh_size);
    size_t at = 0;
    for (size_t i = 0; symbol && i < table->sh_size / sizeof *symbol; i++)
        insert(&l, &symbol[i]);
    for (int i = 0; names && i < LARGEST && l.size[i] > 0 && at < size; i++)
        if (l.name[i] < strings->sh_size)
            at += (size_t)snprintf(text + at, size - at, "%s%s %" PRIu64 " bytes",
                                   i == 0 ? "; the largest: " : ", ", names + l.name[i], l.size[i]);
    free(symbol);
    free(names);
}

/* "" if the file keeps no names. */
static void largest(const struct image_object *o, char *text, size_t size)
{
    ElfW(Ehdr) *head = part(o->fd, 0, sizeof *head);
    ElfW(Shdr) *s = head ? part(o->fd, head->e_shoff, head->e_shnum * sizeof *s) : NULL;
    text[0] = '\0';
    for (int i = 0; s && i < head->e_shnum; i++)
        if (s[i].sh_type == SHT_SYMTAB && s[i].sh_link < head->e_shnum)
            print_largest(o, &s[i], &s[s[i].sh_link], text, size);
    free(s);
    free(head);
}

/* Charging ------------------------------------------------------------------------------------ */

static _Noreturn void refuse(const struct image_object *o, int ranks)
{
    char why[640], names[320];
    size_t used, high, limit;
    kern_memory(kern_cluster(), &used, &high, &limit);
    largest(o, names, sizeof names);
    snprintf(why, sizeof why,
             "the program does not fit cluster %d, which has %zu of %zu KB left: code %zu KB, "
             "variables %zu KB a rank, %d rank%s%s; %s--memory=report lets it run all the same",
             kern_cluster()->id, (limit - used) / 1024, limit / 1024, loaded(o, false) / 1024,
             loaded(o, true) / 1024, ranks, ranks > 1 ? "s" : "", names,
             ranks > 1 ? "fewer --ranks-per-cluster need less, " : "");
    hal_abort(IMAGE_DOES_NOT_FIT, why);
}

static void charge(const struct image_object *o, int ranks)
{
    struct cluster *c = kern_cluster();
    size_t code = loaded(o, false), variables = (size_t)ranks * loaded(o, true);
    if (kern_page_charge(c, KERN_CHARGE_CODE, code) < 0 ||
        kern_page_charge(c, KERN_CHARGE_VARIABLES, variables) < 0)
        refuse(o, ranks);
}

/* No rank has more stack than its cluster has memory, however deep it calls. */
static void bound_stacks(struct image *im)
{
    size_t most = hal_machine()->compute_memory;
    most = most < IMAGE_STACK_LEAST ? IMAGE_STACK_LEAST : most;
    if (im->memory == IMAGE_MEMORY_ENFORCE && im->job.stack > most)
        im->job.stack = most;
}

void image_programs_charge(struct image *im)
{
    int clusters = (int)hal_machine()->compute_clusters, cluster = kern_cluster()->id;
    int all = svc_spawn_count(&im->job, cluster, clusters);
    bound_stacks(im);
    for (int p = 0; im->memory != IMAGE_MEMORY_NO && (p == 0 || p < im->job.programs); p++) {
        int ranks = 0;
        for (int i = 0; i < all; i++)
            ranks +=
                svc_spawn_program(&im->job, svc_spawn_rank(&im->job, cluster, i, clusters)) == p;
        if (ranks > 0 && im->program[p].object)
            charge(im->program[p].object, ranks);
    }
}
