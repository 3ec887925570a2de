/* SPDX-License-Identifier: MIT */
/* Remote memory is given back while transfers are under way: the free waits for them, they still
 * bring what was there, and nothing new begins. The test speaks with the server itself, for only
 * so it decides when a transfer ends. */
#include <svc/rmem.h>
#include <sys/k_ikc.h>
#include <sys/k_portal.h>

#include "../rmem/wire.h"
#include "memory.h"

enum { TRANSFERS = 2 };

struct asker {
    struct svc_client c;
    int node, portal, in, out;
};

static int ask(struct asker *a, int opcode, const void *body, size_t n, void *answer, size_t m)
{
    uint64_t limit = 10 * world_info().hz;
    return svc_request(&a->c, a->node, SVC_RMEM, opcode, body, n, answer, m, limit);
}

static struct rmem_move whole_page(const struct asker *a, uint32_t block)
{
    return (struct rmem_move){
        .block = block, .size = SVC_PAGE, .port = (uint16_t)k_portal_get_port(a->portal)};
}

/* Asks for a page, but does not grant the transfer yet. */
static void begin_read(struct asker *a, uint32_t block)
{
    struct rmem_move body = whole_page(a, block);
    CHECK_EQ(svc_tell(&a->c, a->node, SVC_RMEM, RMEM_READ, &body, sizeof body, K_FOREVER), 0);
}

static void end_read(struct asker *a, const struct rmem_ports *ports, uint8_t *page)
{
    struct k_source other = {a->node, ports->out};
    memset(page, 0xee, SVC_PAGE);
    CHECK_EQ(k_portal_aread(a->portal, &other, page, SVC_PAGE, NULL), 0);
    CHECK_EQ(k_ikc_wait(K_PORTAL, a->portal, K_FOREVER), SVC_PAGE);
    for (int i = 0; i < SVC_PAGE; i++)
        CHECK_EQ(page[i], 0);
}

/* Asks for the end of an extent, and does not wait for the answer. */
static void begin_free(struct asker *a, const struct rmem_extent *extent)
{
    struct svc_message m = {.h = {.service = SVC_RMEM,
                                  .opcode = RMEM_FREE,
                                  .node = (uint16_t)world_me(),
                                  .port = (uint16_t)k_mailbox_get_port(a->in)}};
    long n = (long)(sizeof m.h + sizeof *extent);
    memcpy(m.body, extent, sizeof *extent);
    CHECK_EQ(k_mailbox_writeto(a->out, a->node, svc_port(SVC_RMEM), &m, (size_t)n), n);
}

static void end_free(struct asker *a)
{
    struct svc_message m;
    CHECK_EQ(k_mailbox_read(a->in, &m, sizeof m, NULL), sizeof m.h);
    CHECK_EQ(m.h.opcode, RMEM_FREE | SVC_ANSWER);
    CHECK_EQ(m.h.status, 0);
}

static void check(struct asker *a)
{
    struct svc_rmem_counts counts;
    struct rmem_ports ports;
    struct rmem_alloc want = {.blocks = TRANSFERS};
    struct rmem_extent extent;
    uint8_t *page = world_pages(SVC_PAGE);
    CHECK_EQ(ask(a, RMEM_OPEN, NULL, 0, &ports, sizeof ports), 0);
    CHECK_EQ(ask(a, RMEM_ALLOC, &want, sizeof want, &extent, sizeof extent), 0);
    for (uint32_t i = 0; i < TRANSFERS; i++)
        begin_read(a, extent.first + i);
    begin_free(a, &extent);
    struct rmem_move late = whole_page(a, extent.first + 1);
    CHECK_EQ(ask(a, RMEM_READ, &late, sizeof late, NULL, 0), -B_EFAULT);
    CHECK_EQ(ask(a, RMEM_FREE, &extent, sizeof extent, NULL, 0), -B_EFAULT);
    CHECK_EQ(ask(a, RMEM_COUNTS, NULL, 0, &counts, sizeof counts), 0);
    CHECK_EQ(counts.used, TRANSFERS);
    for (int i = 0; i < TRANSFERS; i++)
        end_read(a, &ports, page);
    end_free(a);
    CHECK_EQ(ask(a, RMEM_COUNTS, NULL, 0, &counts, sizeof counts), 0);
    CHECK_EQ(counts.used, 0);
    CHECK_EQ(counts.failed, 0);
    CHECK_EQ(counts.frees, 1);
    CHECK_EQ(k_page_free(page, SVC_PAGE), 0);
}

static int body(void *arg)
{
    (void)arg;
    int n = world_info().clusters;
    struct asker a = {.node = svc_rmem_server_node(0)};
    CHECK_EQ(svc_client_open(&a.c), 0);
    for (int form = 0; form < 2; form++) {
        struct memory_server m = memory_start(form == 0 ? &svc_by_thread : &svc_by_tasks);
        world_meet(n);
        if (world_me() == 0) {
            a.portal = svc_portal_create();
            a.in = svc_mailbox_create();
            a.out = k_mailbox_open(K_ANY, K_ANY);
            CHECK(a.portal >= 0 && a.in >= 0 && a.out >= 0);
            check(&a);
            CHECK_EQ(k_mailbox_close(a.out), 0);
            CHECK_EQ(k_mailbox_unlink(a.in), 0);
            CHECK_EQ(k_portal_unlink(a.portal), 0);
        }
        world_meet(n);
        memory_stop(&m, &a.c);
        world_meet(n);
    }
    svc_client_close(&a.c);
    return 0;
}

int main(void)
{
    return world_run(body, NULL);
}
