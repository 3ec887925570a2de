/* SPDX-License-Identifier: MIT */
/* Hosted ports only: from where in a program the library was called, and what stands there. */
#ifndef HAL_SITE_H
#define HAL_SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAL_SITE_PATH 4096 /* bytes of a file's path, as the system has them at most */

/* Notes where this library lies in memory; before the first walk, outside signal handlers. */
void hal_site_prepare(void);

/* Code from low to high is of a language, not of the program: what calls it is the place instead.
 * For good, at any time but in signal handlers; what there is no room for counts as the program. */
void hal_site_skip(uintptr_t low, uintptr_t high);
bool hal_site_skips(uintptr_t address);

/* What a signal interrupted: instruction and frame pointer, of the handler's third argument. */
struct hal_interrupted {
    uintptr_t pc, fp;
};
struct hal_interrupted hal_site_interrupted(const void *context);

/* Whether an instruction is the program's own, or that of a copy of it: no library's. */
bool hal_site_in_program(uintptr_t pc);

/* Where the instruction at pc (0: unknown) and the calls lie that led to it, in frames from frame
 * pointer fp on: stores up to `most` addresses outside the library, 0 after the last one. They are
 * return addresses, or what would be one for pc. The library's own code keeps frame pointers, so
 * the first one is right whatever the program was compiled with. Safe in signal handlers. */
void hal_site_walk(uintptr_t pc, uintptr_t fp, uint64_t *site, int most);

/* Where the library was called: the return address of the innermost call from outside. Costs some
 * ten nanoseconds; 0: not from a call. */
uint64_t hal_site_caller(void);

/* Which files' code lies where in a process. */
struct hal_part {
    uint64_t low, high, offset; /* of `low` in the file */
    const char *path;           /* neighbours may share it */
};
struct hal_map {
    int process;
    struct hal_part *part; /* by address */
    int n, room;
};

/* Reads the map of a process into one that is {0} or was read before; empty if that cannot be
 * done. _forget frees what it has. */
void hal_map_read(struct hal_map *map, int process);
void hal_map_forget(struct hal_map *map);

/* A place in a file: the same in all processes, and in all copies of the file in one. False: the
 * address lies in no file. */
struct hal_place {
    char path[HAL_SITE_PATH];
    uint64_t offset;
};
bool hal_map_find(const struct hal_map *map, uint64_t address, struct hal_place *p);

/* "file.c:12" of an address, as the file's own tables have it. False: addr2line is not installed,
 * or does not know. May start a process. */
bool hal_line_name(const char *path, uint64_t address, char *text, size_t size);

/* "file.c:12", "in function", or "file+0x12". May start a process. */
void hal_place_name(const struct hal_place *p, char *text, size_t size);

/* The same as it stands behind a call: "at file.c:12", "in function". */
void hal_place_phrase(const struct hal_place *p, char *text, size_t size);

#endif
