/* SPDX-License-Identifier: MIT */
/* Hosted ports only: what a debugger reads of a process. It may not know the types of this library,
 * which need not be compiled with -g, so it finds in tables where members lie, how large structures
 * are and where variables stand, by name. */
#ifndef HAL_DEBUG_H
#define HAL_DEBUG_H

#include <stddef.h>
#include <stdint.h>

struct hal_debug_word {
    const char *name;
    uintptr_t value;
};

/* Both words of an entry. "kern_thread.stack": bytes from the begin of the structure to its member;
 * "kern_thread": its size; "&sim": the address of a variable; others: a value. A table ends with
 * {NULL, 0}. */
#define HAL_DEBUG_MEMBER(type, member) #type "." #member, offsetof(struct type, member)
#define HAL_DEBUG_SIZE(type)           #type, sizeof(struct type)
#define HAL_DEBUG_ADDRESS(variable)    "&" #variable, (uintptr_t) & (variable)
#define HAL_DEBUG_VALUE(value)         #value, (uintptr_t)(value)

/* Of the port: how its cores stand. */
extern const struct hal_debug_word hal_debug_port[];

/* Of a suspended context, a "frame" that lies at its stack pointer: the registers, by the names
 * that debuggers have for them, and "frame.resume", the address at which it goes on. It has left
 * the frame by then. */
extern const struct hal_debug_word hal_debug_context[];

#endif
