/* SPDX-License-Identifier: MIT */
/* Intrusive lists: the links live in the listed objects, so nothing is allocated. No locks;
 * nothing here waits; all calls take constant time unless they say otherwise.
 *
 * struct b_list: doubly linked, removal from the middle. struct b_queue: singly linked, first in
 * first out, half the memory; all bytes zero is an empty queue. */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>

/* The object of type `type` whose member `member` is at `link`. */
#define b_container(link, type, member) ((type *)((char *)(link)-offsetof(type, member)))

struct b_link {
    struct b_link *next, *prev;
};

/* A circle through `head`; an empty list is a head that points at itself. Must not be moved. */
struct b_list {
    struct b_link head;
};

static inline void b_list_init(struct b_list *l)
{
    l->head.next = l->head.prev = &l->head;
}

static inline bool b_list_empty(const struct b_list *l)
{
    return l->head.next == &l->head;
}

/* The first element; NULL: there is none. */
static inline struct b_link *b_list_first(const struct b_list *l)
{
    return b_list_empty(l) ? NULL : l->head.next;
}

/* `link` must be in no list; it comes to stand before `place`, which is in one. */
static inline void b_link_insert(struct b_link *link, struct b_link *place)
{
    link->next = place;
    link->prev = place->prev;
    place->prev->next = link;
    place->prev = link;
}

static inline void b_list_append(struct b_list *l, struct b_link *link)
{
    b_link_insert(link, &l->head);
}

/* Takes `link` out of its list and leaves it linked to itself, so a second removal does nothing. */
static inline void b_link_remove(struct b_link *link)
{
    link->prev->next = link->next;
    link->next->prev = link->prev;
    link->next = link->prev = link;
}

/* Removes and returns the first element, NULL if there is none. */
static inline struct b_link *b_list_pop(struct b_list *l)
{
    struct b_link *first = b_list_first(l);
    if (first)
        b_link_remove(first);
    return first;
}

/* Walks a list; `link` may be removed (not freed with its memory reused) inside the loop. */
#define b_list_each(l, link)                                                                       \
    for (struct b_link *link = (l)->head.next, *link##_next = link->next; link != &(l)->head;      \
         link = link##_next, link##_next = link->next)

struct b_node {
    struct b_node *next;
};

struct b_queue {
    struct b_node *first, *last; /* last is meaningless while first is NULL */
};

static inline bool b_queue_empty(const struct b_queue *q)
{
    return !q->first;
}

static inline void b_queue_append(struct b_queue *q, struct b_node *node)
{
    node->next = NULL;
    if (!q->first)
        q->first = node;
    else
        q->last->next = node;
    q->last = node;
}

static inline void b_queue_prepend(struct b_queue *q, struct b_node *node)
{
    if (!q->first)
        q->last = node;
    node->next = q->first;
    q->first = node;
}

/* Removes and returns the first element, NULL if there is none. */
static inline struct b_node *b_queue_pop(struct b_queue *q)
{
    struct b_node *node = q->first;
    if (node)
        q->first = node->next;
    return node;
}

/* Moves all elements of `from` behind those of `to`. */
static inline void b_queue_splice(struct b_queue *to, struct b_queue *from)
{
    if (!from->first)
        return;
    if (!to->first)
        to->first = from->first;
    else
        to->last->next = from->first;
    to->last = from->last;
    from->first = NULL;
}

/* Removes `node` wherever it is; false if it is not in the queue. Time: its position. */
bool b_queue_remove(struct b_queue *q, struct b_node *node);

#endif
