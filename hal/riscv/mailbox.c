/* SPDX-License-Identifier: MIT */
/* Mailbox: for each pair of clusters a few slots, and counters of what was sent, released and
 * answered, each of which one side writes. A verdict costs no more now than later, so none is
 * late. */
#include "riscv.h"

#include <base/error.h>
#include <base/mem.h>
#include <hal/mailbox.h>

static int peek_next, verdict_next; /* round-robin; under the caller's lock */

static uint32_t slots(void)
{
    return hal_machine()->mail_slots;
}

static int clusters(void)
{
    return hal_machine_clusters(hal_machine());
}

static struct rv_pair *pair(int from, int to)
{
    return &rv_noc()->pair[from][to];
}

int hal_mailbox_send(int to, const struct hal_mail *m, size_t used)
{
    if (to < 0 || to >= clusters())
        return -B_EHOSTUNREACH;
    if (used > HAL_MAIL_DATA)
        return -B_EINVAL;
    struct rv_pair *p = pair(rv_cluster, to);
    uint32_t n = atomic_load(&p->sent);
    if (n - atomic_load(&p->taken) == slots())
        return -B_EAGAIN;
    memcpy(&p->mail[n % slots()], m, HAL_MAIL_HEADER + used);
    atomic_store(&p->sent, n + 1);
    rv_raise_noc(to);
    return 0;
}

static bool answered(int to)
{
    struct rv_pair *p = pair(rv_cluster, to);
    return atomic_load(&p->taken) != atomic_load(&p->released);
}

int hal_mailbox_verdict(int to)
{
    if (!answered(to))
        return -B_EAGAIN;
    struct rv_pair *p = pair(rv_cluster, to);
    uint32_t n = atomic_load(&p->taken);
    int verdict = p->verdict[n % slots()];
    atomic_store(&p->taken, n + 1);
    verdict_next = to + 1;
    return verdict;
}

int hal_mailbox_verdict_any(void)
{
    for (int i = 0; i < clusters(); i++) {
        int to = (verdict_next + i) % clusters();
        if (answered(to))
            return to;
    }
    return -B_EAGAIN;
}

const struct hal_mail *hal_mailbox_peek(int *from)
{
    for (int i = 0; i < clusters(); i++) {
        int sender = (peek_next + i) % clusters();
        struct rv_pair *p = pair(sender, rv_cluster);
        uint32_t n = atomic_load(&p->released);
        if (n != atomic_load(&p->sent)) {
            *from = sender;
            peek_next = sender + 1; /* who holds a message back holds up its sender only */
            return &p->mail[n % slots()];
        }
    }
    return NULL;
}

int hal_mailbox_release(int from, int verdict)
{
    struct rv_pair *p = pair(from, rv_cluster);
    uint32_t n = atomic_load(&p->released);
    if (n == atomic_load(&p->sent) || verdict < 0 || verdict > 255)
        return -B_EINVAL;
    p->verdict[n % slots()] = (uint8_t)verdict;
    atomic_store(&p->released, n + 1);
    rv_raise_noc(from);
    return 0;
}

int hal_mailbox_release_late(int from, int verdict)
{
    return hal_mailbox_release(from, verdict);
}

void hal_mailbox_settle(void)
{
}
