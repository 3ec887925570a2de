/* SPDX-License-Identifier: MIT */
/* Remote memory: blocks of 4 KB on memory servers (one per I/O cluster; where there is none, on
 * cluster 0), read and written through a page cache of the cluster. An address names a byte of the
 * machine's remote memory; it is valid in all clusters. docs/services.md tells the flow of a miss.
 *
 * Between clusters nothing is coherent: what one wrote is seen by others after svc_rmem_clean there
 * and svc_rmem_drop here. svc/shm.h is the service that cares for that. */
#ifndef SVC_RMEM_H
#define SVC_RMEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <base/list.h>
#include <svc/client.h>
#include <svc/server.h>
#include <sys/k_bell.h>
#include <sys/k_task.h>
#include <sys/k_types.h>
#include <sys/k_wait.h>

#define SVC_PAGE         4096 /* bytes of a block and of a line of the cache */
#define SVC_RMEM_SERVERS 16
#define SVC_RMEM_MAPS    16 /* of a cache */
#define SVC_RMEM_FLOWS   2

/* Allocation ----------------------------------------------------------------------------------- */

enum svc_rmem_flag {
    SVC_RMEM_SHARED = 1 /* all clusters may read and write it; else only the one that allocated */
};

/* Memory servers of this machine, and the cluster of the i-th. */
int svc_rmem_servers(void);
int svc_rmem_server_node(int i);

/* Allocates n bytes (rounded up to blocks, contiguous, on one server, all zero); *at is a multiple
 * of SVC_PAGE and not 0. Errors: -B_EINVAL n is 0 or too large to say; -B_ENOSPC no server has so
 * many blocks in a row; -B_ENOTCONN no memory server; -B_EIO. Waits. */
int svc_rmem_alloc(struct svc_client *c, size_t n, unsigned flags, uint64_t *at);

/* Gives back exactly what svc_rmem_alloc gave; only in the cluster that allocated it. Drop it from
 * caches first (svc_rmem_discard). Reads and writes under way end first, later ones get -B_EFAULT.
 * -B_EFAULT: no such allocation; -B_EPERM: another cluster's. Waits. */
int svc_rmem_free(struct svc_client *c, uint64_t at, size_t n);

/* For servers: the same, without waiting (svc_ask; NULL: too many are asked). The answer to an
 * allocation has the first block in the first word of its body; address: of a block of server i. */
struct svc_call *svc_rmem_ask_alloc(struct svc_server *s, int i, uint32_t blocks, unsigned flags,
                                    svc_answered *answered);
struct svc_call *svc_rmem_ask_free(struct svc_server *s, uint64_t at, uint32_t blocks,
                                   svc_answered *answered);
uint64_t svc_rmem_address(int i, uint32_t block);

/* The cache ------------------------------------------------------------------------------------ */

enum svc_line_state {
    SVC_LINE_FREE,  /* has no page */
    SVC_LINE_ASKS,  /* waits for the guard's permission to fetch its page */
    SVC_LINE_BUSY,  /* its page is being fetched or written back */
    SVC_LINE_VALID, /* found by its page: always, also when nobody uses it */
};
struct svc_line {
    uint64_t page;  /* remote address */
    uint8_t state;  /* enum svc_line_state */
    bool dirty;     /* differs from the server's block */
    uint16_t pins;  /* threads that copy from or to it now: it stays */
    uint64_t rank;  /* the policy's: the smallest goes first */
    uint8_t access; /* of its page in a map: enum k_map_access */
    uint8_t rights; /* of the cluster: enum k_map_access */
    bool held;      /* VALID, and the guard is asked for more rights */
};

/* Which line goes when all are taken: a named record of what happens to the rank of a line when its
 * page was fetched, when it is used (also right after the fetch), and, for all lines, before one is
 * chosen. `turn` counts the uses of all lines. */
struct svc_rmem_policy {
    const char *name;
    bool caches; /* false: nothing is kept, every access goes to the server */
    uint64_t (*fetched)(uint64_t turn);
    uint64_t (*used)(uint64_t rank, uint64_t turn);
    uint64_t (*passed)(uint64_t rank);
};
/* first in first out; least recently used; not frequently used; aging (use bits shifted in at each
 * miss); no cache. */
extern const struct svc_rmem_policy svc_rmem_fifo, svc_rmem_lru, svc_rmem_nfu, svc_rmem_aging,
    svc_rmem_bypass;

/* When a changed line reaches its server: a named record. back: when it leaves the cache or is
 * cleaned; through: before svc_rmem_write returns. */
struct svc_rmem_mode {
    const char *name;
    bool through;
};
extern const struct svc_rmem_mode svc_rmem_back, svc_rmem_through;

/* How a page is fetched or written: a named record. direct: one message and one transfer. paper: a
 * message, the server's answer that it is ready, the transfer, a message that says how it went
 * (souto-2022, algorithm 3). */
struct svc_rmem_protocol {
    const char *name;
    bool paced;
};
extern const struct svc_rmem_protocol svc_rmem_direct, svc_rmem_paper;

/* Who serves misses: a named record. thread: one of its own; tasks: the graph of souto-2022, figure
 * 9, on the default Dispatcher. */
struct svc_rmem;
struct svc_rmem_flow;
struct svc_rmem_form {
    const char *name;
    int (*begin)(struct svc_rmem *r);
    void (*end)(struct svc_rmem *r);
    void (*kick)(struct svc_rmem_flow *f); /* there is something new for it */
};
extern const struct svc_rmem_form svc_rmem_by_thread, svc_rmem_by_tasks;

struct svc_rmem_attr {
    const struct svc_rmem_protocol *protocol; /* NULL: svc_rmem_direct */
    const struct svc_rmem_policy *policy;     /* NULL: svc_rmem_lru */
    const struct svc_rmem_mode *mode;         /* NULL: svc_rmem_back */
    const struct svc_rmem_form *form;         /* NULL: as the variant says (svc_form_default) */
    int lines;                                /* 1 .. 4096; a bypass needs none */
    const struct svc_rmem_guard *guard;       /* NULL: all that the memory servers allow */
    size_t space; /* bytes of addresses for svc_rmem_map, 0: none; for one cache of a cluster */
};

struct svc_rmem_stat {
    uint64_t gets, hits, misses; /* pages looked for by accesses and faults, found, not found */
    uint64_t fetched, written;   /* transfers from and to servers */
    uint64_t faults;
};

/* Who decides which pages this cluster may keep, and change: a server on svc_home(), named by a
 * record. A miss sends it `ask` and waits for the answer; when the page is there, `told` says so
 * (one-way). Both have a struct svc_rmem_claim as body. */
struct svc_rmem_guard {
    enum svc_service service;
    uint8_t ask, told;
};
struct svc_rmem_claim {
    uint64_t page;
    uint32_t write, zero;
};

/* Remote memory that is seen at addresses of the cluster. */
struct svc_rmem_map {
    uint64_t at;
    size_t offset, size; /* in the space; size 0: unused */
    bool writable;
};

/* One thing that the flow shall do; lies on the stack of the thread that waits for it. */
struct svc_rmem_job {
    struct b_node node;
    uint8_t kind; /* of services/rmem/flow.h */
    bool write;
    bool done;                             /* under wait.lock */
    uint64_t at;                           /* remote address */
    int thread;                            /* that faulted */
    size_t size;                           /* bytes from there */
    void *buf;                             /* of the thread */
    int result;                            /* once done */
    bool keep;                             /* of a recall */
    void (*ended)(struct svc_rmem_job *j); /* instead of waking a thread */
    void *arg;                             /* of who gave `ended` */
    struct svc_line *line;
    struct k_wait wait;
};

/* The tasks of the graph, in the order of the flow. */
enum svc_rmem_step {
    SVC_STEP_FIND,
    SVC_STEP_FLUSH,
    SVC_STEP_FLUSHED,
    SVC_STEP_FETCH,
    SVC_STEP_FETCHED,
    SVC_STEP_INSTALL,
    SVC_STEP_FAILED, /* the catch task */
    SVC_STEPS
};

/* One exchange with a server at a time. */
struct svc_rmem_flow {
    struct svc_rmem *r;
    struct b_queue jobs; /* this and `hungry` under the lock of the bell */
    bool hungry;         /* waits for a line to be unpinned or no longer busy */
    struct svc_rmem_job *job, fault;
    struct svc_line *line; /* that the job is about */
    int cursor;            /* lines that a job over many pages has seen */
    uint8_t phase;         /* enum svc_rmem_step: what completions are for */
    int error;             /* of a job that failed and waits for its channels to come to rest */
    int mail_in, mail_out, portal_in, portal_out; /* objects */
    uint16_t port_mail, port_in, port_out;        /* ports of three of them */
    bool asked, moving, reading; /* mail_out, a portal, mail_in have an operation */
    bool asking;                 /* the exchange is one with the guard */
    bool claims, granted;        /* it gives rights to `line`; it gave them, and shall be told */
    bool pinned;                 /* `line` is, for the thread of the job */
    uint64_t page;               /* that was granted */
    bool outward;                /* it is portal_out that moves */
    int peer;                    /* index of the server */
    void *buf;                   /* of the transfer */
    size_t size;
    uint8_t messages; /* that are still to come from the server; paced only */
    uint32_t serial;
    struct svc_message answer;
    struct k_source from;
    struct k_task step[SVC_STEPS], event;
    struct k_arc arc[20];
};

/* The cache and flow of a cluster; memory of the caller's, all fields the service's. */
struct svc_rmem {
    struct svc_rmem_attr how;
    struct svc_line *line;
    uint8_t *frames;
    void *memory; /* of lines and frames */
    size_t memory_size;
    char *space;   /* addresses for maps, or NULL */
    bool attached; /* it gets the faults there */
    struct {
        uint16_t node, out, in; /* the portals that serve this cluster */
    } server[SVC_RMEM_SERVERS];
    int servers, cluster;

    struct k_bell ring; /* the flows' thread waits on it */
    struct k_sem begun; /* it has begun: with 0 or an error */
    int begin;
    struct k_wait bell; /* its lock guards what follows and the lines */
    uint64_t turn;
    bool over;
    struct svc_rmem_stat stat;
    struct svc_rmem_map map[SVC_RMEM_MAPS];

    /* Two where there is a guard: what it takes back must not wait behind what it is asked for. */
    struct svc_rmem_flow flow[SVC_RMEM_FLOWS];
    int flows;
    int thread;
};

/* Starts a cache in the calling cluster: asks the memory servers for their portals, takes memory by
 * pages. Several may run side by side. -B_EINVAL: attr; -B_ENOTCONN: no memory server runs;
 * -B_ENOMEM: memory, mailboxes, portals or threads; space: -B_ENOSYS the machine has no page
 * protection, -B_EBUSY another cache has it, -B_EINVAL this one does not cache or writes through.
 * Waits. */
int svc_rmem_start(struct svc_rmem *r, struct svc_client *c, const struct svc_rmem_attr *attr);

/* Writes back what is dirty and ends. Returns the first error of the writing. No other call may be
 * under way. Waits. */
int svc_rmem_stop(struct svc_rmem *r);

/* Copies n bytes between the caller and remote memory, any address and size. Errors: -B_EFAULT it
 * is not allocated (-B_EPERM: another cluster's); -B_EIO, -B_ENOTCONN the server is gone. What
 * was copied before the error stays. Waits; any number of threads. */
int svc_rmem_read(struct svc_rmem *r, uint64_t at, void *buf, size_t n);
int svc_rmem_write(struct svc_rmem *r, uint64_t at, const void *buf, size_t n);

/* Over the pages that [at, at+n) touches (all pages: 0, SIZE_MAX): clean writes changes back and
 * keeps the pages; drop writes them back and forgets the pages; discard forgets pages and changes.
 * Errors as for writing; a page that could not be written stays, dirty. Waits. */
int svc_rmem_clean(struct svc_rmem *r, uint64_t at, size_t n);
int svc_rmem_drop(struct svc_rmem *r, uint64_t at, size_t n);
int svc_rmem_discard(struct svc_rmem *r, uint64_t at, size_t n);

/* Makes the n bytes of remote memory from `at` (a multiple of SVC_PAGE) readable, and writable, at
 * *p in this cluster: a page is fetched when a thread first touches it, and goes like any other
 * line. A page is mapped once at a time. Only threads may touch it: buffers of kernel calls must
 * not lie there. An access that cannot be served (not allocated, no permission, read-only, the
 * server is gone) ends the machine with a line that says so. Errors: -B_ENOSYS the machine has no
 * page protection; -B_EINVAL at, n, or the cache has no space; -B_ENOMEM space or table are full;
 * -B_EEXIST a page is mapped. */
int svc_rmem_map(struct svc_rmem *r, uint64_t at, size_t n, bool writable, void **p);

/* Ends it; changes are written back: errors as for writing, and -B_EINVAL: p is no map. */
int svc_rmem_unmap(struct svc_rmem *r, void *p);

/* For the guard's daemon: takes a page back, or (keep) the right to change it, after its changes
 * went to the server. Returns 1 if that is done, 0 if `j` (all zero; of the caller's until then) is
 * under way: then ended(j) is called, from any thread or task, when j->result says how it went. */
int svc_rmem_recall(struct svc_rmem *r, struct svc_rmem_job *j, uint64_t page, bool keep,
                    void (*ended)(struct svc_rmem_job *j), void *arg);

void svc_rmem_stat(struct svc_rmem *r, struct svc_rmem_stat *stat);

/* The server ----------------------------------------------------------------------------------- */

extern const struct svc_class svc_rmem_server;

struct svc_rmem_counts {
    uint32_t allocs, frees, used; /* used: blocks */
    uint32_t reads, writes, failed;
};

/* What server i counted. */
int svc_rmem_counts(struct svc_client *c, int i, struct svc_rmem_counts *counts);

/* Bytes of its state with so many blocks (2 .. 2^24, one of which is its own); prepares that
 * memory. */
size_t svc_rmem_server_bytes(int blocks);
void svc_rmem_server_init(void *state, int blocks);

#endif
