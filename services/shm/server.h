/* SPDX-License-Identifier: MIT */
/* The state of the server of shared memory, and its two halves: regions and pages. */
#ifndef SHM_SERVER_H
#define SHM_SERVER_H

#include <base/bitmap.h>
#include <base/list.h>
#include <svc/shm.h>

#define SHM_NOBODY 0xffff

enum { SHM_REQUESTS = 4 }; /* that wait, of one cluster */

enum shm_wish { SHM_WISH_NONE, SHM_WISH_OPEN, SHM_WISH_READ, SHM_WISH_WRITE, SHM_WISH_INVALIDATE };

struct shm_request {
    struct b_node node;
    struct svc_ticket ticket;
    uint16_t cluster;
    uint8_t wish; /* enum shm_wish, NONE: unused */
    uint8_t flags;
};

enum shm_region_state {
    SHM_UNUSED,
    SHM_MAKING, /* its memory is being allocated; who opens it waits */
    SHM_FAILED, /* there is none; who opened it is being told */
    SHM_READY,
    SHM_GOING /* its memory is being freed */
};

struct shm_region_slot {
    struct svc_text name;
    uint8_t state;
    bool named, asked; /* asked: a memory server is */
    uint16_t owner;
    uint32_t mode;
    uint32_t generation; /* part of the id */
    uint32_t opens;      /* of all clusters */
    int server, tried;   /* the memory server that is asked; how many were */
    int error;           /* why it FAILED */
    uint64_t at, size;
    uint32_t first, pages;  /* in the table of pages */
    uint64_t again;         /* GOING: cycle of the next try */
    struct svc_ticket last; /* of who closed or unlinked it last: is answered when it is gone */
    struct b_queue waiting;
};

/* A page goes IDLE -> RECALLS (those who have it give it back) -> GRANTED (to who asked, until he
 * says that he has it) -> IDLE. One request at a time, in order. */
enum shm_page_state { SHM_IDLE, SHM_RECALLS, SHM_GRANTED };

struct shm_page_slot {
    struct b_link active; /* in the list of pages with something to do */
    struct b_queue waiting;
    struct shm_request *now;
    uint8_t state;
    bool listed, pinging;
    uint16_t writer;   /* cluster that may change it */
    uint16_t pending;  /* clusters that have not answered yet */
    uint32_t serial;   /* of the request that is served */
    uint64_t deadline; /* GRANTED: then the cluster is asked whether it lives, */
    uint8_t pings;     /* so often; and then it is believed to have the page */
};

struct shm_server {
    int regions, pages, clusters, requests;
    uint32_t words; /* of a set of clusters */
    struct shm_region_slot *region;
    struct shm_page_slot *page;
    struct shm_request *request; /* SHM_REQUESTS for each cluster in turn */
    uint16_t *opens;             /* [region][cluster] */
    uint64_t *copies;            /* [page]: set of clusters that may have it */
    uint64_t *asks;              /* [page]: set of clusters that are still to be asked for it */
    struct b_bitmap used;        /* of the table of pages */
    struct b_list active;
};

static inline uint16_t *shm_opens(struct shm_server *n, const struct shm_region_slot *g,
                                  int cluster)
{
    return &n->opens[(g - n->region) * n->clusters + cluster];
}

/* Pages (page.c). ask: a request for a page of region g; tick: what is due; idle: nothing is under
 * way for pages first .. first + n - 1. */
void svc_shm_page_ask(struct svc_server *s, uint32_t page, struct shm_request *r);
void svc_shm_page_told(struct svc_server *s, uint32_t page, int cluster);
uint64_t svc_shm_page_tick(struct svc_server *s, uint64_t now);
bool svc_shm_page_idle(const struct shm_server *n, uint32_t first, uint32_t pages);
void svc_shm_page_init(struct shm_server *n, uint32_t first, uint32_t pages);

#endif
