/* SPDX-License-Identifier: MIT */
/* What the rest of the kernel calls in inter-kernel communication. The kernel calls of the
 * facilities (kern_sys_mailbox_*, kern_sys_portal_*, kern_sys_sync_*, kern_sys_ikc_*) come
 * through the table sys/syscalls.def; they run without any lock held. */
#ifndef KERNEL_IKC_H
#define KERNEL_IKC_H

#include <stdbool.h>

#include <hal/machine.h>
#include <kernel/mem.h>

struct kern_ikc;

/* Takes the pools of all facilities from the arena and initialises them; NULL while the arena only
 * counts. Called at boot on core 0, before other cores and threads run. */
struct kern_ikc *kern_ikc_build(struct kern_arena *a, const struct hal_machine *m, int cluster);

/* Handles what the network interface has for this cluster: arrivals, verdicts, grants,
 * completions, signals; wakes whoever waited for it. True if there was something. Cheap when
 * there is not. Called without locks on the cores that take network events, from idle contexts
 * and waiting threads. */
bool kern_ikc_poll(void);

/* In a style in which threads do not just sleep (cluster.insists): the calling thread is about to
 * wait for the bell. False: it did something else, and has to look again. And: it does not wait any
 * more. */
struct k_bell;
bool kern_ikc_before_bell(const struct k_bell *b);
void kern_ikc_after_bell(void);

/* Returns once no core is in the middle of handling an arrival: a message that woke the caller has
 * been answered, so that its writer hears of it although the cluster may end now. */
void kern_ikc_settle(void);

#endif
