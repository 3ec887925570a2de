/* SPDX-License-Identifier: MIT */
/* Attributes as MPI 1 had them (MPI 5.0, 16.1; deprecated): keys of communicators alone, values and
 * extra state are INTEGERs. A value that the other functions set is cut to one (19.3.7). */
#include "convert.h"

typedef void copy_function(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *extra, MPI_Fint *in,
                           MPI_Fint *out, MPI_Fint *flag, MPI_Fint *ierror);
typedef void delete_function(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *extra,
                             MPI_Fint *ierror);

/* Hangs in the key's extra state, which lives as long as the key may: for ever. */
struct key {
    copy_function *copy;
    delete_function *remove;
    MPI_Fint extra;
};

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag)
{
    struct key *k = extra;
    MPI_Fint number = MPI_Comm_toint(comm), from = (MPI_Fint)(MPI_Aint)in, to = 0;
    MPI_Fint yes = 0, e = MPI_SUCCESS;
    k->copy(&number, &keyval, &k->extra, &from, &to, &yes, &e);
    *flag = yes != 0;
    if (e == MPI_SUCCESS && yes)
        *(void **)out = (void *)(MPI_Aint)to;
    return e;
}

static int delete (MPI_Comm comm, int keyval, void *value, void *extra)
{
    struct key *k = extra;
    MPI_Fint number = MPI_Comm_toint(comm), held = (MPI_Fint)(MPI_Aint)value, e = MPI_SUCCESS;
    k->remove(&number, &keyval, &held, &k->extra, &e);
    return e;
}

void F(keyval_create_)(copy_function *copy_fn, delete_function *delete_fn, MPI_Fint *keyval,
                       MPI_Fint *extra, MPI_Fint *ierror);
void F(keyval_create_)(copy_function *copy_fn, delete_function *delete_fn, MPI_Fint *keyval,
                       MPI_Fint *extra, MPI_Fint *ierror)
{
    struct key *k = malloc(sizeof *k);
    int e = MPI_ERR_NO_MEM;
    if (k) {
        *k = (struct key){copy_fn, delete_fn, *extra};
        e = C(Comm_create_keyval)(copy, delete, keyval, k);
    }
    mpif_end(ierror, e);
}

void F(attr_put_)(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror);
void F(attr_put_)(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *ierror)
{
    int e = C(Comm_set_attr)(MPI_Comm_fromint(*comm), *keyval, (void *)(MPI_Aint)*value);
    mpif_end(ierror, e);
}

void F(attr_get_)(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag,
                  MPI_Fint *ierror);
void F(attr_get_)(MPI_Fint *comm, MPI_Fint *keyval, MPI_Fint *value, MPI_Fint *flag,
                  MPI_Fint *ierror)
{
    void *p = NULL;
    int e = C(Comm_get_attr)(MPI_Comm_fromint(*comm), *keyval, &p, flag);
    if (e == MPI_SUCCESS && *flag)
        *value = (MPI_Fint)mpif_attribute(*keyval, p);
    mpif_end(ierror, e);
}
