/* SPDX-License-Identifier: MIT */
/* Virtual portals: the kernel calls of sys/k_portal.h, and the copy between threads of one
 * cluster. */
#include "ikc/internal.h"

#include <base/error.h>
#include <hal/mem.h>
#include <kernel/call.h>
#include <kernel/cluster.h>
#include <sys/k_portal.h>

static struct kern_portal_in *in_of(struct kern_object *o)
{
    return b_container(o, struct kern_portal_in, o);
}

static struct kern_portal_out *out_of(struct kern_object *o)
{
    return b_container(o, struct kern_portal_out, o);
}

static struct kern_object *find(struct kern_ikc *k, long id, enum kern_role role)
{
    struct kern_object *o = kern_object_find(k, K_PORTAL, id);
    return o && o->role == role ? o : NULL;
}

static uint32_t ports(const struct kern_ikc *k)
{
    return k->box[K_PORTAL].ports;
}

/* Objects -------------------------------------------------------------------------------------- */

long kern_sys_portal_create(long port, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    long r = kern_object_choose(k, K_PORTAL, KERN_IN, port, ports(k));
    if (r >= 0) {
        int index = (int)r;
        k->portal_in[index].filter = (struct kern_address){K_ANY, K_ANY};
        r = kern_object_open(k, &k->portal_in[index].o);
        kern_stat_add(k, K_PORTAL, K_STAT_CREATES, 1);
        kern_port_open(k, &k->box[K_PORTAL], index);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_portal_unlink(long id, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = find(k, id, KERN_IN);
    long r = !o                               ? -B_EBADF
             : in_of(o)->reading == READ_IDLE ? 0
                                              : kern_portal_cancel_read(k, in_of(o));
    if (r == 0) {
        kern_object_close(k, o);
        kern_stat_add(k, K_PORTAL, K_STAT_UNLINKS, 1);
        kern_port_close(k, &k->box[K_PORTAL], o->index);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_portal_open(long node, long port, long a2, long a3, long a4)
{
    (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    long r = (node == K_ANY) != (port == K_ANY) ? -B_EINVAL
                                                : kern_address_check(k, node, port, ports(k));
    hal_lock(&k->lock);
    if (r == 0)
        r = kern_object_choose(k, K_PORTAL, KERN_OUT, K_ANY, ports(k));
    if (r >= 0) {
        struct kern_portal_out *out = &k->portal_out[r];
        out->remote = (struct kern_address){(int16_t)node, (int16_t)port};
        r = kern_object_open(k, &out->o);
        kern_stat_add(k, K_PORTAL, K_STAT_OPENS, 1);
    }
    hal_unlock(&k->lock);
    return r;
}

long kern_sys_portal_close(long id, long a1, long a2, long a3, long a4)
{
    (void)a1, (void)a2, (void)a3, (void)a4;
    struct kern_ikc *k = kern_cluster()->ikc;
    hal_lock(&k->lock);
    struct kern_object *o = find(k, id, KERN_OUT);
    long r = !o ? -B_EBADF : kern_op_state(k, o) != OP_IDLE ? -B_EBUSY : 0;
    if (r == 0) {
        kern_object_close(k, o);
        kern_stat_add(k, K_PORTAL, K_STAT_CLOSES, 1);
    }
    hal_unlock(&k->lock);
    return r;
}

/* Operations ----------------------------------------------------------------------------------- */

long kern_sys_portal_aread(long id, long from, long buf, long n, long got)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    const struct k_source *named = (const struct k_source *)from;
    struct kern_object *o;
    struct kern_flow *f = kern_op_enter(k, K_PORTAL, KERN_IN, id, &o);
    long r = !o ? -B_EBADF : n < 0 || (n > 0 && buf == 0) ? -B_EINVAL : 0;
    if (r == 0 && named)
        r = kern_address_check(k, named->node, named->port, ports(k));
    if (r == 0 && (r = kern_op_claim(o)) == 0) {
        struct kern_portal_in *in = in_of(o);
        in->asked =
            named ? (struct kern_address){(int16_t)named->node, (int16_t)named->port} : in->filter;
        in->buf = (void *)buf;
        in->n = (size_t)n;
        in->got = (struct k_source *)got;
    }
    return kern_op_leave(k, f, o, r);
}

/* Where a write goes: the object's own remote, or, if it has none, the one named. */
static long resolve(const struct kern_ikc *k, struct kern_address own, const struct k_source *to,
                    struct kern_address *result)
{
    if ((own.node < 0) != (to != NULL))
        return -B_EINVAL;
    *result = own;
    if (!to)
        return 0;
    if (to->node == K_ANY || to->port == K_ANY)
        return -B_EINVAL;
    *result = (struct kern_address){(int16_t)to->node, (int16_t)to->port};
    return kern_address_check(k, to->node, to->port, ports(k));
}

long kern_sys_portal_awrite(long id, long to, long buf, long n, long flags)
{
    struct kern_ikc *k = kern_cluster()->ikc;
    struct kern_address where = {K_ANY, K_ANY};
    struct kern_object *o;
    struct kern_flow *f = kern_op_enter(k, K_PORTAL, KERN_OUT, id, &o);
    long r = -B_EBADF;
    if (o) {
        bool bad = n < 0 || (n > 0 && buf == 0) || (flags & ~K_PORTAL_FLAGS) != 0;
        r = bad ? -B_EINVAL : resolve(k, out_of(o)->remote, (const struct k_source *)to, &where);
    }
    if (r == 0 && (r = kern_op_claim(o)) == 0) {
        struct kern_portal_out *out = out_of(o);
        out->to = where;
        out->buf = (const void *)buf;
        out->n = (size_t)n;
        out->flags = (uint8_t)flags;
    }
    return kern_op_leave(k, f, o, r);
}

long kern_portal_cancel(struct kern_ikc *k, struct kern_object *o)
{
    long r = o->role == KERN_IN ? kern_portal_cancel_read(k, in_of(o))
                                : kern_portal_cancel_write(k, out_of(o));
    if (r == 0)
        kern_op_drop(k, o);
    else
        k->carrier->keep(k, o);
    return r;
}

/* Ends both operations of a local transfer, whose last byte the caller has copied. */
static void copied(struct kern_ikc *k, struct kern_portal_in *in, struct kern_portal_out *out)
{
    int64_t n = (int64_t)out->n;
    hal_lock(&k->lock);
    in->reading = READ_IDLE;
    out->writing = WRITE_IDLE;
    if (in->got)
        *in->got = (struct k_source){in->from.node, in->from.port};
    hal_lock(&k->done);
    kern_op_finish(k, &in->o, n, n);
    kern_op_finish(k, &out->o, n, n);
    hal_unlock(&k->done);
    hal_unlock(&k->lock);
}

int kern_portal_copy(struct kern_ikc *k, struct kern_object *o, size_t most)
{
    hal_lock(&k->done);
    if (o->state != OP_COPY) {
        hal_unlock(&k->done);
        return -B_EBUSY;
    }
    int made = k->carrier->copy(k, o);
    if (made != -B_EINVAL)
        return made;
    struct kern_portal_in *in = o->role == KERN_IN ? in_of(o) : &k->portal_in[out_of(o)->to.port];
    struct kern_portal_out *out = &k->portal_out[in->from.port];
    struct kern_flow *f = kern_flow_of(k, &in->o);
    size_t from = f ? f->copied : 0, rest = out->n - from, n = rest < most ? rest : most;
    in->o.state = out->o.state = OP_PENDING; /* nobody else copies */
    hal_unlock(&k->done);
    if (n > 0)
        k->carrier->move(k, in, (char *)in->buf + from, (const char *)out->buf + from, n);
    if (n == rest) {
        copied(k, in, out);
        return 0;
    }
    f->copied += n; /* only a flow copies less than all, and only it has the claim */
    kern_op_offer(k, &in->o, &out->o);
    return 1;
}

/* Control -------------------------------------------------------------------------------------- */

static struct kern_address *filter_of(struct kern_object *o)
{
    return &in_of(o)->filter;
}

long kern_sys_portal_control(long id, long what, long a, long b, long a4)
{
    (void)a4;
    return kern_object_control(K_PORTAL, id, what, a, b, filter_of);
}
