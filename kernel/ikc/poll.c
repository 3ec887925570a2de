/* SPDX-License-Identifier: MIT */
/* The state of inter-kernel communication at boot, and its one engine. */
#include "ikc/internal.h"

#include <hal/power.h>
#include <kernel/cluster.h>
#include <kernel/ikc.h>
#include <kernel/mem.h>

static bool (*const stage[])(struct kern_ikc *k) = {kern_link_verdicts,  kern_link_messages,
                                                    kern_portal_grants,  kern_portal_send,
                                                    kern_portal_receive, kern_sync_poll};
enum { STAGES = sizeof stage / sizeof stage[0] };

/* Grants for named readers use at most half of the channels of a cluster. */
static uint32_t named_channels(const struct hal_machine *m)
{
    return m->portal_channels > 1 ? m->portal_channels / 2 : 1;
}

static void stores(struct kern_arena *a, struct kern_box *b, uint32_t remote, uint32_t local,
                   uint32_t ports, size_t data)
{
    const uint32_t buffers[SHARES] = {[SHARE_REMOTE] = remote, [SHARE_LOCAL] = local};
    for (int i = 0; i < SHARES; i++) {
        void *memory = kern_arena_take(a, kern_store_bytes(buffers[i], ports, data));
        if (memory)
            kern_store_init(&b->store[i], memory, buffers[i], ports, data);
    }
}

static void mailboxes(struct kern_ikc *k)
{
    for (uint32_t i = 0; i < k->machine->mailbox_ports; i++) {
        kern_object_init(k, &k->mail_in[i].o, K_MAILBOX, KERN_IN, (int)i);
        kern_object_init(k, &k->mail_out[i].o, K_MAILBOX, KERN_OUT, (int)i);
        kern_mail_out_init(&k->mail_out[i]);
    }
}

static void portals(struct kern_ikc *k)
{
    for (uint32_t i = 0; i < k->machine->portal_ports; i++) {
        kern_object_init(k, &k->portal_in[i].o, K_PORTAL, KERN_IN, (int)i);
        kern_object_init(k, &k->portal_out[i].o, K_PORTAL, KERN_OUT, (int)i);
        kern_portal_out_init(&k->portal_out[i]);
    }
}

struct kern_ikc *kern_ikc_build(struct kern_arena *a, const struct hal_machine *m, int cluster)
{
    struct kern_ikc plan = {.machine = m, .self = cluster, .clusters = hal_machine_clusters(m)};
    plan.words = B_BITMAP_WORDS((uint32_t)plan.clusters);
    plan.turn = STAGES - 1; /* the first one first */
    plan.carrier = kern_carrier(m);
    plan.waiter = kern_waiter(m);
    plan.channels = m->portal_channels;
    plan.named_channels = named_channels(m);
    size_t n = (size_t)plan.clusters;
    struct kern_ikc *k = kern_arena_take(a, sizeof *k);
    plan.dest = kern_arena_take(a, n * sizeof *k->dest);
    plan.dead = kern_arena_take(a, plan.words * sizeof *k->dead);
    plan.mail_in = kern_arena_take(a, m->mailbox_ports * sizeof *k->mail_in);
    plan.mail_out = kern_arena_take(a, m->mailbox_ports * sizeof *k->mail_out);
    plan.portal_in = kern_arena_take(a, m->portal_ports * sizeof *k->portal_in);
    plan.portal_out = kern_arena_take(a, m->portal_ports * sizeof *k->portal_out);
    plan.channel = kern_arena_take(a, m->portal_channels * sizeof *k->channel);
    plan.held = kern_arena_take(a, n * plan.named_channels * sizeof *k->held);
    void *mail_box = kern_arena_take(a, kern_box_bytes(&plan, m->mailbox_ports));
    void *portal_box = kern_arena_take(a, kern_box_bytes(&plan, m->portal_ports));
    void *carried = kern_arena_take(a, plan.carrier->bytes(m));
    void *reserved = kern_arena_take(a, plan.waiter->bytes(m));
    void *flows = kern_arena_take(a, kern_flow_bytes(m));
    void *syncs = kern_arena_take(a, kern_sync_bytes(m, plan.words, plan.clusters));
    void *users = kern_arena_take(a, kern_users_bytes(m));
    stores(a, &plan.box[K_MAILBOX], m->mail_buffers, m->mail_buffers_local, m->mailbox_ports,
           HAL_MAIL_DATA);
    stores(a, &plan.box[K_PORTAL], 2 * m->portal_ports, 2 * m->portal_ports, m->portal_ports, 0);
    if (!k || !syncs || a->used > a->size)
        return NULL;
    *k = plan;
    hal_lock_init(&k->lock, "inter-kernel communication");
    hal_lock_init(&k->done, "completions");
    kern_box_init(k, &k->box[K_MAILBOX], K_MAILBOX, m->mailbox_ports, mail_box);
    kern_box_init(k, &k->box[K_PORTAL], K_PORTAL, m->portal_ports, portal_box);
    kern_sync_init(k, syncs);
    kern_carrier_init(k, carried);
    kern_waiter_init(k, reserved);
    kern_flow_init(k, flows);
    kern_users_init(k, users);
    for (int i = 0; i < k->clusters; i++)
        kern_control_init(&k->dest[i].control);
    mailboxes(k);
    portals(k);
    return k;
}

/* Takes whatever the network has; true if that was anything. Where operations are flows, their
 * tasks have their turn after each thing taken: whoever is told goes on while the core takes the
 * next one. So that none is left out, the stages take turns in being first. */
static bool progress(struct kern_ikc *k)
{
    bool any = false;
    for (uint32_t i = 0; i < STAGES && !(any && k->flows > 0); i++) {
        k->turn = (k->turn + 1) % STAGES;
        any |= stage[k->turn](k);
    }
    return any;
}

/* The first other cluster from `from` on that has ended and is not buried; -1: none. */
static int next_ended(const struct kern_ikc *k, int from)
{
    for (int word = from / 64; word < (int)k->words; word++) {
        uint64_t ended = hal_power_ended_set(word) & ~k->dead[word];
        ended &= word == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
        ended &= word == k->self / 64 ? ~(UINT64_C(1) << k->self % 64) : UINT64_MAX;
        if (ended != 0)
            return word * 64 + __builtin_ctzll(ended);
    }
    return -1;
}

/* Everything that the dead had sent has arrived before their end is seen: what still waits for them
 * once that is handled waits in vain. More of them may die meanwhile, so the network is asked after
 * each end was seen. False: there was none. The own cluster may be among those that have ended: its
 * core notices when it goes to sleep. */
static bool bury(struct kern_ikc *k)
{
    bool any = false;
    for (int node = next_ended(k, 0); node >= 0; node = next_ended(k, node + 1)) {
        if (progress(k))
            return true; /* once more, later: k->ended still tells */
        any = true;
        k->dead[node / 64] |= UINT64_C(1) << (node % 64);
        k->ended++;
        for (int f = K_MAILBOX; f <= K_PORTAL; f++)
            kern_port_bury(k, &k->box[f], node);
        kern_link_bury(k, node);
        kern_mail_bury(k, node);
        kern_portal_bury_reads(k, node);
        kern_portal_bury_writes(k, node);
        kern_sync_bury(k, node);
    }
    return any;
}

bool kern_ikc_poll(void)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    bool ended = hal_power_ended_count() != k->ended;
    bool any = progress(k);
    any = any || (ended && bury(k));
    any |= kern_board_poll(k);
    if (!any)
        hal_mailbox_settle();
    hal_unlock(&k->lock);
    return any;
}

void kern_ikc_settle(void)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    hal_mailbox_settle();
    hal_unlock(&k->lock);
}
