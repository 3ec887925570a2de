/* SPDX-License-Identifier: MIT */
#include <sys/k_portal.h>

#include <sys/k_ikc.h>

int k_portal_set_remote(int id, int node, int port)
{
    return (int)k_call(K_NR_portal_control, id, K_CONTROL_SET_REMOTE, node, port, 0);
}

int k_portal_get_port(int id)
{
    return (int)k_call(K_NR_portal_control, id, K_CONTROL_PORT, 0, 0, 0);
}

int k_portal_stat(int id, enum k_stat what, uint64_t *value)
{
    return (int)k_call(K_NR_portal_control, id, K_CONTROL_STAT, what, (long)value, 0);
}

int k_portal_write(int id, const void *buf, size_t n)
{
    int error = k_portal_awrite(id, NULL, buf, n, 0);
    return error < 0 ? error : (int)k_ikc_wait(K_PORTAL, id, K_FOREVER);
}

int k_portal_read(int id, void *buf, size_t n, struct k_source *got)
{
    int error = k_portal_aread(id, NULL, buf, n, got);
    return error < 0 ? error : (int)k_ikc_wait(K_PORTAL, id, K_FOREVER);
}
