/* SPDX-License-Identifier: MIT */
/* What programs ask of the semaphore service. */
#include <svc/semaphore.h>

#include <base/error.h>
#include <sys/k_info.h>
#include <sys/k_types.h>
#include "semaphore/wire.h"

SVC_ASKS(svc_semaphore_server);

static int ask(struct svc_client *c, int opcode, const void *body, size_t n, void *answer, size_t m)
{
    return svc_request(c, svc_home(), SVC_SEMAPHORE, opcode, body, n, answer, m, K_FOREVER);
}

static int ask_id(struct svc_client *c, int opcode, int id)
{
    struct sem_id body = {(uint32_t)id};
    return ask(c, opcode, &body, sizeof body, NULL, 0);
}

int svc_sem_open(struct svc_client *c, const char *name, unsigned flags, uint32_t value)
{
    struct sem_open body = {.flags = flags, .value = value};
    struct sem_id id;
    int r = svc_text_set(&body.name, name);
    r = r < 0 ? r : ask(c, SEM_OPEN, &body, sizeof body, &id, sizeof id);
    return r < 0 ? r : (int)id.id;
}

int svc_sem_close(struct svc_client *c, int id)
{
    return ask_id(c, SEM_CLOSE, id);
}

int svc_sem_unlink(struct svc_client *c, const char *name)
{
    struct svc_text text;
    int r = svc_text_set(&text, name);
    return r < 0 ? r : ask(c, SEM_UNLINK, &text, sizeof text, NULL, 0);
}

int svc_sem_timedwait(struct svc_client *c, int id, uint32_t timeout_us)
{
    struct sem_wait body = {(uint32_t)id, timeout_us};
    return svc_request(c, svc_home(), SVC_SEMAPHORE, SEM_WAIT, &body, sizeof body, NULL, 0,
                       K_FOREVER);
}

int svc_sem_wait(struct svc_client *c, int id)
{
    return svc_sem_timedwait(c, id, SVC_NO_LIMIT);
}

int svc_sem_trywait(struct svc_client *c, int id)
{
    return ask_id(c, SEM_TRY, id);
}

int svc_sem_post(struct svc_client *c, int id)
{
    return ask_id(c, SEM_POST, id);
}

int svc_sem_value(struct svc_client *c, int id, int *value)
{
    struct sem_id body = {(uint32_t)id};
    struct sem_value v;
    int r = ask(c, SEM_VALUE, &body, sizeof body, &v, sizeof v);
    if (r == 0)
        *value = v.value;
    return r;
}
