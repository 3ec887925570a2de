/* SPDX-License-Identifier: MIT */
/* All that the kernel has for programs in user mode alone, of whose memory it believes nothing. Who
 * boots with it (kern_boot_user) has it linked; elsewhere programs have the kernel's rights. */
#ifndef KERNEL_CALL_USER_H
#define KERNEL_CALL_USER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cluster;
struct k_bell;
struct k_crowd;
struct kern_core;
struct kern_thread;

struct kern_user {
    /* At boot, when the frames are known. */
    void (*init)(struct cluster *c);
    /* Copies a text of the program, or as much of it as there is room for, with a terminator.
     * -B_EFAULT: user mode may not read it. */
    int (*text)(char *to, size_t size, const char *from);
    /* hal_user_code, hal_user_stack, hal_user_run. */
    bool (*code)(const void *fn);
    size_t (*stack)(size_t size);
    void (*run)(void *stack, size_t n, void (*fn)(void *arg), void *arg, bool ends);
    /* thread/lend.c: t, which is new on its core, has the stack of the idle context there, and will
     * begin in that context. returned: the stack of t, which has ended, is not to be freed. leave:
     * t, which runs and ends, leaves its core to the idle context. Returns if that is there. */
    bool (*lend)(struct kern_thread *t);
    bool (*returned)(struct kern_thread *t);
    void (*leave)(struct kern_core *core, struct kern_thread *t);
    /* Bells and crowds, which lie in the program's memory: thread/bell_user.c. rung and wait: the
     * caller is the owner. ring answers -B_EINVAL if the bell has none. wait may do so in a crowd,
     * else NULL. */
    bool (*rung)(struct k_bell *b);
    int (*ring)(struct cluster *c, struct k_bell *b, uint32_t bits);
    int (*wait)(struct kern_thread *t, struct k_bell *b, uint64_t timeout,
                const struct k_crowd *crowd);
    int (*release)(struct kern_core *core, const struct k_crowd *crowd);
};
extern const struct kern_user kern_user;

bool kern_user_lend(struct kern_thread *t);
bool kern_user_returned(struct kern_thread *t);
void kern_user_leave(struct kern_core *core, struct kern_thread *t);
bool kern_user_bell_rung(struct k_bell *b);
int kern_user_bell_ring(struct cluster *c, struct k_bell *b, uint32_t bits);
int kern_user_bell_wait(struct kern_thread *t, struct k_bell *b, uint64_t timeout,
                        const struct k_crowd *crowd);
int kern_user_crowd_release(struct kern_core *core, const struct k_crowd *crowd);

#endif
