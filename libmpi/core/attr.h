/* SPDX-License-Identifier: MIT */
/* Attributes of communicators, datatypes and windows: values that a program keeps with an object,
 * by key, with functions that are called when the object is copied or goes. */
#ifndef MPI_CORE_ATTR_H
#define MPI_CORE_ATTR_H

#include "core/err.h"

enum mpi_attr_kind { MPI_ATTR_COMM = 1, MPI_ATTR_TYPE, MPI_ATTR_WIN };

typedef int mpi_attr_copy(void *object, int keyval, void *extra, void *in, void *out, int *flag);
typedef int mpi_attr_delete(void *object, int keyval, void *value, void *extra);

/* A key. Lives until it was freed and no attribute uses it. */
struct mpi_keyval {
    struct mpi_keyval *next;
    enum mpi_attr_kind kind;
    int number, refs;
    bool freed;
    mpi_attr_copy *copy;     /* 0: is not copied, MPI_COMM_DUP_FN: the same value */
    mpi_attr_delete *delete; /* 0: none */
    void *extra;
};

/* A value; the newest of an object is first. */
struct mpi_attr {
    struct mpi_attr *next;
    struct mpi_keyval *key;
    void *object; /* datatypes only: the handle */
    void *value;
};

/* Makes a key. Returns an error class, raised on c. */
int mpi_keyval_new(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                   mpi_attr_copy *copy, mpi_attr_delete *delete, void *extra, int *number);
int mpi_keyval_free(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, int *number);

/* The key with a number; NULL if it is none of this kind. A freed key lives as long as attributes
 * use it, for those who delete them one by one (MPI 5.0, 7.7.2). */
struct mpi_keyval *mpi_keyval(struct mpi_process *p, enum mpi_attr_kind kind, int number);

/* The value under a key in a list, NULL if there is none. object: datatypes only, NULL else. */
struct mpi_attr *mpi_attr_find(struct mpi_attr *list, const struct mpi_keyval *key,
                               const void *object);

/* Sets, after the old value's delete function was called with `handle`; deletes. Return what the
 * callback returned, -1 for no memory. */
int mpi_attr_set(struct mpi_process *p, struct mpi_attr **list, struct mpi_keyval *key,
                 void *object, void *handle, void *value);
int mpi_attr_remove(struct mpi_process *p, struct mpi_attr **list, struct mpi_attr *a,
                    void *handle);

/* All attributes of a list whose object is copied from `handle`, respectively goes; the newest
 * first. Stop at the first callback that fails and return what it returned. */
int mpi_attrs_copy(struct mpi_process *p, struct mpi_attr *from, void *handle,
                   struct mpi_attr **to);
int mpi_attrs_delete(struct mpi_process *p, struct mpi_attr **list, void *handle);

/* The same for datatypes, which have no list of their own: MPI_Type_dup calls the first with the
 * handles of both, whoever frees a datatype's handle the second. */
int mpi_type_attrs_copy(struct mpi_process *p, MPI_Datatype from, MPI_Datatype to);
int mpi_type_attrs_delete(struct mpi_process *p, MPI_Datatype type);

#endif
