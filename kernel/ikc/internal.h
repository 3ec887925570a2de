/* SPDX-License-Identifier: MIT */
/* What the parts of inter-kernel communication call in each other. Unless stated otherwise with
 * kern_ikc.lock held; nothing here waits. */
#ifndef IKC_INTERNAL_H
#define IKC_INTERNAL_H

#include "ikc/carrier.h"
#include "ikc/waiter.h"
#include "ikc/state.h"
#include "ikc/wire.h"

/* object.c: ids, and the life of operations ---------------------------------------------------- */

enum { OBJECT_INDEX_BITS = 11, OBJECT_GENERATION_SHIFT = OBJECT_INDEX_BITS + 1 };

static inline int kern_object_id(const struct kern_object *o)
{
    uint32_t generation = o->generation & (INT32_MAX >> OBJECT_GENERATION_SHIFT);
    return (int)(generation << OBJECT_GENERATION_SHIFT | (uint32_t)o->role << OBJECT_INDEX_BITS |
                 o->index);
}

void kern_object_init(struct kern_ikc *k, struct kern_object *o, int facility, int role, int index);

/* Takes a free object for use; returns its id. */
int kern_object_open(struct kern_ikc *k, struct kern_object *o);
/* Ends it: stale from now on; threads that still wait for it return -B_ECANCELED. */
void kern_object_close(struct kern_ikc *k, struct kern_object *o);
/* The object of an id, NULL if there is none; both numbers are the program's. With `lock` or `done`
 * held. */
struct kern_object *kern_object_find(struct kern_ikc *k, long facility, long id);

/* The control calls of mailboxes and portals; filter_of: from whom an input object reads. */
long kern_object_control(int facility, long id, long what, long a, long b,
                         struct kern_address *(*filter_of)(struct kern_object *o));

/* An operation begins between enter and leave, without `lock`; nothing of the object can change
 * there. enter: *o is the object of an id in its role, NULL if there is none. claim: it has an
 * operation from now on, whose fields the caller then fills in; -B_EBUSY: one is pending. leave: if
 * r is 0, starts the operation or hands it to its flow. Returns r. */
struct kern_flow *kern_op_enter(struct kern_ikc *k, int facility, int role, long id,
                                struct kern_object **o);
long kern_op_claim(struct kern_object *o);
long kern_op_leave(struct kern_ikc *k, struct kern_flow *f, struct kern_object *o, long r);
/* What starts a claimed operation. */
void kern_op_start(struct kern_ikc *k, struct kern_object *o);
/* Completes it; bytes < 0: nothing was moved. Wakes and rings; by its flow if it has one. */
void kern_op_end(struct kern_ikc *k, struct kern_object *o, int64_t result, int64_t bytes);
/* Counts a transfer that was no operation: nobody waited for it. */
void kern_op_count(struct kern_ikc *k, struct kern_object *o, uint64_t bytes);
/* Tells whoever asked to be told of completions. */
void kern_op_announce(struct kern_ikc *k, struct kern_object *o);
/* The same at once; with `done` held. */
void kern_op_finish(struct kern_ikc *k, struct kern_object *o, int64_t result, int64_t bytes);
/* It never happened. */
void kern_op_drop(struct kern_ikc *k, struct kern_object *o);
/* The state; may change at once from COPY to PENDING, and from DONE to IDLE, by another core. */
enum kern_op_state kern_op_state(struct kern_ikc *k, struct kern_object *o);
/* Marks a read and a write as ones that any waiter may complete by one copy, and wakes the waiters.
 * Both at once: a waiter of the first may take the pair before the second would be marked, and then
 * another one would copy, and end both operations, again. `other` NULL: one operation alone. */
void kern_op_offer(struct kern_ikc *k, struct kern_object *o, struct kern_object *other);

/* flow.c: operations by tasks ------------------------------------------------------------------ */

size_t kern_flow_bytes(const struct hal_machine *m);
void kern_flow_init(struct kern_ikc *k, void *memory);
/* All with `done` held. take: a free one, NULL: none, or the baseline variant. give: it was not
 * used. start: the claimed operation of o is its. of: that of o, NULL: none. */
struct kern_flow *kern_flow_take(struct kern_ikc *k);
void kern_flow_give(struct kern_ikc *k, struct kern_flow *f);
void kern_flow_start(struct kern_ikc *k, struct kern_flow *f, struct kern_object *o);
struct kern_flow *kern_flow_of(const struct kern_ikc *k, const struct kern_object *o);
/* Has the tasks of the flow of o do what `phase` says. */
void kern_flow_release(struct kern_ikc *k, struct kern_flow *f, enum kern_phase phase);
/* The operation of o is over, or never was: its flow, if it has one, is another's from now on. */
void kern_flow_leave(struct kern_ikc *k, struct kern_object *o);
/* What no thread waits for is copied by the flow of o (`other` may be NULL); true: it is. */
bool kern_flow_copies(struct kern_ikc *k, struct kern_object *o, struct kern_object *other);

/* Counters of a facility. */
void kern_stat_add(struct kern_ikc *k, int facility, enum k_stat what, uint64_t add);
long kern_stat_read(struct kern_ikc *k, int facility, long id, long what, uint64_t *value);

/* Free index in a table of objects of `count`, or the one asked for: -B_EBUSY, -B_ENOMEM,
 * -B_EINVAL. */
int kern_object_choose(struct kern_ikc *k, int facility, int role, long index, uint32_t count);

static inline bool kern_wants(struct kern_address want, int node, int port)
{
    return (want.node < 0 || want.node == node) && (want.port < 0 || want.port == port);
}

/* 0, or -B_EHOSTUNREACH / -B_EINVAL: not a cluster (K_ANY allowed) / not a port. */
int kern_address_check(const struct kern_ikc *k, long node, long port, uint32_t ports);

static inline bool kern_dead(const struct kern_ikc *k, int node)
{
    return (k->dead[node / 64] >> (node % 64) & 1) != 0;
}

/* link.c: messages to other kernels and to this one -------------------------------------------- */

/* Sends an item in its turn. It must be idle; its verdict comes by its class. */
void kern_link_post(struct kern_ikc *k, struct kern_item *i, int to);
/* Takes back an item that is not flying; true: nothing of it is or will be on its way. */
bool kern_link_recall(struct kern_ikc *k, struct kern_item *i);
/* Sends what waits for cluster `to` and has room. */
void kern_link_pump(struct kern_ikc *k, int to);
/* A READY of cluster `from` for its port `port`; returns the verdict. */
int kern_link_ready(struct kern_ikc *k, int from, const struct wire_header *h);
/* Takes the verdicts that arrived; true if there were any. */
bool kern_link_verdicts(struct kern_ikc *k);
/* Cluster `node` ended (the same in all functions called _bury): its items get -B_EIO. */
void kern_link_bury(struct kern_ikc *k, int node);
/* Takes the messages that arrived, a bounded number; true if there were any. */
bool kern_link_messages(struct kern_ikc *k);
/* Handles the message that hal_mailbox_peek gave, and releases it. */
void kern_link_message(struct kern_ikc *k, int from, const struct hal_mail *m);
/* A streamed message was refused, or must be because one before it was: docs/ikc.md. */
void kern_link_break(struct kern_ikc *k, int from, const struct wire_header *h);
bool kern_link_broken(struct kern_ikc *k, int from, const struct wire_header *h);

/* store.c: bounded buffers --------------------------------------------------------------------- */

size_t kern_store_bytes(uint32_t buffers, uint32_t ports, size_t data);
void kern_store_init(struct kern_store *s, void *memory, uint32_t buffers, uint32_t ports,
                     size_t data);
/* Reserves a buffer for a port that uses `*used` of them; false: there is none for it now. */
bool kern_store_take(struct kern_store *s, uint16_t *used);
bool kern_store_can_take(const struct kern_store *s, uint16_t used);
void kern_store_give(struct kern_store *s, uint16_t *used);

/* port.c: the receiving side of ports ---------------------------------------------------------- */

void kern_control_init(struct kern_control *c);
size_t kern_box_bytes(const struct kern_ikc *k, uint32_t ports);
void kern_box_init(struct kern_ikc *k, struct kern_box *b, int facility, uint32_t ports,
                   void *memory);
/* A MESSAGE for this facility; returns the verdict. */
int kern_port_deliver(struct kern_ikc *k, struct kern_box *b, int from, const struct wire_header *h,
                      const void *data);
/* Offers buffers to writers that were refused: when one comes free, and after the verdict BUSY, as
 * what was refused for the sake of those before it may find one free that no event offers. */
void kern_port_serve(struct kern_ikc *k, struct kern_box *b, int port);
/* The oldest stored letter that somebody who wants `want` would take, out of the queue; NULL none.
 * kern_port_free gives it back. */
struct kern_letter *kern_port_take(struct kern_ikc *k, struct kern_box *b, int port,
                                   struct kern_address want);
void kern_port_free(struct kern_ikc *k, struct kern_box *b, int port, struct kern_letter *l);
/* Puts a letter in front of the queue again; false: there is no buffer. */
bool kern_port_restore(struct kern_ikc *k, struct kern_box *b, int port, int from, int from_port,
                       uint16_t serial);
/* A reader of the port began to wait. */
void kern_port_reader(struct kern_ikc *k, struct kern_box *b, int port);
void kern_port_open(struct kern_ikc *k, struct kern_box *b, int port);
/* Closes the port; its letters are dropped, or, for a portal, told to their writers. Returns how
 * many there were. */
int kern_port_close(struct kern_ikc *k, struct kern_box *b, int port);
void kern_port_bury(struct kern_ikc *k, struct kern_box *b, int node);

/* mailbox.c, stream.c -------------------------------------------------------------------------- */

/* A mailbox in this role, NULL if the id is not one. */
struct kern_object *kern_mail_find(struct kern_ikc *k, long id, enum kern_role role);
/* Where a write goes: the object's own remote, or, if it has none, the one named. */
long kern_mail_resolve(const struct kern_ikc *k, struct kern_address own, long node, long port,
                       struct kern_address *to);

bool kern_mail_accept(struct kern_ikc *k, int port, const struct kern_letter *l, const void *data);
bool kern_mail_wanted(struct kern_ikc *k, int port, struct kern_address *want);
void kern_mail_start_read(struct kern_ikc *k, struct kern_object *o);
void kern_mail_start_write(struct kern_ikc *k, struct kern_object *o);
long kern_mail_cancel(struct kern_ikc *k, struct kern_object *o);
void kern_mail_bury(struct kern_ikc *k, int node);
void kern_mail_out_init(struct kern_mail_out *out);

/* Posted mails of programs in user mode. */
size_t kern_users_bytes(const struct hal_machine *m);
void kern_users_init(struct kern_ikc *k, void *memory);

/* portal_read.c -------------------------------------------------------------------------------- */

bool kern_portal_accept(struct kern_ikc *k, int port, const struct kern_letter *l,
                        const void *data);
bool kern_portal_wanted(struct kern_ikc *k, int port, struct kern_address *want);
void kern_portal_start_read(struct kern_ikc *k, struct kern_object *o);
long kern_portal_cancel_read(struct kern_ikc *k, struct kern_portal_in *in);
/* A quiet writer of this cluster waits for a reader that names it. */
void kern_portal_meet(struct kern_ikc *k, struct kern_portal_out *out);
bool kern_portal_receive(struct kern_ikc *k);
/* The read is over; the same, but with what has come it goes on with the same writer. */
void kern_portal_end_read(struct kern_ikc *k, struct kern_portal_in *in, int64_t result);
void kern_portal_resume(struct kern_ikc *k, struct kern_portal_in *in);
void kern_portal_bury_reads(struct kern_ikc *k, int node);

/* portal_write.c ------------------------------------------------------------------------------- */

void kern_portal_out_init(struct kern_portal_out *out);
void kern_portal_start_write(struct kern_ikc *k, struct kern_object *o);
long kern_portal_cancel_write(struct kern_ikc *k, struct kern_portal_out *out);
/* The port that kept an announcement of this writer is gone; returns the verdict. */
int kern_portal_gone(struct kern_ikc *k, int from, const struct wire_header *h);
bool kern_portal_grants(struct kern_ikc *k);
bool kern_portal_send(struct kern_ikc *k);
void kern_portal_bury_writes(struct kern_ikc *k, int node);
long kern_portal_cancel(struct kern_ikc *k, struct kern_object *o);

/* copy.c: portals inside a cluster; without locks ---------------------------------------------- */

/* Copies for an operation that was offered by kern_op_offer, at most `most` bytes: 0 all is
 * copied, 1 there is more, -B_EBUSY somebody else copies. */
int kern_portal_copy(struct kern_ikc *k, struct kern_object *o, size_t most);

/* sync.c --------------------------------------------------------------------------------------- */

size_t kern_sync_bytes(const struct hal_machine *m, uint32_t words, int clusters);
void kern_sync_init(struct kern_ikc *k, void *memory);
bool kern_sync_poll(struct kern_ikc *k);
void kern_sync_bury(struct kern_ikc *k, int node);
/* With `done` held: result of a wait, or -B_EAGAIN; `take` consumes it. */
long kern_sync_result(struct kern_ikc *k, struct kern_object *o, bool take);

/* board.c -------------------------------------------------------------------------------------- */

/* Rings the bells of the words that changed; true if any did. */
bool kern_board_poll(struct kern_ikc *k);

/* describe.c: for reports; takes no lock ------------------------------------------------------- */

void kern_ikc_describe(const struct kern_wait *w, char *text, size_t size);

#endif
