/* SPDX-License-Identifier: MIT */
/* To write: mail_slots slots per sender in the receiver's memory, each with a sequence number
 * that the sender writes last; the verdict goes back to a word per slot in the sender's memory. A
 * look goes on to the next sender although nothing was released: a message that waits holds up its
 * own sender only. */
#include <hal/mailbox.h>

#include <base/error.h>

#include "missing.h"

int hal_mailbox_send(int to, const struct hal_mail *m, size_t used)
{
    MISSING();
    (void)to;
    (void)m;
    (void)used;
    return -B_ENOSYS;
}

int hal_mailbox_verdict(int to)
{
    MISSING();
    (void)to;
    return -B_ENOSYS;
}

int hal_mailbox_verdict_any(void)
{
    MISSING();
    return -B_ENOSYS;
}

const struct hal_mail *hal_mailbox_peek(int *from)
{
    MISSING();
    (void)from;
    return NULL;
}

int hal_mailbox_release(int from, int verdict)
{
    MISSING();
    (void)from;
    (void)verdict;
    return -B_ENOSYS;
}

int hal_mailbox_release_late(int from, int verdict)
{
    MISSING();
    (void)from;
    (void)verdict;
    return -B_ENOSYS;
}

void hal_mailbox_settle(void)
{
}
