/* SPDX-License-Identifier: MIT */
/* One table holds all: keys under no object and their number, attributes under their object and the
 * number of their key, and for each object that has attributes, under the number 0, the head of a
 * ring of them in the order in which they were set. Functions of the program may change all of it
 * while they are called: what was known before is looked up again. */
#include <base/assert.h>

#include "core/attr.h"
#include "core/callback.h"

#define FIRST       1024 /* beyond the predefined keys */
#define LISTS_FIRST 8
#define DUP         ((uintptr_t)MPI_COMM_DUP_FN)

struct mpi_attr_entry {
    struct mpi_attr_entry *next; /* in its list */
    const void *object;
    int number;
};

/* Lives until it was freed and no attribute uses it. */
struct mpi_keyval {
    struct mpi_attr_entry entry;
    enum mpi_attr_kind kind;
    int refs;
    bool freed;
    mpi_attr_copy *copy;     /* 0: is not copied, MPI_COMM_DUP_FN: the same value */
    mpi_attr_delete *delete; /* 0: none */
    void *extra;
};

/* In a ring; of its head the oldest is the newer one, and the newest the older one. */
struct attr {
    struct mpi_attr_entry entry;
    struct mpi_keyval *key; /* NULL: a head, or the place of one who goes round */
    void *value;
    struct attr *older, *newer;
};

/* The table ----------------------------------------------------------------------------------- */

/* Neighbouring numbers of an object are in different lists. */
static struct mpi_attr_entry **list_of(const struct mpi_attrs *t, const void *object, int number)
{
    uint32_t at = (uint32_t)((uintptr_t)object >> 4) * UINT32_C(2654435769) >> 8;
    return &t->list[(at + (uint32_t)number) & (t->lists - 1)];
}

/* Where a list links to the entry, or would. */
static struct mpi_attr_entry **find(const struct mpi_attrs *t, const void *object, int number)
{
    struct mpi_attr_entry **at = list_of(t, object, number);
    while (*at && ((*at)->object != object || (*at)->number != number))
        at = &(*at)->next;
    return at;
}

static void put(const struct mpi_attrs *t, struct mpi_attr_entry *e)
{
    struct mpi_attr_entry **list = list_of(t, e->object, e->number);
    e->next = *list;
    *list = e;
}

/* Without memory for more lists those that there are get longer. */
static void grow(struct mpi_process *p, struct mpi_attrs *t)
{
    const struct mpi_attrs old = *t;
    struct mpi_attr_entry **list = mpi_alloc(p, 2 * old.lists * sizeof(struct mpi_attr_entry *));
    if (!list)
        return;
    t->list = list;
    t->lists = 2 * old.lists;
    for (uint32_t i = 0; i < old.lists; i++)
        for (struct mpi_attr_entry *e = old.list[i], *next; e; e = next) {
            next = e->next;
            put(t, e);
        }
    mpi_free(p, old.list);
}

/* An entry of so many bytes; NULL: no memory. */
static void *new (struct mpi_process *p, const void *object, int number, size_t bytes)
{
    struct mpi_attrs *t = p->attrs;
    if (t->count >= t->lists)
        grow(p, t);
    struct mpi_attr_entry *e = mpi_alloc(p, bytes);
    if (!e)
        return NULL;
    e->object = object;
    e->number = number;
    put(t, e);
    t->count++;
    return e;
}

static void drop_entry(struct mpi_process *p, struct mpi_attr_entry *e)
{
    struct mpi_attr_entry **at = find(p->attrs, e->object, e->number);
    b_assert(*at == e && p->attrs->count > 0);
    *at = e->next;
    p->attrs->count--;
    mpi_free(p, e);
}

/* Keys ---------------------------------------------------------------------------------------- */

static int copy(struct mpi_process *p, void *from, void *to);
static int delete (struct mpi_process *p, void *object);

static struct mpi_attrs *make(struct mpi_process *p)
{
    struct mpi_attrs *t = mpi_alloc(p, sizeof *t);
    struct mpi_attr_entry **list = t ? mpi_alloc(p, LISTS_FIRST * sizeof *list) : NULL;
    if (list)
        *t = (struct mpi_attrs){copy, delete, FIRST, LISTS_FIRST, 0, list};
    else
        mpi_free(p, t);
    return list ? t : NULL;
}

/* All numbers are used in turn, so that one of a freed key is an error for long. */
static int next_number(struct mpi_attrs *t)
{
    int number;
    do {
        number = t->next;
        t->next = number == INT32_MAX ? FIRST : number + 1;
    } while (*find(t, NULL, number));
    return number;
}

int mpi_keyval_new(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                   mpi_attr_copy *copy_fn, mpi_attr_delete *delete_fn, void *extra, int *number)
{
    if (!p->attrs)
        p->attrs = make(p);
    struct mpi_keyval *k = p->attrs ? new (p, NULL, next_number(p->attrs), sizeof *k) : NULL;
    if (!k)
        return mpi_error(NULL, MPI_ERR_NO_MEM, call, "no memory for a key");
    k->kind = kind;
    k->refs = 1;
    k->copy = copy_fn;
    k->delete = delete_fn;
    k->extra = extra;
    *number = k->entry.number;
    return MPI_SUCCESS;
}

static void drop(struct mpi_process *p, struct mpi_keyval *k)
{
    if (--k->refs == 0)
        drop_entry(p, &k->entry);
}

struct mpi_keyval *mpi_keyval(struct mpi_process *p, enum mpi_attr_kind kind, int number)
{
    struct mpi_keyval *k = p->attrs ? (struct mpi_keyval *)*find(p->attrs, NULL, number) : NULL;
    return k && k->kind == kind ? k : NULL;
}

int mpi_keyval_free(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, int *number)
{
    if (!number)
        return mpi_error(NULL, MPI_ERR_ARG, call, "argument keyval is a null pointer");
    struct mpi_keyval *k = mpi_keyval(p, kind, *number);
    if (!k)
        return mpi_error(NULL, MPI_ERR_KEYVAL, call, "%d is no key that can be freed", *number);
    if (!k->freed) {
        k->freed = true;
        drop(p, k);
    }
    *number = MPI_KEYVAL_INVALID;
    return MPI_SUCCESS;
}

/* Rings --------------------------------------------------------------------------------------- */

static struct attr *attr_of(const struct mpi_process *p, const void *object, int number)
{
    return (struct attr *)*find(p->attrs, object, number);
}

/* The next older one, of a head the newest; NULL: there is none. */
static struct attr *older(const struct attr *a)
{
    do
        a = a->older;
    while (!a->key && !a->entry.object);
    return a->key ? (struct attr *)a : NULL;
}

static void enter(struct attr *a, struct attr *before)
{
    a->newer = before;
    a->older = before->older;
    a->older->newer = before->older = a;
}

/* Who leaves the head alone takes it away. */
static void leave(struct mpi_process *p, const struct attr *a)
{
    struct attr *o = a->older;
    o->newer = a->newer;
    o->newer->older = o;
    if (o->older == o)
        drop_entry(p, &o->entry);
}

static struct attr *head_for(struct mpi_process *p, const void *object)
{
    struct attr *h = attr_of(p, object, 0);
    if (!h && (h = new (p, object, 0, sizeof *h)))
        h->older = h->newer = h;
    return h;
}

/* As the newest; or as the oldest. */
static int add(struct mpi_process *p, struct mpi_keyval *key, const void *object, void *value,
               bool newest)
{
    struct attr *h = head_for(p, object);
    struct attr *a = h ? new (p, object, key->entry.number, sizeof *a) : NULL;
    if (!a) {
        if (h && h->older == h)
            drop_entry(p, &h->entry);
        return MPI_ERR_NO_MEM;
    }
    a->key = key;
    a->value = value;
    enter(a, newest ? h : h->newer);
    key->refs++;
    return 0;
}

/* Attributes ---------------------------------------------------------------------------------- */

void *const *mpi_attr_find(struct mpi_process *p, const struct mpi_keyval *key, const void *object)
{
    struct attr *a = attr_of(p, object, key->entry.number);
    return a ? &a->value : NULL;
}

int mpi_attr_remove(struct mpi_process *p, const struct mpi_keyval *key, void *object)
{
    int number = key->entry.number, rc = 0;
    struct attr *a = attr_of(p, object, number);
    if (a && key->delete) {
        int was = mpi_callback_begin(p);
        rc = key->delete (object, number, a->value, key->extra);
        mpi_callback_end(p, was);
        a = attr_of(p, object, number);
    }
    if (rc || !a)
        return rc;
    struct mpi_keyval *k = a->key;
    leave(p, a);
    drop_entry(p, &a->entry);
    drop(p, k);
    return 0;
}

int mpi_attr_set(struct mpi_process *p, struct mpi_keyval *key, void *object, void *value)
{
    key->refs++; /* its last attribute may be the old one */
    int rc = mpi_attr_remove(p, key, object);
    if (!rc)
        rc = add(p, key, object, value, true);
    drop(p, key);
    return rc;
}

/* Gives the copy of one attribute to the object `to`, where it is the oldest. */
static int copy_one(struct mpi_process *p, const struct attr *a, void *from, const void *to)
{
    struct mpi_keyval *k = a->key;
    void *value = a->value;
    int flag = 1, rc = 0;
    if (!k->copy)
        return 0;
    k->refs++;
    if ((uintptr_t)k->copy != DUP) {
        int was = mpi_callback_begin(p);
        rc = k->copy(from, k->entry.number, k->extra, value, &value, &flag);
        mpi_callback_end(p, was);
    }
    if (!rc && flag)
        rc = add(p, k, to, value, false);
    drop(p, k);
    return rc;
}

static int copy(struct mpi_process *p, void *from, void *to)
{
    struct attr place = {0}, *head = attr_of(p, from, 0);
    struct attr *a = head ? older(head) : NULL;
    int rc = 0;
    while (a && !rc) {
        enter(&place, a);
        rc = copy_one(p, a, from, to);
        a = older(&place);
        leave(p, &place);
    }
    return rc;
}

int mpi_attrs_delete(struct mpi_process *p, void *object)
{
    return p->attrs ? p->attrs->delete (p, object) : MPI_SUCCESS;
}

static int delete (struct mpi_process *p, void *object)
{
    const struct attr *head, *a;
    int rc = 0;
    while (!rc && (head = attr_of(p, object, 0)) && (a = older(head)))
        rc = mpi_attr_remove(p, a->key, object);
    return rc;
}
