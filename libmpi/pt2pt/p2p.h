/* SPDX-License-Identifier: MIT */
/* Point to point: one way from the arguments of a call to a request, for all send modes, blocking
 * and not, persistent or not. */
#ifndef MPI_PT2PT_P2P_H
#define MPI_PT2PT_P2P_H

#include "request/request.h"
#include "datatype/check.h"

struct mpi_p2p;
struct mpi_transfer;

/* Start q, whose head is initialized. Never wait. Return an error class, not raised:
 * MPI_ERR_NO_MEM, MPI_ERR_BUFFER. A send in ready mode is one in standard mode. */
typedef int mpi_begin_fn(struct mpi_process *p, struct mpi_p2p *q, const struct mpi_transfer *t);
mpi_begin_fn mpi_begin_standard, mpi_begin_sync, mpi_begin_buffered, mpi_recv_begin;

/* Checked arguments of a send or receive. */
struct mpi_transfer {
    struct mpi_comm *comm;
    const struct mpi_type *type;
    void *buf; /* of a send: not written */
    MPI_Count count;
    uint64_t bytes; /* packed */
    int peer, tag;
    mpi_begin_fn *begin;
};

static inline struct mpi_transfer mpi_transfer(const void *buf, MPI_Count count, int peer, int tag)
{
    return (struct mpi_transfer){
        .buf = (void *)(uintptr_t)buf, .count = count, .peer = peer, .tag = tag};
}

/* Data that lies in memory in one piece, is packed into one, or travels in parts. */
struct mpi_data {
    void *bytes;  /* address of the first byte, or of a struct mpu_stream */
    void *packed; /* the rank's memory, to be freed; NULL: `bytes` is the program's */
    void *buf;    /* where it is unpacked to */
    MPI_Count count;
    const struct mpi_type *type; /* retained; NULL: nothing is to be done at the end */
};

/* A send or receive under way. */
struct mpi_p2p {
    struct mpi_request base;
    struct mpu_request m;
    struct mpi_data data;
};

/* mpi_check_transfer for arguments that may be anything. */
int mpi_check_special(struct mpi_process *p, const char *call, MPI_Datatype type, MPI_Comm comm,
                      struct mpi_transfer *t, bool receive);

/* The whole of a blocking call of a kind below with arguments that may be anything: checks, begins
 * t, of which buf, count, peer, tag and begin are set, waits, gives the status, raises. */
int mpi_p2p_special(struct mpi_process *p, const char *call, const struct mpi_request_kind *kind,
                    MPI_Datatype type, MPI_Comm comm, struct mpi_transfer *t, MPI_Status *status);

/* The communicator of a handle, NULL: none. */
static inline struct mpi_comm *mpi_comm_of(struct mpi_process *p, MPI_Comm handle)
{
    bool world = handle == MPI_COMM_WORLD && p->phase == MPI_INITIALIZED;
    return world ? &p->world : mpi_comm(p, handle);
}

/* Whether the arguments are what they mostly are, and right: data of a predefined type, or none, to
 * or from a rank. False: something else, or wrong; what it is the checks tell. c and t may be
 * NULL. */
static inline bool mpi_ordinary(const struct mpi_comm *c, const struct mpi_type *t, const void *buf,
                                MPI_Count count, int peer, int tag, bool receive)
{
    return c && t && t->kind == MPI_KIND_BASIC && (uint64_t)count <= INT32_MAX &&
           (buf > MPI_BUFFER_AUTOMATIC || count == 0) &&
           ((unsigned int)peer < (unsigned int)c->p2p.size ||
            (receive && peer == MPI_ANY_SOURCE)) &&
           (tag >= 0 || (receive && tag == MPI_ANY_TAG));
}

/* Their bytes as mpiutil has them. */
static inline uint64_t mpi_ordinary_bytes(const struct mpi_type *t, MPI_Count count)
{
    return mpi_type_marked(t, (uint64_t)count * (uint64_t)t->size);
}

/* Checks t, of which buf, count, peer and tag are set, and sets the rest but `begin`. Raises. */
static inline int mpi_check_transfer(struct mpi_process *p, const char *call, MPI_Datatype type,
                                     MPI_Comm comm, struct mpi_transfer *t, bool receive)
{
    t->comm = mpi_comm_of(p, comm);
    t->type = mpi_type_predefined(type);
    if (!mpi_ordinary(t->comm, t->type, t->buf, t->count, t->peer, t->tag, receive))
        return mpi_check_special(p, call, type, comm, t, receive);
    t->bytes = (uint64_t)t->count * (uint64_t)t->type->size;
    return MPI_SUCCESS;
}

/* Checks the arguments of a send, or of a receive, which may have wildcards. Raises. */
static inline int mpi_check_send(struct mpi_process *p, const char *call, const void *buf,
                                 MPI_Count count, MPI_Datatype type, int dest, int tag,
                                 MPI_Comm comm, struct mpi_transfer *t)
{
    *t = mpi_transfer(buf, count, dest, tag);
    return mpi_check_transfer(p, call, type, comm, t, false);
}

static inline int mpi_check_recv(struct mpi_process *p, const char *call, void *buf,
                                 MPI_Count count, MPI_Datatype type, int source, int tag,
                                 MPI_Comm comm, struct mpi_transfer *t)
{
    *t = mpi_transfer(buf, count, source, tag);
    return mpi_check_transfer(p, call, type, comm, t, true);
}

/* The same of a call that gives a request. */
static inline int mpi_check_isend(struct mpi_process *p, const char *call, const void *buf,
                                  MPI_Count count, MPI_Datatype type, int dest, int tag,
                                  MPI_Comm comm, const MPI_Request *request, struct mpi_transfer *t)
{
    int rc = mpi_check_send(p, call, buf, count, type, dest, tag, comm, t);
    if (rc || (rc = mpi_check_out(t->comm, call, request, "request")))
        return rc;
    return MPI_SUCCESS;
}

static inline int mpi_check_irecv(struct mpi_process *p, const char *call, void *buf,
                                  MPI_Count count, MPI_Datatype type, int source, int tag,
                                  MPI_Comm comm, const MPI_Request *request, struct mpi_transfer *t)
{
    int rc = mpi_check_recv(p, call, buf, count, type, source, tag, comm, t);
    if (rc || (rc = mpi_check_out(t->comm, call, request, "request")))
        return rc;
    return MPI_SUCCESS;
}

extern const struct mpi_request_kind mpi_send_kind, mpi_recv_kind;

/* A persistent send or receive. */
struct mpi_persistent {
    struct mpi_p2p q;
    struct mpi_transfer t; /* its type is retained */
};

/* Makes an inactive one of a kind above; an error class, raised. */
int mpi_persistent_new(struct mpi_process *p, const char *call, const struct mpi_request_kind *kind,
                       const struct mpi_transfer *t, MPI_Request *request);
int mpi_persistent_send(struct mpi_request *q, const char *call);
int mpi_persistent_recv(struct mpi_request *q, const char *call);
void mpi_persistent_free(struct mpi_request *q);

/* Raises how m, a receive on c, ended in an error. */
int mpi_recv_fail(const char *call, struct mpi_comm *c, const struct mpu_request *m);

/* The whole of a call: checks, does, raises. */
int mpi_send(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
             int tag, MPI_Comm comm, mpi_begin_fn *begin);
int mpi_isend(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
              int tag, MPI_Comm comm, mpi_begin_fn *begin, MPI_Request *request);
int mpi_send_init(const char *call, const void *buf, MPI_Count count, MPI_Datatype type, int dest,
                  int tag, MPI_Comm comm, mpi_begin_fn *begin, MPI_Request *request);

/* Packs or describes what lies at buf; the type is retained until mpi_data_end. MPI_ERR_NO_MEM.
 * What is of a predefined type is one run, and needs nothing of that. */
int mpi_data_prepare(struct mpi_process *p, struct mpi_data *d, void *buf, MPI_Count count,
                     const struct mpi_type *type, uint64_t bytes, bool pack);
static inline int mpi_data_begin(struct mpi_process *p, struct mpi_data *d, void *buf,
                                 MPI_Count count, const struct mpi_type *type, uint64_t bytes,
                                 bool pack)
{
    if (type->kind != MPI_KIND_BASIC)
        return mpi_data_prepare(p, d, buf, count, type, bytes, pack);
    *d = (struct mpi_data){.bytes = buf};
    return MPI_SUCCESS;
}

/* MPU_STREAMED if it travels in parts, else 0: packed data begins where its memory does, a stream
 * does not. */
static inline uint64_t mpi_data_streamed(const struct mpi_data *d)
{
    return d->packed && d->bytes != d->packed ? MPU_STREAMED : 0;
}

/* Unpacks n bytes that were received into packed memory. */
void mpi_data_unpack(const struct mpi_data *d, uint64_t n);
void mpi_data_end(struct mpi_process *p, struct mpi_data *d);

/* MPI_ANY_SOURCE, MPI_ANY_TAG as mpiutil has them. */
static inline int mpi_or_any(int value, int any)
{
    return value == any ? MPU_ANY : value;
}

/* Elements of a predefined type, to or from a rank. */
static inline bool mpi_transfer_plain(const struct mpi_transfer *t)
{
    return t->type->kind == MPI_KIND_BASIC && t->peer != MPI_PROC_NULL;
}

/* Sends what lies in one piece and needs no request, so that its memory is the caller's again.
 * False: nothing happened. */
static inline bool mpi_sent_at_once(struct mpi_process *p, const struct mpi_transfer *t)
{
    return mpi_transfer_plain(t) && mpu_send_now(p->rank, &t->comm->p2p, t->peer, t->tag, t->buf,
                                                 mpi_type_marked(t->type, t->bytes));
}

/* Ends a blocking q on the stack: waits, gives the status, raises. */
int mpi_p2p_finish(struct mpi_process *p, const char *call, struct mpi_p2p *q, MPI_Status *status);

/* Makes the head of a started request complete at once: of a peer MPI_PROC_NULL, or sent at
 * once. */
void mpi_p2p_nobody(struct mpi_p2p *q);

#endif
