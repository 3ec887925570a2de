/* SPDX-License-Identifier: MIT */
/* What programs ask of the name service. */
#include <svc/name.h>

#include <base/error.h>
#include <sys/k_info.h>
#include "name/wire.h"

SVC_ASKS(svc_name_server);
SVC_ASKS(svc_name_daemon);

static struct k_info here(void)
{
    struct k_info info;
    k_info(&info);
    return info;
}

static int ask(struct svc_client *c, int opcode, const void *body, size_t n, void *answer, size_t m)
{
    return svc_request(c, here().cluster, SVC_NAME_DAEMON, opcode, body, n, answer, m, K_FOREVER);
}

int svc_name_link(struct svc_client *c, const char *name, int port, uint32_t ttl_us)
{
    struct name_link body = {.ttl_us = ttl_us, .port = (uint16_t)port};
    int r = svc_text_set(&body.name, name);
    if (r < 0 || port < 0 || port >= here().mailbox_ports)
        return -B_EINVAL;
    return ask(c, DAEMON_LINK, &body, sizeof body, NULL, 0);
}

int svc_name_unlink(struct svc_client *c, const char *name)
{
    struct svc_text text;
    int r = svc_text_set(&text, name);
    return r < 0 ? r : ask(c, DAEMON_UNLINK, &text, sizeof text, NULL, 0);
}

int svc_name_lookup(struct svc_client *c, const char *name, struct svc_address *a)
{
    struct svc_text text;
    struct name_address at;
    int r = svc_text_set(&text, name);
    r = r < 0 ? r : ask(c, DAEMON_LOOKUP, &text, sizeof text, &at, sizeof at);
    if (r == 0)
        *a = (struct svc_address){at.node, at.port};
    return r;
}

int svc_name_beat(struct svc_client *c, const char *name)
{
    struct svc_text text;
    int r = svc_text_set(&text, name);
    return r < 0 ? r : svc_tell(c, svc_home(), SVC_NAME, NAME_BEAT, &text, sizeof text, K_FOREVER);
}

int svc_name_watch(struct svc_client *c, const char *name, uint32_t timeout_us)
{
    struct name_watch body = {.timeout_us = timeout_us};
    struct name_end end;
    int r = svc_text_set(&body.name, name);
    if (r < 0)
        return r;
    r = ask(c, DAEMON_WATCH, &body, sizeof body, &end, sizeof end);
    return r < 0 ? r : (int)end.reason;
}
