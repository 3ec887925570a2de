/* SPDX-License-Identifier: MIT */
/* Mailboxes: each pair of clusters has a ring of slots and five running counts,
 *     taken <= answered <= released <= arrived <= sent <= taken + mail_slots
 * a message moves from right to left. Messages travel on the data NoC, injected by the core;
 * verdicts come back as words of the control NoC. */
#include <hal/mailbox.h>

#include <stdlib.h>
#include <string.h>

#include <base/error.h>
#include <hal/work.h>

#include "noc.h"
#include "sim.h"

struct sim_mail {
    struct hal_mail mail;
    struct sim_transfer transfer;
    struct sim_pair *pair;
    bool here;
    uint8_t verdict;
};

static struct sim_mail *slot(const struct sim_pair *p, uint32_t count)
{
    return &p->mail[count % sim.machine.mail_slots];
}

/* A short message may overtake a longer one on the network; the interface keeps the order. */
static void arrived(struct sim_transfer *t)
{
    struct sim_mail *m = (struct sim_mail *)((char *)t - offsetof(struct sim_mail, transfer));
    struct sim_pair *p = m->pair;
    m->here = true;
    bool any = false;
    while (p->mail_arrived != p->mail_sent && slot(p, p->mail_arrived)->here) {
        p->mail_arrived++;
        any = true;
    }
    if (any) {
        sim_set_add(&sim.clusters[p->to].mail, p->from);
        sim_raise_noc(&sim.clusters[p->to]);
    }
}

static void answered(void *arg)
{
    struct sim_pair *p = arg;
    sim_landed(p->to);
    p->mail_answered++;
    sim_set_add(&sim.clusters[p->from].verdicts, p->to);
    sim_raise_noc(&sim.clusters[p->from]);
}

static void slots_create(struct sim_pair *p)
{
    p->mail = calloc(sim.machine.mail_slots, sizeof *p->mail);
    if (!p->mail)
        abort();
    for (uint32_t i = 0; i < sim.machine.mail_slots; i++)
        p->mail[i].pair = p;
}

int hal_mailbox_send(int to, const struct hal_mail *m, size_t used)
{
    sim_poll();
    if (to < 0 || to >= sim.cluster_count)
        return -B_EHOSTUNREACH;
    if (used > HAL_MAIL_DATA)
        return -B_EINVAL;
    if (sim.clusters[to].gone)
        return -B_EIO;
    struct sim_pair *p = sim_pair(sim.core->cluster, to);
    if (p->mail_sent - p->mail_taken >= sim.machine.mail_slots)
        return -B_EAGAIN;
    hal_work(sim.machine.cost.mail_send);
    if (!p->mail)
        slots_create(p);
    struct sim_mail *s = slot(p, p->mail_sent++);
    memcpy(s->mail.header, m->header, sizeof m->header);
    memcpy(s->mail.data, m->data, used);
    s->here = false;
    s->transfer = (struct sim_transfer){.route = p->route,
                                        .bytes = sizeof m->header + used,
                                        .rate = sim.machine.noc.core_bytes,
                                        .done = arrived,
                                        .from = p->from,
                                        .to = p->to,
                                        .what = "mail"};
    sim_noc_send(&s->transfer, 1);
    return 0;
}

int hal_mailbox_verdict(int to)
{
    sim_poll();
    if (to < 0 || to >= sim.cluster_count)
        return -B_EHOSTUNREACH;
    struct sim_pair *p = sim_pair(sim.core->cluster, to);
    if (p->mail_taken == p->mail_answered)
        return -B_EAGAIN;
    int verdict = slot(p, p->mail_taken++)->verdict;
    if (p->mail_taken == p->mail_answered)
        sim_set_remove(&sim_cluster()->verdicts, to);
    return verdict;
}

int hal_mailbox_verdict_any(void)
{
    sim_poll();
    int to = sim_set_next(&sim_cluster()->verdicts);
    return to < 0 ? -B_EAGAIN : to;
}

const struct hal_mail *hal_mailbox_peek(int *from)
{
    sim_poll();
    int sender = sim_set_next(&sim_cluster()->mail);
    if (sender < 0)
        return NULL;
    *from = sender;
    /* Here and not at the release: nobody can use what has not been read. */
    hal_work(sim.machine.cost.mail_recv);
    const struct sim_pair *p = sim_pair(sender, sim.core->cluster);
    return &slot(p, p->mail_released)->mail;
}

int hal_mailbox_release(int from, int verdict)
{
    if (from < 0 || from >= sim.cluster_count || verdict < 0 || verdict > UINT8_MAX)
        return -B_EINVAL;
    struct sim_pair *p = sim_pair(from, sim.core->cluster);
    if (p->mail_released == p->mail_arrived)
        return -B_EINVAL;
    slot(p, p->mail_released++)->verdict = (uint8_t)verdict;
    if (p->mail_released == p->mail_arrived)
        sim_set_remove(&sim_cluster()->mail, from);
    sim_noc_word(p->to, p->from, answered, p);
    return 0;
}

/* The network of verdicts is another one than that of messages: nothing can ride. */
int hal_mailbox_release_late(int from, int verdict)
{
    return hal_mailbox_release(from, verdict);
}

void hal_mailbox_settle(void)
{
}
