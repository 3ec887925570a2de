/* SPDX-License-Identifier: MIT */
/* The program in memory as the dynamic linker left it, and what of it an instance must have
 * moved. */
#ifndef IMAGE_OBJECT_H
#define IMAGE_OBJECT_H

#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A word that the dynamic linker wrote. */
struct image_word {
    uint64_t at; /* address within the program, before it was loaded */
    uint64_t value;
    const char *name; /* of the symbol, "" for none */
};

/* A variable of a library that lives in the program (a COPY relocation). */
struct image_copy {
    uint64_t at, size;
    const char *name;
    uint8_t *value; /* before the program ran */
};

struct image_instance;

struct image_object {
    int fd;            /* its file */
    const char *path;  /* of the file; NULL: the one that the process was started as */
    int template;      /* its variables in memory: template.h */
    bool joined;       /* it was loaded into a process that was started as another program */
    atomic_bool taken; /* a rank runs it where it was loaded */
    _Atomic(struct image_instance *) instances;
    uintptr_t base;
    uint64_t page, low, span, align; /* addresses low .. low + span - 1 are mapped, in pages */
    const ElfW(Phdr) * segment;
    int segments;
    const ElfW(Phdr) * relro; /* NULL: none */
    uintptr_t frames;         /* address of .eh_frame as loaded, 0: none */
    struct image_word *word;  /* those that instances have of their own */
    size_t words;
    struct image_copy *copy;
    size_t copies;
    uint64_t init, init_array, fini, fini_array; /* as `at`; 0: none */
    uint64_t init_count, fini_count;             /* functions in the arrays */
};

/* Reads the object that was loaded from the file `fd` to `base`; 0: the program of this process.
 * Call when the dynamic linker is done with it, for the words' values. The caller owns the object,
 * which owns fd. NULL: it is one that cannot be mapped again (not position-independent, the file
 * is another one by now), or memory is short; fd is closed then. */
struct image_object *image_object_new(uintptr_t base, int fd);

#endif
