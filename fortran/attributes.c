/* SPDX-License-Identifier: MIT */
/* Attributes: a value of Fortran is an integer of the size of an address, kept as the pointer that
 * C keeps; predefined ones are looked up behind the pointers that C gets. The callbacks of a key
 * hang in its extra state, which lives as long as the key may: for ever. */
#include "convert.h"

typedef void copy_function(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *extra, MPI_Aint *in,
                           MPI_Aint *out, MPI_Fint *flag, MPI_Fint *ierror);
typedef void delete_function(MPI_Fint *object, MPI_Fint *keyval, MPI_Aint *value, MPI_Aint *extra,
                             MPI_Fint *ierror);

struct key {
    copy_function *copy;
    delete_function *remove;
    MPI_Aint extra;
};

static int copy(MPI_Fint object, int keyval, struct key *k, void *in, void *out, int *flag)
{
    MPI_Aint from = (MPI_Aint)in, to = 0;
    MPI_Fint yes = 0, e = MPI_SUCCESS;
    k->copy(&object, &keyval, &k->extra, &from, &to, &yes, &e);
    *flag = yes != 0;
    if (e == MPI_SUCCESS && yes)
        *(void **)out = (void *)to;
    return e;
}

static int delete (MPI_Fint object, int keyval, void *value, struct key *k)
{
    MPI_Aint held = (MPI_Aint)value;
    MPI_Fint e = MPI_SUCCESS;
    k->remove(&object, &keyval, &held, &k->extra, &e);
    return e;
}

/* What differs between kinds of objects is the type of the handle. */
#define CALLBACKS(Kind, Name)                                                                      \
    static int Name##_copy(MPI_##Kind object, int keyval, void *extra, void *in, void *out,        \
                           int *flag)                                                              \
    {                                                                                              \
        return copy(MPI_##Name##_toint(object), keyval, extra, in, out, flag);                     \
    }                                                                                              \
    static int Name##_delete(MPI_##Kind object, int keyval, void *value, void *extra)              \
    {                                                                                              \
        return delete (MPI_##Name##_toint(object), keyval, value, extra);                          \
    }
CALLBACKS(Comm, Comm)
CALLBACKS(Datatype, Type)
CALLBACKS(Win, Win)

static struct key *key(copy_function *copy_fn, delete_function *delete_fn, const MPI_Aint *extra)
{
    struct key *k = malloc(sizeof *k);
    if (k)
        *k = (struct key){copy_fn, delete_fn, *extra};
    return k;
}

#define KEYVAL(name, Name)                                                                         \
    void F(name##_create_keyval_)(copy_function * copy_fn, delete_function * delete_fn,            \
                                  MPI_Fint * keyval, MPI_Aint * extra, MPI_Fint * ierror);         \
    void F(name##_create_keyval_)(copy_function * copy_fn, delete_function * delete_fn,            \
                                  MPI_Fint * keyval, MPI_Aint * extra, MPI_Fint * ierror)          \
    {                                                                                              \
        struct key *k = key(copy_fn, delete_fn, extra);                                            \
        mpif_end(ierror, !k ? MPI_ERR_NO_MEM                                                       \
                            : C(Name##_create_keyval)(Name##_copy, Name##_delete, keyval, k));     \
    }
KEYVAL(comm, Comm)
KEYVAL(type, Type)
KEYVAL(win, Win)

#define SET(name, Name)                                                                            \
    void F(name##_set_attr_)(MPI_Fint * object, MPI_Fint * keyval, MPI_Aint * value,               \
                             MPI_Fint * ierror);                                                   \
    void F(name##_set_attr_)(MPI_Fint * object, MPI_Fint * keyval, MPI_Aint * value,               \
                             MPI_Fint * ierror)                                                    \
    {                                                                                              \
        int e = C(Name##_set_attr)(MPI_##Name##_fromint(*object), *keyval, (void *)*value);        \
        mpif_end(ierror, e);                                                                       \
    }
SET(comm, Comm)
SET(type, Type)
SET(win, Win)

#define GET(name, Name)                                                                            \
    void F(name##_get_attr_)(MPI_Fint * object, MPI_Fint * keyval, MPI_Aint * value,               \
                             MPI_Fint * flag, MPI_Fint * ierror);                                  \
    void F(name##_get_attr_)(MPI_Fint * object, MPI_Fint * keyval, MPI_Aint * value,               \
                             MPI_Fint * flag, MPI_Fint * ierror)                                   \
    {                                                                                              \
        void *p = NULL;                                                                            \
        int e = C(Name##_get_attr)(MPI_##Name##_fromint(*object), *keyval, &p, flag);              \
        if (e == MPI_SUCCESS && *flag)                                                             \
            *value = mpif_attribute(*keyval, p);                                                   \
        mpif_end(ierror, e);                                                                       \
    }
GET(comm, Comm)
GET(type, Type)
GET(win, Win)
