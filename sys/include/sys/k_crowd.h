/* SPDX-License-Identifier: MIT */
/* A crowd: threads of one core that wait for the same thing, each with its bell, so that all else
 * that may happen wakes each of them alone. However many they are, they are released in the time of
 * one; no lock and no atomic operation is on the way. docs/kernel.md. */
#ifndef SYS_K_CROWD_H
#define SYS_K_CROWD_H

#include <stdint.h>

#include <sys/k_bell.h>

/* All-zero: nobody waits. Its core only. */
struct k_crowd {
    void *first, *last; /* who waits, in the order of their coming; the kernel's */
    uint32_t releases;  /* so far */
};

/* Owner of the bell: joins the crowd and waits until it is released, or the bell is rung; returns
 * 0, at once if bits were rung that are not yet taken. All who are in a crowd at a time are threads
 * of one core. The crowd must live until all have returned. -B_EPERM: the bell is somebody else's;
 * -B_EFAULT: no address of a crowd or a bell. */
int k_crowd_wait(struct k_crowd *c, struct k_bell *b);

/* Makes all who wait ready, in the order of their coming; from a thread of their core. Never waits.
 * -B_EFAULT; -B_EPERM: they wait on another core. */
int k_crowd_release(struct k_crowd *c);

#endif
