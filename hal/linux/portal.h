/* SPDX-License-Identifier: MIT */
/* Portal: what portal.c (who may move what) and transfer.c (the bytes) share. */
#ifndef HAL_LINUX_PORTAL_H
#define HAL_LINUX_PORTAL_H

#include "port.h"

/* Life of a channel. Each step has one cluster that takes it:
 *   FREE -receiver-> SETTING -receiver-> GRANTED -sender-> BEGUN -sender-> SHARED | BOUNCE | DONE
 *   SHARED, BOUNCE, DONE, and GRANTED if revoked, -receiver-> FREE */
enum lx_phase {
    LX_FREE,
    LX_SETTING, /* the receiver writes the grant */
    LX_GRANTED,
    LX_BEGUN,  /* the sender writes the transfer, or the data itself */
    LX_SHARED, /* both ends copy, piece by piece, as they find time */
    LX_BOUNCE, /* the data comes in pieces through the bounce buffer */
    LX_DONE    /* the data is in the receiver's buffer */
};

#define LX_SERIAL_MASK 0x0fffffffu

static inline unsigned lx_phase_word(uint32_t serial, enum lx_phase phase)
{
    return serial << 4 | phase;
}

/* Where `p` lies in the calling cluster's window: true, and its offset there. */
bool lx_in_window(const void *p, size_t n, uint64_t *offset);

/* Sender: what to do with n bytes at buf for channel ch of cluster `to`, which the caller has
 * BEGUN: moves them at once if they are few (DONE), else says how they will go. */
enum lx_phase lx_transfer_begin(int to, int channel, uint32_t serial, const void *buf, size_t n);

/* Moves pieces of a SHARED transfer until none is left to take, as its sender or as its
 * receiver. */
void lx_transfer_push(int to, int channel, uint32_t serial, const void *buf, size_t n);
void lx_transfer_pull(int channel, void *buf);
/* True when the last piece was moved. */
bool lx_transfer_finished(struct lx_channel *ch);

/* Bounce buffer of a channel of cluster `to`. lx_transfer_fill copies what fits from buf, of n
 * bytes in all; lx_transfer_drain copies out what is there. Both return true when something
 * moved. */
bool lx_transfer_fill(int to, int channel, const void *buf, size_t n);
bool lx_transfer_drain(int channel, void *buf);

#endif
