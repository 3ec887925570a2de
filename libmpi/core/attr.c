/* SPDX-License-Identifier: MIT */
#include "core/attr.h"
#include "core/outside.h"

#define FIRST 1024 /* beyond the predefined keys */
#define DUP   ((uintptr_t)MPI_COMM_DUP_FN)

int mpi_keyval_new(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                   mpi_attr_copy *copy, mpi_attr_delete *delete, void *extra, int *number)
{
    struct mpi_keyval *k = mpi_alloc(p, sizeof *k);
    if (!k)
        return mpi_error(NULL, MPI_ERR_NO_MEM, call, "no memory for a key");
    if (p->last_keyval < FIRST)
        p->last_keyval = FIRST;
    *k = (struct mpi_keyval){.next = p->keyvals,
                             .kind = kind,
                             .number = p->last_keyval++,
                             .refs = 1,
                             .copy = copy,
                             .delete = delete,
                             .extra = extra};
    p->keyvals = k;
    *number = k->number;
    return MPI_SUCCESS;
}

static void drop(struct mpi_process *p, struct mpi_keyval *k)
{
    if (--k->refs)
        return;
    struct mpi_keyval **at = &p->keyvals;
    while (*at != k)
        at = &(*at)->next;
    *at = k->next;
    mpi_free(p, k);
}

struct mpi_keyval *mpi_keyval(struct mpi_process *p, enum mpi_attr_kind kind, int number)
{
    for (struct mpi_keyval *k = p->keyvals; k; k = k->next)
        if (k->number == number && k->kind == kind)
            return k;
    return NULL;
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

struct mpi_attr *mpi_attr_find(struct mpi_attr *list, const struct mpi_keyval *key,
                               const void *object)
{
    for (struct mpi_attr *a = list; a; a = a->next)
        if (a->key == key && a->object == object)
            return a;
    return NULL;
}

static int add(struct mpi_process *p, struct mpi_attr **list, struct mpi_keyval *key, void *object,
               void *value)
{
    struct mpi_attr *a = mpi_alloc(p, sizeof *a);
    if (!a)
        return -1;
    *a = (struct mpi_attr){.next = *list, .key = key, .object = object, .value = value};
    *list = a;
    key->refs++;
    return 0;
}

static int call_delete(struct mpi_process *p, const struct mpi_keyval *k, void *handle, void *value)
{
    if (!k->delete)
        return 0;
    mpi_outside_begin(p);
    int rc = k->delete (handle, k->number, value, k->extra);
    mpi_outside_end(p);
    return rc;
}

int mpi_attr_set(struct mpi_process *p, struct mpi_attr **list, struct mpi_keyval *key,
                 void *object, void *handle, void *value)
{
    struct mpi_attr *a = mpi_attr_find(*list, key, object);
    if (!a)
        return add(p, list, key, object, value);
    int rc = call_delete(p, key, handle, a->value);
    if (!rc)
        a->value = value;
    return rc;
}

int mpi_attr_remove(struct mpi_process *p, struct mpi_attr **list, struct mpi_attr *a, void *handle)
{
    int rc = call_delete(p, a->key, handle, a->value);
    if (rc)
        return rc;
    struct mpi_attr **at = list; /* the callback may have changed the list */
    while (*at && *at != a)
        at = &(*at)->next;
    if (!*at)
        return 0;
    *at = a->next;
    drop(p, a->key);
    mpi_free(p, a);
    return 0;
}

/* Gives the copy of one attribute to the list `to` for `object`. */
static int copy_one(struct mpi_process *p, const struct mpi_attr *a, void *handle,
                    struct mpi_attr **to, void *object)
{
    struct mpi_keyval *k = a->key;
    void *value = a->value;
    int flag = 1, rc = 0;
    if (!k->copy)
        return 0;
    if ((uintptr_t)k->copy != DUP) {
        mpi_outside_begin(p);
        rc = k->copy(handle, k->number, k->extra, a->value, &value, &flag);
        mpi_outside_end(p);
    }
    if (rc || !flag)
        return rc;
    return add(p, to, k, object, value);
}

int mpi_attrs_copy(struct mpi_process *p, struct mpi_attr *from, void *handle, struct mpi_attr **to)
{
    struct mpi_attr *copies = NULL;
    int rc = 0;
    for (struct mpi_attr *a = from; a && !rc; a = a->next)
        rc = copy_one(p, a, handle, &copies, NULL);
    while (copies) { /* back into the order of the original */
        struct mpi_attr *a = copies;
        copies = a->next;
        a->next = *to;
        *to = a;
    }
    return rc;
}

int mpi_attrs_delete(struct mpi_process *p, struct mpi_attr **list, void *handle)
{
    int rc = 0;
    while (*list && !rc)
        rc = mpi_attr_remove(p, list, *list, handle);
    return rc;
}

int mpi_type_attrs_copy(struct mpi_process *p, MPI_Datatype from, MPI_Datatype to)
{
    int rc = 0;
    for (struct mpi_attr *a = p->type_attrs; a && !rc; a = a->next)
        if (a->object == (void *)from)
            rc = copy_one(p, a, (void *)from, &p->type_attrs, (void *)to);
    return rc;
}

int mpi_type_attrs_delete(struct mpi_process *p, MPI_Datatype type)
{
    struct mpi_attr *a = p->type_attrs;
    while (a) {
        if (a->object != (void *)type) {
            a = a->next;
            continue;
        }
        int rc = mpi_attr_remove(p, &p->type_attrs, a, (void *)type);
        if (rc)
            return rc;
        a = p->type_attrs;
    }
    return 0;
}
