/* SPDX-License-Identifier: MIT */
/* The ranks of an application as a hierarchy (uller-2021, 6.1): rank 0 is the global master, the
 * lowest other rank of each cluster is a local master, the others are workers of their cluster's
 * local master.
 *
 *                     rank 0                    crew of rank 0: the local masters
 *              /         |         \
 *        local master  local master  ...       crew of a local master: its workers
 *         /   |   \
 *       workers                                crew of a worker: nobody
 *
 * Messages go along the lines of this picture only. There are two forms of a team behind this
 * header, and a program is linked with one of them: mpi.c, on MPI, and ipc.c, on the kernel's
 * mailboxes and portals alone. All functions run on the rank's thread. An error of the system below
 * ends the job with a line that says where. */
#ifndef APPS_TEAM_H
#define APPS_TEAM_H

#include <stdbool.h>
#include <stddef.h>

struct team_form; /* what the form keeps for this rank */

struct team {
    int rank, ranks;
    int clusters; /* how many have ranks; the I/O side of a problem grows with them */
    int master;   /* who deals to this rank; -1: nobody, it is rank 0 */
    int siblings; /* how many ranks that one deals to, this one included */
    int crew;     /* how many ranks it deals to */
    int *member;  /* which, ascending; owned by the team */
    int *before;  /* workers under the members before each one; [crew]: under all of them; owned */
    int *home;    /* of each rank: the lowest rank in its cluster; owned by the team */
    bool published; /* messages by IPC are those of the programs of uller-2021; all ranks set it
                     * alike between two barriers or before the first message */
    struct team_form *form;
};

/* The form's name: "MPI" or "IPC". */
extern const char team_form_name[];

/* Joins the job. Once per rank, before anything else here. Collective. */
void team_begin(struct team *t, int *argc, char ***argv);
/* Leaves it; everything sent has been received by then. Collective. */
void team_end(struct team *t);

/* Sends n bytes to the master or to a member of the crew; may wait for the receiver. `from` must
 * not change meanwhile. Messages between two ranks arrive in order. */
void team_send(struct team *t, int to, const void *from, size_t n);
/* Receives the next message from the master or a member of the crew: at most `most` bytes, more end
 * the job. Waits. Returns the bytes that came. */
size_t team_recv(struct team *t, int from, void *to, size_t most);

/* Waits until all ranks are here. */
void team_barrier(struct team *t);
/* n bytes of rank 0's buffer into everybody's, along the lines of the picture. */
void team_broadcast(struct team *t, void *buffer, size_t n);

/* Seconds of the machine's clock. */
double team_time(const struct team *t);
/* This rank works for so many cycles of a modelled processor; nothing on a real one. */
void team_work(const struct team *t, double cycles);

/* Memory of the cluster, counted against its size on a modelled machine. Ends the job when there is
 * none, saying what it was for. Freed with the same n, or p NULL. */
void *team_alloc(const struct team *t, size_t n, const char *what);
void team_free(const struct team *t, void *p, size_t n);

/* Ends the job with `code` and one line. */
_Noreturn void team_abort(const struct team *t, int code, const char *why);

/* First item of part `part` of `parts` nearly equal parts of `count`. */
long team_share(long count, int part, int parts);

/* First item of the part of the i-th member of the crew if all workers below get as much; i ==
 * crew: count. There is a crew. */
long team_part(const struct team *t, long count, int i);

/* For the forms: fills in master, crew, member, before and clusters from rank, ranks and home. */
void team_arrange(struct team *t);

#endif
