/* SPDX-License-Identifier: MIT */
/* What services cost on mppa256, in cycles of the client, and memory; docs/services.md quotes
 * it. The forwarded lookup must be shorter than that in two steps, by threads and by tasks, and
 * what is known must cost less than what is asked for. */
#include <svc/semaphore.h>

#include "world.h"

enum { CLIENT = 5, OWNER = 10, TURNS = 8 };

static const struct svc_form *form; /* constant while clusters run */
static const struct svc_name_protocol *protocol;
static uint64_t lookup[2][2]; /* [form][protocol], set by the client's cluster; sim only */

static uint64_t since(uint64_t began, int turns)
{
    return (k_time_cycles() - began) / (uint64_t)turns;
}

static void measure(struct svc_client *c, struct svc_name_daemon *d)
{
    struct svc_address at;
    char name[] = "rank 0";
    uint64_t began = k_time_cycles();
    for (int i = 0; i < TURNS; i++) {
        name[5] = (char)('0' + i);
        CHECK_EQ(svc_name_lookup(c, name, &at), 0);
    }
    uint64_t first = since(began, TURNS);
    began = k_time_cycles();
    for (int i = 0; i < TURNS; i++) {
        name[5] = (char)('0' + i);
        CHECK_EQ(svc_name_lookup(c, name, &at), 0);
    }
    uint64_t cached = since(began, TURNS);
    CHECK_EQ(d->misses, TURNS);
    CHECK_EQ(d->hits, TURNS);
    CHECK(cached < first);
    CHECK_EQ(svc_name_link(c, "own", 1, SVC_NO_LIMIT), 0);
    began = k_time_cycles();
    for (int i = 0; i < TURNS; i++)
        CHECK_EQ(svc_name_beat(c, "own"), 0);
    uint64_t beat = since(began, TURNS);
    int id = svc_sem_open(c, "s", SVC_SEM_CREATE, 0);
    began = k_time_cycles();
    for (int i = 0; i < TURNS; i++) {
        CHECK_EQ(svc_sem_post(c, id), 0);
        CHECK_EQ(svc_sem_wait(c, id), 0);
    }
    printf("%-6s %-7s: lookup %6" PRIu64 ", cached %6" PRIu64 ", beat %6" PRIu64
           ", post and wait %6" PRIu64 " cycles\n",
           form->name, protocol->name, first, cached, beat, since(began, TURNS));
    lookup[form == &svc_by_tasks][protocol == &svc_name_paper] = first;
}

static int body(void *arg)
{
    (void)arg;
    struct svc_client c;
    int me = world_me(), n = world_info().clusters;
    struct svc_daemon *semaphores = NULL;
    CHECK_EQ(svc_client_open(&c), 0);
    if (me == svc_home()) {
        void *state = world_pages(svc_semaphore_bytes(4, 4));
        svc_semaphore_init(state, 4, 4);
        semaphores = world_start(form, &svc_semaphore_server, state);
    }
    struct world_names w = world_names_start(form, protocol);
    char name[] = "rank 0";
    for (int i = 0; me == OWNER && i < TURNS; i++) {
        name[5] = (char)('0' + i);
        CHECK_EQ(svc_name_link(&c, name, i, SVC_NO_LIMIT), 0);
    }
    world_meet(n);
    if (me == CLIENT)
        measure(&c, w.state);
    world_meet(n);
    if (semaphores)
        world_stop(semaphores, &c);
    world_names_stop(&w, &c);
    return 0;
}

int main(void)
{
    static const struct svc_form *const forms[] = {&svc_by_thread, &svc_by_tasks};
    static const struct svc_name_protocol *const protocols[] = {&svc_name_forward, &svc_name_paper};
    printf("a server %zu bytes, the state of a name daemon %zu bytes, a client %zu bytes\n",
           sizeof(struct svc_daemon), sizeof(struct svc_name_daemon), sizeof(struct svc_client));
    for (int i = 0; i < 4; i++) {
        struct hal_machine m;
        char why[256];
        CHECK_EQ(hal_machine_load("mppa256", &m, why, sizeof why), 0);
        form = forms[i / 2];
        protocol = protocols[i % 2];
        CHECK_EQ(on_machine(&m, body, NULL), 0);
    }
    CHECK(lookup[0][0] < lookup[0][1] && lookup[1][0] < lookup[1][1]);
    return 0;
}
