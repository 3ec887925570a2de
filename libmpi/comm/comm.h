/* SPDX-License-Identifier: MIT */
/* Communicators: how they come and go, and their contexts.
 *
 * A communicator has an id, unique among all communicators that one of its ranks has: the world
 * rank of the member who leads its creation, and a serial number of that member, so that nobody
 * needs to be asked. Numbers are used again when all others were used once. */
#ifndef MPI_COMM_COMM_H
#define MPI_COMM_COMM_H

#include <base/link.h>

#include "core/check.h"
#include "group/group.h"
#include "comm/meet.h"

enum mpi_context {
    MPI_CONTEXT_P2P = MPU_CONTEXT_PROGRAM,
    MPI_CONTEXT_COLL,  /* collectives */
    MPI_CONTEXT_LOCAL, /* intercommunicator: collectives inside the local group; of the world: the
                          end of all ranks */
    MPI_CONTEXT_MAKE,  /* MPI_Comm_idup; groups that meet without a communicator */
    MPI_CONTEXT_GROUP, /* meetings of some of its ranks (MPI_Comm_create_group) */
    MPI_CONTEXTS = MPU_CONTEXTS
};

#define MPI_SERIAL_BITS 15

enum mpi_id {
    MPI_ID_WORLD,
    MPI_ID_SELF,
    MPI_ID_GROUPS, /* no communicator: where groups without one meet */
    MPI_ID_FIRST,  /* serial number that the first made one has */
    MPI_ID_NONE = -1
};

/* An id for a communicator that the calling rank leads; MPI_ID_NONE: all are in use. */
uint32_t mpi_comm_take_id(struct mpi_process *p);

/* The rank's communicator that a context belongs to; NULL: there is none. */
struct mpi_comm *mpi_comm_of_context(struct mpi_process *p, uint32_t context);

/* Does a communicator of this rank have the id? */
bool mpi_comm_id_used(const struct mpi_process *p, uint32_t id);

/* What messages call a communicator, or with [true] an intercommunicator, that function `call`, a
 * literal, makes of one of its kind. */
#define MPI_COMM_MADE_BY(call)                                                                     \
    {                                                                                              \
        "a communicator made by " call, "an intercommunicator made by " call                       \
    }

/* Makes *c the communicator `id` of the group and, unless NULL, its remote group; takes over one
 * reference of each. name: in messages about it; constant. */
void mpi_comm_init(struct mpi_comm *c, uint32_t id, const char *name, struct mpi_group group,
                   const struct mpi_group *remote);

/* The contexts of one whose id was not known when it was made (MPI_ID_NONE). */
void mpi_comm_set_id(struct mpi_process *p, struct mpi_comm *c, uint32_t id);

/* The same with new memory, found by its handle; with one reference, for the handle. The error
 * handler is that of `parent`. Shares the groups. NULL: no memory, or the id is still in use
 * here. */
struct mpi_comm *mpi_comm_new(struct mpi_process *p, const struct mpi_comm *parent, uint32_t id,
                              const char *name, const struct mpi_group *group,
                              const struct mpi_group *remote);

/* The same in two steps, of which only the first, the memory, can fail: mpi_free takes it back. The
 * id is not in use here. */
struct mpi_comm *mpi_comm_room(struct mpi_process *p);
void mpi_comm_open(struct mpi_process *p, struct mpi_comm *c, const struct mpi_comm *parent,
                   uint32_t id, const char *name, const struct mpi_group *group,
                   const struct mpi_group *remote);

/* Of a communicator that has channels (coll/channel.c), in which nothing is under way. */
B_IF_LINKED void mpi_channels_free(struct mpi_process *p, struct mpi_comm *c);

/* Where there is a checking layer (check/): what ranks asked of the communicator's operations is
 * forgotten, as its context may be another one's soon. */
B_IF_LINKED void mpi_checker_comm_gone(struct mpi_process *p, const struct mpi_comm *c);

/* What MPI_Comm_free does: attributes go, the handle becomes invalid. Returns what a callback
 * raised; then c stays. */
int mpi_comm_end(struct mpi_process *p, struct mpi_comm *c);

/* What MPI_Comm_free and MPI_Comm_disconnect share: the checks of a handle that is to be freed; and
 * the end of its communicator and of the handle. Raise. */
int mpi_check_freed(struct mpi_process *p, const char *call, const MPI_Comm *comm,
                    struct mpi_comm **c);
int mpi_comm_let_go(struct mpi_process *p, const char *call, struct mpi_comm *c, MPI_Comm *comm);

/* Ranks of c, or of both its groups, in an operation of all of c, which begins (meeting.h): an
 * error class, raised; and some that meet without the others, by a tag of the program. `group` must
 * outlive the crowd. */
int mpi_comm_meeting(struct mpi_bootstrap *m, struct mpi_process *p, const char *call,
                     struct mpi_comm *c, const struct mpi_group *group);
struct mpi_bootstrap mpi_comm_some(struct mpi_process *p, const char *call,
                                   const struct mpi_comm *c, const struct mpi_group *group,
                                   int tag);

/* Checks that the handle is an intracommunicator; MPI_ERR_COMM else. */
int mpi_check_intra(struct mpi_process *p, const char *call, MPI_Comm handle, struct mpi_comm **c);
int mpi_check_inter(struct mpi_process *p, const char *call, MPI_Comm handle, struct mpi_comm **c);

/* The members of `m` make a communicator of themselves; the first one leads. For an
 * intercommunicator the crowd is both groups, the one with the lower first world rank first.
 * Raises on `parent` (NULL: none) and returns the class. */
int mpi_comm_make(const struct mpi_bootstrap *m, struct mpi_comm *parent, const char *name,
                  const struct mpi_group *group, const struct mpi_group *remote,
                  struct mpi_comm **made);

/* What the leader of a communicator that is made says at last to its members: the class for which
 * one of them cannot go on, or the id. */
struct mpi_verdict {
    int class;
    uint32_t id;
};

/* Of the calling rank, which leads if nobody has said that he cannot go on: MPI_ERR_NO_MEM if all
 * ids are in use. */
struct mpi_verdict mpi_comm_judge(struct mpi_process *p, int class);

/* The verdict on c, which the caller has made without an id; NULL: it could not, and has raised
 * nothing yet. Gives c its id, or ends it and raises on `parent`. The class. */
int mpi_comm_settle(struct mpi_process *p, const char *call, struct mpi_comm *parent,
                    struct mpi_verdict v, struct mpi_comm *c);

/* Both groups in the order that mpi_comm_make wants. -B_ENOMEM. */
int mpi_comm_both(struct mpi_process *p, const struct mpi_group *a, const struct mpi_group *b,
                  struct mpi_group *both);

/* A communicator with the groups of c, by MPI_Comm_dup's rules (attributes, topology). */
int mpi_comm_dup(struct mpi_process *p, const char *call, struct mpi_comm *c,
                 struct mpi_comm **made);

/* What MPI_Comm_dup hands on besides the groups: topology and attributes. Raises on
 * `from` what a callback returned. */
int mpi_comm_inherit(struct mpi_process *p, const char *call, struct mpi_comm *from,
                     struct mpi_comm *to);

/* A communicator of c's kind, of the ranks that give the same color, in the order of key; *made
 * NULL for MPI_UNDEFINED. names: of the new one, by whether c is an intercommunicator. able: the
 * caller has the memory for what else it needs; if one has not, MPI_ERR_NO_MEM on all. Raises on
 * c. */
int mpi_comm_split(struct mpi_process *p, const char *call, const char *const *names,
                   struct mpi_comm *c, bool able, int color, int key, struct mpi_comm **made);

#endif
