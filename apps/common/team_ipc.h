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

/* As published: what a mail says of the message that follows by portal. */
struct team_request {
    int32_t rank, portal_port; /* the sender, its output */
    uint64_t n;
};

struct team_form {
    int inbox, outbox, portal_in, portal_out; /* ids */
    struct k_source named;                    /* whom the inbox listens to now */
    int peers;
    struct team_peer *peer; /* the master, if there is one, then the crew */
    int requests;
    struct team_request *request; /* those that came before they were asked for, in order */
};

/* The program that uller-2021 measured opens a mailbox and a portal for each message and closes
 * them behind it; whatever the message's length, the mail only announces it. Who receives takes the
 * mails of all, and keeps those that it does not wait for. */
void team_send_published(struct team *t, int to, const void *from, size_t n);
size_t team_recv_published(struct team *t, int from, void *to, size_t most);
/* How many of a rank's requests may be kept: each of its peers waits for its message to be received
 * before it sends another one, but one of no bytes is only a mail, and a barrier is one. */
int team_requests_most(const struct team *t);

/* Where the inputs of a rank are. */
struct k_source team_place(int rank);

/* Ends the job if `result` of the kernel call `call` is an error; else returns it. */
long team_must(const struct team *t, const char *call, long result);

#endif
