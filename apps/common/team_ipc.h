/* SPDX-License-Identifier: MIT */
/* What a rank holds that communicates by the kernel's mailboxes and portals alone: one of each for
 * input, whose ports are the rank's number in its cluster, and one of each for output. */
#ifndef APPS_TEAM_IPC_H
#define APPS_TEAM_IPC_H

#include <sys/k_types.h>

#include "team.h"

/* A rank with which messages are exchanged: from where they come. */
struct team_peer {
    int rank;
    struct k_source mailbox, portal; /* its outputs */
};

struct team_form {
    int inbox, outbox, portal_in, portal_out; /* ids */
    struct k_source named;                    /* whom the inbox listens to now */
    int peers;
    struct team_peer *peer; /* the master, if there is one, then the crew */
};

/* Where the inputs of a rank are. */
struct k_source team_place(int rank);

/* Ends the job if `result` of the kernel call `call` is an error; else returns it. */
long team_must(const struct team *t, const char *call, long result);

#endif
