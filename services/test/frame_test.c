/* SPDX-License-Identifier: MIT */
/* Servers where something is missing: the cluster of the name server ends while a daemon asks it
 * for as much as it has messages for; and no memory is left for the tasks of a server. */
#include <sys/k_mailbox.h>

#include "world.h"

enum { A = 0, LINKS = SVC_OUT - SVC_ROOM };

/* docs/wire.md: the first operation of a name daemon. */
enum { DAEMON_LINK = SVC_OP_FIRST };
struct link {
    struct svc_text name;
    uint32_t ttl_us;
    uint16_t port, zero;
};

static const struct svc_form *form; /* constant while clusters run */
static uint64_t second;             /* likewise; cycles, of most machines here */

/* Asks the own daemon to link a name, and does not wait for the answer. */
static void ask_link(const struct svc_client *c, int i)
{
    struct link body = {.name.text = {'n', (char)('a' + i)}, .ttl_us = SVC_NO_LIMIT, .port = 1};
    struct svc_message m = {.h = {.service = SVC_NAME_DAEMON,
                                  .opcode = DAEMON_LINK,
                                  .node = (uint16_t)world_me(),
                                  .port = (uint16_t)c->port,
                                  .serial = (uint32_t)i}};
    memcpy(m.body, &body, sizeof body);
    long size = sizeof m.h + sizeof body;
    CHECK_EQ(k_mailbox_writeto(c->out, A, svc_port(SVC_NAME_DAEMON), &m, (size_t)size), size);
}

/* Each link is answered, once, and takes no slot. */
static void take_answers(const struct svc_client *c)
{
    uint32_t told = 0;
    for (int i = 0; i < LINKS; i++) {
        struct svc_message m;
        CHECK_EQ(k_mailbox_read(c->in, &m, sizeof m, NULL), (int)sizeof m.h);
        CHECK_EQ(m.h.status, -B_EIO);
        told |= 1u << m.h.serial;
    }
    CHECK_EQ(told, (1u << LINKS) - 1);
}

static int home_ends(void *arg)
{
    (void)arg;
    struct svc_client c;
    int home = svc_home(), n = world_info().clusters;
    CHECK(home != A);
    CHECK_EQ(svc_client_open(&c), 0);
    if (world_me() == home)
        CHECK(k_mailbox_create(svc_port(SVC_NAME)) >= 0);
    world_meet(n);
    if (world_me() != A) {
        world_meet(n);
        return 0;
    }
    uint64_t hz = world_info().hz;
    world_fill(home, svc_port(SVC_NAME), (hz > second ? hz : second) / 100);
    CHECK_EQ(svc_request(&c, home, SVC_NAME, SVC_OP_PING, NULL, 0, NULL, 0, 1), -B_ETIMEDOUT);
    struct svc_name_daemon *state = world_pages(sizeof *state);
    svc_name_daemon_init(state, &svc_name_forward);
    struct svc_daemon *d = world_start(form, &svc_name_daemon, state);
    for (int i = 0; i < LINKS; i++)
        ask_link(&c, i);
    CHECK_EQ(svc_name_unlink(&c, "none"), -B_ENOENT); /* so it has taken those before */
    world_meet(n);
    take_answers(&c);
    CHECK_EQ(svc_name_link(&c, "na", 1, SVC_NO_LIMIT), -B_EIO);
    world_stop(d, &c);
    CHECK_EQ(k_page_free(state, sizeof *state), 0);
    svc_client_close(&c);
    return 0;
}

/* What the memory of the daemon held before looks like tasks in a queue. Where operations are no
 * tasks the first task of a cluster needs pages. */
static int no_pages(void *arg)
{
    (void)arg;
    enum { MOST = 1024 };
    if (world_me() != A)
        return 0;
    struct svc_client c;
    struct svc_name_daemon *state = world_pages(sizeof *state);
    struct svc_daemon *d = world_pages(sizeof *d);
    size_t page = hal_machine()->page_size;
    void **p = world_pages(MOST * sizeof *p);
    int left = 0;
    CHECK_EQ(svc_client_open(&c), 0);
    svc_name_daemon_init(state, &svc_name_forward);
    d->serve.state = d->clock.state = K_TASK_STOPPED;
    while (left < MOST && k_page_alloc(page, &p[left]) == 0)
        left++;
    int r = svc_daemon_start(d, &svc_by_tasks, &svc_name_daemon, state, A);
    CHECK(r == 0 || r == -B_ENOMEM);
    while (left > 0)
        CHECK_EQ(k_page_free(p[--left], page), 0);
    if (r < 0)
        CHECK_EQ(svc_daemon_start(d, &svc_by_tasks, &svc_name_daemon, state, A), 0);
    world_stop(d, &c);
    return 0;
}

int main(void)
{
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
    second = m.hz;
    CHECK_EQ(on_machine(&m, no_pages, NULL), 0);
    for (int i = 0; i < 4; i++) {
        form = forms[i / 2];
        m.asymmetric = i % 2 != 0;
        CHECK_EQ(on_machine(&m, home_ends, NULL), 0);
    }
    for (int i = 0; i < 2; i++) { /* messages are taken back while they are at the network */
        form = forms[i];
        m.hz = second / 100000;
        CHECK_EQ(on_machine(&m, home_ends, NULL), 0);
    }
    return 0;
}
