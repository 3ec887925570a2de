/* SPDX-License-Identifier: MIT */
/* The parts of a cluster's page cache among themselves. */
#ifndef RMEM_FLOW_H
#define RMEM_FLOW_H

#include <svc/rmem.h>
#include <sys/k_map.h>

/* What a job wants of the flow. */
enum rmem_kind {
    RMEM_PAGE,  /* the page in a line, pinned for the thread */
    RMEM_FAULT, /* the same, and mapped */
    RMEM_GET,   /* bytes into the thread's buffer, past the cache */
    RMEM_PUT,   /* bytes from the thread's buffer; a line that has them is updated */
    RMEM_CLEAN, /* see svc_rmem_clean and its family */
    RMEM_DROP,
    RMEM_DISCARD,
    RMEM_RECALL, /* svc_rmem_recall */
    RMEM_KINDS
};

/* Remote addresses: server, block, byte. */
enum { RMEM_SERVER_SHIFT = 40, RMEM_BLOCK_SHIFT = 12 };
_Static_assert(SVC_PAGE == 1 << RMEM_BLOCK_SHIFT, "a page is a block");
#define RMEM_BLOCKS_MAX ((uint64_t)1 << (RMEM_SERVER_SHIFT - RMEM_BLOCK_SHIFT))

static inline int rmem_server_of(uint64_t at)
{
    return (int)(at >> RMEM_SERVER_SHIFT);
}
static inline uint32_t rmem_block_of(uint64_t at)
{
    return (uint32_t)(at >> RMEM_BLOCK_SHIFT & (RMEM_BLOCKS_MAX - 1));
}
static inline uint64_t rmem_page_of(uint64_t at)
{
    return at & ~(uint64_t)(SVC_PAGE - 1);
}

/* Lines; with the lock of the bell held. */
struct svc_line *svc_rmem_line_find(struct svc_rmem *r, uint64_t page);
struct svc_line *svc_rmem_line_choose(struct svc_rmem *r); /* NULL: all are pinned or busy */
void svc_rmem_line_used(struct svc_rmem *r, struct svc_line *l);
void svc_rmem_line_fetched(struct svc_rmem *r, struct svc_line *l);
/* Takes the page, or the right to change it, if that can be done at once. */
bool svc_rmem_line_recall(struct svc_rmem *r, uint64_t page, bool keep);
uint8_t *svc_rmem_frame(const struct svc_rmem *r, const struct svc_line *l);

static inline enum k_map_access svc_rmem_right(bool write)
{
    return write ? K_MAP_WRITE : K_MAP_READ;
}

/* Exchanges with a server: ask begins one, 0 or an error; answered: 1 it is over, 0 not yet, or an
 * error; withdrawn: after an error, true when nothing of it is under way any more. */
int svc_rmem_ask(struct svc_rmem_flow *f, uint64_t at, const void *buf, size_t size, bool outward);
int svc_rmem_answered(struct svc_rmem_flow *f);
bool svc_rmem_withdrawn(struct svc_rmem_flow *f);

/* The same with the guard: claim asks for a page; tell says that it is there, and is over when
 * svc_rmem_told. */
int svc_rmem_claim(struct svc_rmem_flow *f, uint64_t page, bool write);
void svc_rmem_tell(struct svc_rmem_flow *f, uint64_t page);
bool svc_rmem_told(struct svc_rmem_flow *f);

/* The portals of a server that serve this cluster. */
struct rmem_ports;
int svc_rmem_ports(struct svc_client *c, int server, struct rmem_ports *ports);

/* Maps (map.c). open, close: the space; attach: whom faults tell. take: the next fault as a job,
 * false: none. show: gives the page of the line the access that a fault needs; protect: leaves no
 * more access than said. resolve: lets the thread go on, or ends the machine. */
int svc_rmem_space_open(struct svc_rmem *r);
void svc_rmem_space_close(struct svc_rmem *r);
int svc_rmem_space_attach(struct svc_rmem *r, struct k_bell *bell, struct k_task *task);
bool svc_rmem_fault_take(struct svc_rmem *r, struct svc_rmem_job *j);
int svc_rmem_show(struct svc_rmem *r, struct svc_line *l, bool write);
void svc_rmem_protect(struct svc_rmem *r, struct svc_line *l, enum k_map_access access);
void svc_rmem_fault_resolve(struct svc_rmem *r, struct svc_rmem_job *j, int error);

/* Kicks the flows that wait for a line. */
void svc_rmem_awake(struct svc_rmem *r);

/* A thread no longer uses a line. */
void svc_rmem_let_go(struct svc_rmem *r, struct svc_line *l, bool changed);

/* Steps of the flow: each does what can be done now, and says what is next. */
typedef int rmem_step(struct svc_rmem_flow *f);
extern rmem_step *const svc_rmem_steps[SVC_STEPS];
#define RMEM_REST SVC_STEPS /* waits for a completion or a kick */
/* The step after a conclusion of K_USER0, 1, 2; after an error it is SVC_STEP_FAILED. */
extern const uint8_t svc_rmem_next[SVC_STEPS][3];

#endif
