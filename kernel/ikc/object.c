/* SPDX-License-Identifier: MIT */
/* Virtual objects: their ids, the life of an operation, and the calls that wait for it. */
#include "ikc/internal.h"

#include <limits.h>

#include <base/assert.h>
#include <base/error.h>
#include <hal/clock.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <kernel/ikc.h>
#include <kernel/task.h>

static const char *const facility_name[] = {"mailbox", "portal", "sync"};

void kern_object_init(struct kern_ikc *k, struct kern_object *o, int facility, int role, int index)
{
    kern_wait_init(&o->wait, &k->done, facility_name[facility]);
    o->wait.describe = kern_ikc_describe;
    o->facility = (uint8_t)facility;
    o->role = (uint8_t)role;
    o->index = (uint16_t)index;
}

int kern_object_open(struct kern_ikc *k, struct kern_object *o)
{
    if (o->facility != K_SYNC && o->index >= k->box[o->facility].reach)
        k->box[o->facility].reach = o->index + 1u;
    b_assert(!o->used);
    hal_lock(&k->done);
    o->used = true;
    o->state = OP_IDLE;
    o->bell = NULL;
    o->task = NULL;
    o->volume = o->latency = o->count = 0;
    int id = kern_object_id(o);
    hal_unlock(&k->done);
    return id;
}

void kern_object_close(struct kern_ikc *k, struct kern_object *o)
{
    b_assert(o->used);
    hal_lock(&k->done);
    o->used = false;
    o->generation++;
    o->state = OP_IDLE;
    o->bell = NULL;
    o->task = NULL;
    kern_flow_leave(k, o);
    kern_wake(&o->wait, INT_MAX);
    hal_unlock(&k->done);
}

static struct kern_object *object_at(struct kern_ikc *k, long facility, int role, uint32_t index)
{
    bool in = role == KERN_IN;
    switch (facility) {
    case K_MAILBOX:
        return index >= k->box[K_MAILBOX].ports ? NULL
               : in                             ? &k->mail_in[index].o
                                                : &k->mail_out[index].o;
    case K_PORTAL:
        return index >= k->box[K_PORTAL].ports ? NULL
               : in                            ? &k->portal_in[index].o
                                               : &k->portal_out[index].o;
    case K_SYNC:
        return index >= k->machine->syncs ? NULL
               : in                       ? &k->sync_in[index].o
                                          : &k->sync_out[index].o;
    default:
        return NULL;
    }
}

struct kern_object *kern_object_find(struct kern_ikc *k, long facility, long id)
{
    if (id < 0 || id > INT_MAX)
        return NULL;
    uint32_t index = (uint32_t)id & ((1u << OBJECT_INDEX_BITS) - 1);
    struct kern_object *o = object_at(k, facility, (int)(id >> OBJECT_INDEX_BITS & 1), index);
    return o && o->used && kern_object_id(o) == id ? o : NULL;
}

int kern_object_choose(struct kern_ikc *k, int facility, int role, long index, uint32_t count)
{
    if (index != K_ANY) {
        if (index < 0 || index >= (long)count)
            return -B_EINVAL;
        return object_at(k, facility, role, (uint32_t)index)->used ? -B_EBUSY : (int)index;
    }
    for (uint32_t i = 0; i < count; i++)
        if (!object_at(k, facility, role, i)->used)
            return (int)i;
    return -B_ENOMEM;
}

int kern_address_check(const struct kern_ikc *k, long node, long port, uint32_t ports)
{
    if (node != K_ANY && (node < 0 || node >= k->clusters))
        return -B_EHOSTUNREACH;
    return port != K_ANY && (port < 0 || port >= (long)ports) ? -B_EINVAL : 0;
}

/* Operations ----------------------------------------------------------------------------------- */

/* A caller on the master core is a task already, and does the begin of its operation itself. */
static bool by_flow(const struct kern_ikc *k, const struct kern_core *core)
{
    return k->flows > 0 && !(core->cluster->asymmetric && core->id == 0);
}

struct kern_flow *kern_op_enter(struct kern_ikc *k, int facility, int role, long id,
                                struct kern_object **o)
{
    struct kern_flow *f = NULL;
    if (by_flow(k, kern_core())) {
        hal_lock(&k->done);
        f = kern_flow_take(k);
        if (!f)
            hal_unlock(&k->done);
    }
    if (!f) {
        hal_lock(&k->lock);
        hal_lock(&k->done);
    }
    struct kern_object *found = kern_object_find(k, facility, id);
    *o = found && found->role == role ? found : NULL;
    return f;
}

long kern_op_claim(struct kern_object *o)
{
    if (o->state != OP_IDLE)
        return -B_EBUSY;
    o->state = OP_PENDING;
    o->began = hal_clock_cycles();
    return 0;
}

long kern_op_leave(struct kern_ikc *k, struct kern_flow *f, struct kern_object *o, long r)
{
    if (!f) {
        hal_unlock(&k->done);
        if (r == 0)
            kern_op_start(k, o);
        hal_unlock(&k->lock);
        return r;
    }
    if (r == 0)
        kern_flow_start(k, f, o);
    else
        kern_flow_give(k, f);
    hal_unlock(&k->done);
    if (r == 0 && kern_core()->serves)
        kern_task_poll(kern_core()); /* where the flow runs here it need not wait for its turn */
    return r;
}

void kern_op_start(struct kern_ikc *k, struct kern_object *o)
{
    static void (*const start[2][2])(struct kern_ikc * k, struct kern_object * o) = {
        [K_MAILBOX] = {kern_mail_start_read, kern_mail_start_write},
        [K_PORTAL] = {kern_portal_start_read, kern_portal_start_write},
    };
    start[o->facility][o->role](k, o);
}

/* With `done` held: tells whoever asked to be told (k_ikc_attach). */
static void announce(struct kern_object *o)
{
    if (o->bell)
        kern_bell_ring(o->bell, K_BELL_KERNEL);
    if (o->task)
        kern_task_signal(o->task);
}

void kern_op_finish(struct kern_ikc *k, struct kern_object *o, int64_t result, int64_t bytes)
{
    b_assert(o->state == OP_PENDING || o->state == OP_COPY);
    kern_flow_leave(k, o);
    o->state = OP_DONE;
    if (bytes >= 0) {
        uint64_t latency = hal_clock_cycles() - o->began;
        uint64_t *stat = k->stat[o->facility];
        o->volume += (uint64_t)bytes;
        o->latency += latency;
        o->count++;
        stat[K_STAT_VOLUME] += (uint64_t)bytes;
        stat[K_STAT_LATENCY] += latency;
        stat[o->role == KERN_IN ? K_STAT_READS : K_STAT_WRITES]++;
    }
    o->result = result;
    kern_wake(&o->wait, INT_MAX);
    announce(o);
}

void kern_op_end(struct kern_ikc *k, struct kern_object *o, int64_t result, int64_t bytes)
{
    hal_lock(&k->done);
    struct kern_flow *f = kern_flow_of(k, o);
    /* A task that completes it, or that is told of it, needs no other one in between. */
    if (!f || o->task || kern_task_current()) {
        kern_op_finish(k, o, result, bytes);
    } else {
        f->result = result;
        f->bytes = bytes;
        kern_flow_release(k, f, FLOW_END);
    }
    hal_unlock(&k->done);
}

void kern_op_count(struct kern_ikc *k, struct kern_object *o, uint64_t bytes)
{
    uint64_t *stat = k->stat[o->facility];
    hal_lock(&k->done);
    o->volume += bytes;
    o->count++;
    stat[K_STAT_VOLUME] += bytes;
    stat[o->role == KERN_IN ? K_STAT_READS : K_STAT_WRITES]++;
    hal_unlock(&k->done);
}

void kern_op_announce(struct kern_ikc *k, struct kern_object *o)
{
    hal_lock(&k->done);
    announce(o);
    hal_unlock(&k->done);
}

void kern_op_drop(struct kern_ikc *k, struct kern_object *o)
{
    hal_lock(&k->done);
    o->state = OP_IDLE;
    kern_flow_leave(k, o);
    kern_wake(&o->wait, INT_MAX);
    hal_unlock(&k->done);
}

enum kern_op_state kern_op_state(struct kern_ikc *k, struct kern_object *o)
{
    hal_lock(&k->done);
    enum kern_op_state s = o->state;
    hal_unlock(&k->done);
    return s;
}

void kern_op_offer(struct kern_ikc *k, struct kern_object *o, struct kern_object *other)
{
    struct kern_object *pair[] = {o, other};
    int n = other ? 2 : 1;
    hal_lock(&k->done);
    for (int i = 0; i < n; i++) {
        b_assert(pair[i]->state == OP_PENDING);
        pair[i]->state = OP_COPY;
    }
    bool copies = kern_flow_copies(k, o, other);
    for (int i = 0; i < n && !copies; i++) {
        kern_wake(&pair[i]->wait, INT_MAX);
        announce(pair[i]);
    }
    hal_unlock(&k->done);
}

/* Waiting -------------------------------------------------------------------------------------- */

/* With `done` held: 1 complete, 0 pending, or an error. */
static long ready(struct kern_ikc *k, struct kern_object *o)
{
    if (o->facility == K_SYNC)
        return kern_sync_result(k, o, false) != -B_EAGAIN;
    return o->state == OP_IDLE ? -B_EINVAL : o->state == OP_DONE;
}

/* From now on an input object reads from that address only. */
static long set_remote(struct kern_ikc *k, struct kern_object *o, long node, long port,
                       struct kern_address *filter)
{
    long r = kern_address_check(k, node, port, k->box[o->facility].ports);
    if (r == 0 && kern_op_state(k, o) != OP_IDLE)
        r = -B_EBUSY;
    if (r == 0)
        *filter = (struct kern_address){(int16_t)node, (int16_t)port};
    return r;
}

long kern_object_control(int facility, long id, long what, long a, long b,
                         struct kern_address *(*filter_of)(struct kern_object *o))
{
    struct kern_ikc *k = kern_cluster()->ikc;
    if (what == K_CONTROL_STAT)
        return kern_stat_read(k, facility, id, a, (uint64_t *)b);
    hal_lock(&k->lock);
    struct kern_object *o = kern_object_find(k, facility, id);
    long r = -B_EINVAL;
    if (!o || (what == K_CONTROL_SET_REMOTE && o->role != KERN_IN))
        r = -B_EBADF;
    else if (what == K_CONTROL_PORT)
        r = (long)o->index;
    else if (what == K_CONTROL_SET_REMOTE)
        r = set_remote(k, o, a, b, filter_of(o));
    hal_unlock(&k->lock);
    return r;
}

static long take(struct kern_ikc *k, struct kern_object *o)
{
    if (o->facility == K_SYNC)
        return kern_sync_result(k, o, true);
    b_assert(o->state == OP_DONE);
    o->state = OP_IDLE;
    return (long)o->result;
}

long kern_sys_ikc_test(long facility, long id, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct cluster *c = kern_cluster();
    struct kern_ikc *k = c->ikc;
    hal_lock(&k->done);
    struct kern_object *o = kern_object_find(k, facility, id);
    long r = o ? ready(k, o) : -B_EBADF;
    bool copy = r == 0 && o->state == OP_COPY;
    hal_unlock(&k->done);
    if (r != 0)
        return r;
    if (copy) {
        kern_portal_copy(k, o, SIZE_MAX);
    } else if (kern_core()->serves) {
        kern_ikc_poll();
        if (k->flows > 0)
            kern_task_poll(kern_core());
    }
    hal_lock(&k->done);
    o = kern_object_find(k, facility, id);
    r = o ? ready(k, o) : -B_EBADF;
    hal_unlock(&k->done);
    return r;
}

/* With `done` held: waits once; what the caller knew of the object may have changed after it. */
static int wait_once(struct kern_object *o, uint64_t timeout, uint64_t began)
{
    if (timeout == K_FOREVER)
        return kern_wait_on(&o->wait, K_FOREVER);
    uint64_t passed = hal_clock_cycles() - began;
    return kern_wait_on(&o->wait, timeout > passed ? timeout - passed : 0);
}

static bool is_late(uint64_t timeout, uint64_t began)
{
    return timeout != K_FOREVER && hal_clock_cycles() - began >= timeout;
}

static long await(struct kern_ikc *k, long facility, long id, uint64_t timeout)
{
    uint64_t began = timeout == K_FOREVER ? 0 : hal_clock_cycles();
    bool waited = false;
    for (;;) {
        hal_lock(&k->done);
        struct kern_object *o = kern_object_find(k, facility, id);
        long r = o ? ready(k, o) : -B_EBADF;
        bool copies = r == 0 && o->state == OP_COPY;
        if (r < 0 && waited)
            r = -B_ECANCELED;
        else if (r == 0 && !copies && timeout != 0 && !kern_current())
            r = -B_EPERM;
        if (r != 0) {
            r = r == 1 ? take(k, o) : r;
            hal_unlock(&k->done);
            return r;
        }
        if (copies) {
            hal_unlock(&k->done);
            kern_portal_copy(k, o, SIZE_MAX);
            continue;
        }
        waited = true;
        if (!is_late(timeout, began) && !k->waiter->before(k, o, NULL)) {
            hal_unlock(&k->done);
            continue;
        }
        if (wait_once(o, timeout, began) < 0)
            return -B_ETIMEDOUT;
    }
}

long kern_sys_ikc_wait(long facility, long id, long low, long high, long a4)
{
    (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    long r = await(k, facility, id, k_wide(low, high));
    hal_lock(&k->done);
    k->waiter->after(k);
    hal_unlock(&k->done);
    return r;
}

/* -B_EBUSY also if its flow is about to end it. Both are looked at in one go: it may end at any
 * time, on another core. After that it does not: nobody begins to end it without the caller's
 * lock. */
static long cancellable(struct kern_ikc *k, const struct kern_object *o)
{
    hal_lock(&k->done);
    const struct kern_flow *f = kern_flow_of(k, o);
    bool over = o->state == OP_DONE || (f && f->phase == FLOW_END);
    long r = o->state == OP_IDLE ? -B_EINVAL : over ? -B_EBUSY : 0;
    hal_unlock(&k->done);
    return r;
}

long kern_sys_ikc_cancel(long facility, long id, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = kern_object_find(k, facility, id);
    long r = o ? cancellable(k, o) : -B_EBADF;
    if (r == 0)
        r = facility == K_MAILBOX ? kern_mail_cancel(k, o) : kern_portal_cancel(k, o);
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_ikc_attach(long facility, long id, long bell, long task, long a4)
{
    (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    long error = facility == K_SYNC ? -B_EINVAL : kern_bell_check((struct k_bell *)bell);
    if (error != 0)
        return error;
    hal_lock(&k->done);
    struct kern_object *o = kern_object_find(k, facility, id);
    if (o) {
        o->bell = (struct k_bell *)bell;
        o->task = (struct k_task *)task;
        if (o->state == OP_DONE || o->state == OP_COPY)
            announce(o);
    }
    hal_unlock(&k->done);
    return o ? 0 : -B_EBADF;
}
