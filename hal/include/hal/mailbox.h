/* SPDX-License-Identifier: MIT */
/* Hardware mailbox: fixed-size messages between clusters, one receiver per cluster.
 *
 * A receiver has hal_machine.mail_slots slots for each sender. A message occupies a slot from
 * hal_mailbox_send until the receiver's hal_mailbox_release, which hands a small verdict back to
 * the sender; verdicts come back in the order of the messages. Messages of one sender arrive in
 * order. Nothing here blocks or switches; sim charges hal_cost.mail_send / mail_recv to the
 * caller, so other cores may run during a call. Not reentrant per cluster: callers hold their
 * own lock, and the port allows that lock to be a hal_lock. Source: souto-2018, uller-2021
 * section 4.1.1. */
#ifndef HAL_MAILBOX_H
#define HAL_MAILBOX_H

#include <stddef.h>
#include <stdint.h>

#include <base/config.h>

struct hal_mail {
    uint8_t header[HAL_MAIL_HEADER]; /* the kernel's */
    uint8_t data[HAL_MAIL_DATA];
};

/* Sends the header and the first `used` bytes of data (0 .. HAL_MAIL_DATA) to cluster `to`; the
 * message is copied before return. To itself is allowed.
 * -B_EAGAIN: no slot is free, an event comes when one is. -B_EHOSTUNREACH: no such cluster.
 * -B_EINVAL: `used` too large. */
int hal_mailbox_send(int to, const struct hal_mail *m, size_t used);

/* Takes the verdict (0 .. 255) of the oldest message to `to` that was released and not yet taken;
 * -B_EAGAIN if there is none. A slot becomes free when its verdict is taken. An event comes when a
 * verdict does. */
int hal_mailbox_verdict(int to);

/* The next cluster with a verdict waiting, searched round-robin, or -B_EAGAIN. */
int hal_mailbox_verdict_any(void);

/* The next message that arrived and was not released, round-robin over senders so that none
 * starves; *from is its sender. NULL if there is none. The pointer stays valid until released.
 * Only the header and the bytes that were sent are defined. */
const struct hal_mail *hal_mailbox_peek(int *from);

/* Frees the slot of the oldest message of `from` and answers its sender with `verdict` (0 .. 255).
 * -B_EINVAL if there is no such message or the verdict is out of range. */
int hal_mailbox_release(int from, int verdict);

/* The same for a message whose sender does not wait for the verdict, so it may travel later, where
 * that is cheaper: with the caller's next message to `from` (who then gets it by peeking that
 * message), with its next hal_mailbox_release of `from`, with hal_mailbox_settle, or once half of
 * the sender's slots are owed, whichever comes first. Verdicts come back in order as ever. */
int hal_mailbox_release_late(int from, int verdict);

/* Sends all late verdicts on their way. To be called before the cluster turns to something long:
 * before it waits, and before it ends. */
void hal_mailbox_settle(void);

#endif
