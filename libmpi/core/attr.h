/* SPDX-License-Identifier: MIT */
/* Attributes of communicators, datatypes and windows: values that a program keeps with an object,
 * by key, with functions that are called when the object is copied or goes. An object is known by
 * its handle. A rank finds each key and each attribute in the same time, however many it has. */
#ifndef MPI_CORE_ATTR_H
#define MPI_CORE_ATTR_H

#include "core/err.h"

enum mpi_attr_kind { MPI_ATTR_COMM = 1, MPI_ATTR_TYPE, MPI_ATTR_WIN };

typedef int mpi_attr_copy(void *object, int keyval, void *extra, void *in, void *out, int *flag);
typedef int mpi_attr_delete(void *object, int keyval, void *value, void *extra);

struct mpi_keyval;

/* All keys and attributes of a rank. It is made with the first key: by these functions those who
 * copy and free objects call what only programs with keys have. */
struct mpi_attr_entry;
struct mpi_attrs {
    int (*copy)(struct mpi_process *p, void *from, void *to);
    int (*delete)(struct mpi_process *p, void *object);
    int next; /* number of the next key */
    uint32_t lists, count;
    struct mpi_attr_entry **list; /* `lists` of them, a power of two */
};

/* Makes a key. Returns an error class, raised on c. */
int mpi_keyval_new(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                   mpi_attr_copy *copy, mpi_attr_delete *delete, void *extra, int *number);
int mpi_keyval_free(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, int *number);

/* The key with a number; NULL if it is none of this kind. A freed key lives as long as attributes
 * use it, for those who delete them one by one (MPI 5.0, 7.7.2). */
struct mpi_keyval *mpi_keyval(struct mpi_process *p, enum mpi_attr_kind kind, int number);

/* Where the value under a key is; NULL: there is none. */
void *const *mpi_attr_find(struct mpi_process *p, const struct mpi_keyval *key, const void *object);

/* Sets, as the newest of the object, after the old value was deleted; deletes. Return what the
 * callback returned, or MPI_ERR_NO_MEM. */
int mpi_attr_set(struct mpi_process *p, struct mpi_keyval *key, void *object, void *value);
int mpi_attr_remove(struct mpi_process *p, const struct mpi_keyval *key, void *object);

/* All attributes of an object that is copied, respectively goes; the newest first. Stop at the
 * first callback that fails and return what it returned. */
static inline int mpi_attrs_copy(struct mpi_process *p, void *from, void *to)
{
    return p->attrs ? p->attrs->copy(p, from, to) : MPI_SUCCESS;
}
int mpi_attrs_delete(struct mpi_process *p, void *object);

#endif
