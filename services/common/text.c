/* SPDX-License-Identifier: MIT */
/* Names, ports and durations of the wire. */
#include <svc/message.h>

#include <base/error.h>
#include <base/mem.h>
#include <sys/k_info.h>
#include <sys/k_types.h>

bool svc_text_valid(const struct svc_text *t)
{
    size_t n = 0;
    while (n < SVC_NAME_MAX && t->text[n] != '\0')
        n++;
    bool valid = n > 0 && n < SVC_NAME_MAX;
    for (size_t i = n; i < SVC_NAME_MAX; i++)
        valid = valid && t->text[i] == '\0';
    return valid;
}

bool svc_text_same(const struct svc_text *a, const struct svc_text *b)
{
    return memcmp(a->text, b->text, SVC_NAME_MAX) == 0;
}

int svc_text_set(struct svc_text *t, const char *name)
{
    memset(t, 0, sizeof *t);
    size_t n = name ? strlen(name) : 0;
    if (n == 0 || n >= SVC_NAME_MAX)
        return -B_EINVAL;
    memcpy(t->text, name, n);
    return 0;
}

int svc_port(enum svc_service service)
{
    struct k_info info;
    k_info(&info);
    return info.mailbox_ports - 1 - (int)service;
}

int svc_cluster(void)
{
    struct k_info info;
    k_info(&info);
    return info.cluster;
}

int svc_home(void)
{
    struct k_info info;
    k_info(&info);
    return info.clusters > info.compute_clusters ? info.compute_clusters : 0;
}

uint64_t svc_cycles(uint32_t us)
{
    struct k_info info;
    k_info(&info);
    uint64_t whole = info.hz / 1000000, rest = info.hz % 1000000;
    return us == SVC_NO_LIMIT ? K_FOREVER : us * whole + us * rest / 1000000;
}
