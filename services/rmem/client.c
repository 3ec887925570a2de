/* SPDX-License-Identifier: MIT */
/* What programs ask of the memory servers themselves: extents and counters. */
#include <svc/rmem.h>

#include <base/error.h>
#include <sys/k_info.h>
#include "rmem/flow.h"
#include "rmem/wire.h"

SVC_ASKS(svc_rmem_server);

int svc_rmem_servers(void)
{
    struct k_info info;
    k_info(&info);
    int io = info.clusters - info.compute_clusters;
    return io == 0 ? 1 : io < SVC_RMEM_SERVERS ? io : SVC_RMEM_SERVERS;
}

int svc_rmem_server_node(int i)
{
    return svc_home() + i;
}

static int ask(struct svc_client *c, int server, int opcode, const void *body, size_t n,
               void *answer, size_t m)
{
    return svc_request(c, svc_rmem_server_node(server), SVC_RMEM, opcode, body, n, answer, m,
                       K_FOREVER);
}

int svc_rmem_ports(struct svc_client *c, int server, struct rmem_ports *ports)
{
    return ask(c, server, RMEM_OPEN, NULL, 0, ports, sizeof *ports);
}

int svc_rmem_counts(struct svc_client *c, int i, struct svc_rmem_counts *counts)
{
    return i < 0 || i >= svc_rmem_servers()
               ? -B_EINVAL
               : ask(c, i, RMEM_COUNTS, NULL, 0, counts, sizeof *counts);
}

/* 0: n bytes are not a number of blocks that can be asked for. */
static uint32_t blocks_of(size_t n)
{
    size_t blocks = n / SVC_PAGE + (n % SVC_PAGE != 0);
    return blocks < RMEM_BLOCKS_MAX ? (uint32_t)blocks : 0;
}

uint64_t svc_rmem_address(int i, uint32_t block)
{
    return (uint64_t)i << RMEM_SERVER_SHIFT | (uint64_t)block << RMEM_BLOCK_SHIFT;
}

struct svc_call *svc_rmem_ask_alloc(struct svc_server *s, int i, uint32_t blocks, unsigned flags,
                                    svc_answered *answered)
{
    struct rmem_alloc body = {blocks, flags};
    return svc_ask(s, svc_rmem_server_node(i), SVC_RMEM, RMEM_ALLOC, &body, sizeof body, answered);
}

struct svc_call *svc_rmem_ask_free(struct svc_server *s, uint64_t at, uint32_t blocks,
                                   svc_answered *answered)
{
    struct rmem_extent body = {rmem_block_of(at), blocks};
    return svc_ask(s, svc_rmem_server_node(rmem_server_of(at)), SVC_RMEM, RMEM_FREE, &body,
                   sizeof body, answered);
}

/* Clusters begin at different servers, so that their pages spread. */
int svc_rmem_alloc(struct svc_client *c, size_t n, unsigned flags, uint64_t *at)
{
    struct k_info info;
    k_info(&info);
    struct rmem_alloc body = {blocks_of(n), flags};
    struct rmem_extent extent;
    int servers = svc_rmem_servers(), e = body.blocks > 0 ? -B_ENOSPC : -B_EINVAL;
    for (int i = 0; i < servers && body.blocks > 0; i++) {
        int server = (info.cluster + i) % servers;
        int r = ask(c, server, RMEM_ALLOC, &body, sizeof body, &extent, sizeof extent);
        if (r == 0) {
            *at = (uint64_t)server << RMEM_SERVER_SHIFT | (uint64_t)extent.first
                                                              << RMEM_BLOCK_SHIFT;
            return 0;
        }
        /* Where one runs that is merely full, more memory would help; else say what is missing. */
        e = i == 0 || e == -B_ENOTCONN ? r : e;
    }
    return e;
}

int svc_rmem_free(struct svc_client *c, uint64_t at, size_t n)
{
    struct rmem_extent body = {rmem_block_of(at), blocks_of(n)};
    int server = rmem_server_of(at);
    if (at != rmem_page_of(at) || body.blocks == 0 || server >= svc_rmem_servers())
        return -B_EFAULT;
    return ask(c, server, RMEM_FREE, &body, sizeof body, NULL, 0);
}
