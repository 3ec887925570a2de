/* SPDX-License-Identifier: MIT */
#include "attr/attr_api.h"
#include "core/check.h"
#include "datatype/type.h"

/* comm: where errors are raised; NULL: no object of the kind has such. */
static int check_object(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                        void *handle, struct mpi_comm **comm)
{
    struct mpi_win *w;
    *comm = NULL;
    switch (kind) {
    case MPI_ATTR_COMM:
        return mpi_check_comm(p, call, (MPI_Comm)handle, comm);
    case MPI_ATTR_WIN:
        return mpi_check_win(p, call, (MPI_Win)handle, &w);
    default:
        if (mpi_type_of((MPI_Datatype)handle))
            return MPI_SUCCESS;
        return mpi_error(NULL, MPI_ERR_TYPE, call, "the handle is no datatype");
    }
}

static int check_key(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                     struct mpi_comm *comm, int keyval, struct mpi_keyval **k)
{
    *k = mpi_keyval(p, kind, keyval);
    if (*k)
        return MPI_SUCCESS;
    return mpi_error(comm, MPI_ERR_KEYVAL, call, "%d is no key of this kind of object", keyval);
}

/* Errors of callbacks become errors of the function. */
static int result(struct mpi_comm *comm, const char *call, int rc)
{
    if (rc == MPI_SUCCESS)
        return MPI_SUCCESS;
    return mpi_error(comm, rc, call,
                     "no memory, or the function that deletes the attribute failed");
}

int mpi_attr_api_set(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, void *handle,
                     int keyval, void *value)
{
    struct mpi_comm *comm;
    struct mpi_keyval *k;
    int rc = check_object(p, call, kind, handle, &comm);
    if (rc || (rc = check_key(p, call, kind, comm, keyval, &k)))
        return rc;
    return result(comm, call, mpi_attr_set(p, k, handle, value));
}

/* Values of the predefined keys of communicators: pointers to int. */
static int *predefined(struct mpi_process *p, int keyval)
{
    int *at = &p->predefined[keyval - MPI_TAG_UB];
    switch (keyval) {
    case MPI_TAG_UB:
        *at = INT32_MAX;
        return at;
    case MPI_IO:
        *at = MPI_ANY_SOURCE;
        return at;
    case MPI_HOST:
        *at = MPI_PROC_NULL;
        return at;
    case MPI_WTIME_IS_GLOBAL:
        *at = 1;
        return at;
    case MPI_APPNUM:
        *at = mpu_rank_program(p->rank);
        return at;
    case MPI_LASTUSEDCODE:
        *at = p->last_code;
        return at;
    case MPI_UNIVERSE_SIZE:
        *at = mpu_universe(p->rank);
        return *at < 0 ? NULL : at;
    default:
        return NULL;
    }
}

int mpi_attr_api_get(struct mpi_process *p, const char *call, enum mpi_attr_kind kind, void *handle,
                     int keyval, void *value, int *flag)
{
    struct mpi_comm *comm;
    struct mpi_keyval *k;
    int rc = check_object(p, call, kind, handle, &comm);
    if (rc || (rc = mpi_check_out(comm, call, value, "attribute_val")) ||
        (rc = mpi_check_out(comm, call, flag, "flag")))
        return rc;
    if (kind == MPI_ATTR_COMM && keyval >= MPI_TAG_UB && keyval <= MPI_UNIVERSE_SIZE) {
        *(void **)value = predefined(p, keyval);
        *flag = *(void **)value != NULL;
        return MPI_SUCCESS;
    }
    if ((rc = check_key(p, call, kind, comm, keyval, &k)))
        return rc;
    void *const *found = mpi_attr_find(p, k, handle);
    if (found)
        *(void **)value = *found;
    *flag = found != NULL;
    return MPI_SUCCESS;
}

int mpi_attr_api_delete(struct mpi_process *p, const char *call, enum mpi_attr_kind kind,
                        void *handle, int keyval)
{
    struct mpi_comm *comm;
    struct mpi_keyval *k;
    int rc = check_object(p, call, kind, handle, &comm);
    if (rc || (rc = check_key(p, call, kind, comm, keyval, &k)))
        return rc;
    return result(comm, call, mpi_attr_remove(p, k, handle));
}
