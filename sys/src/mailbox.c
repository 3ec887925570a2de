/* SPDX-License-Identifier: MIT */
#include <sys/k_mailbox.h>

#include <sys/k_ikc.h>

int k_mailbox_set_remote(int id, int node, int port)
{
    return (int)k_call(K_NR_mailbox_control, id, K_CONTROL_SET_REMOTE, node, port, 0);
}

int k_mailbox_get_port(int id)
{
    return (int)k_call(K_NR_mailbox_control, id, K_CONTROL_PORT, 0, 0, 0);
}

int k_mailbox_stat(int id, enum k_stat what, uint64_t *value)
{
    return (int)k_call(K_NR_mailbox_control, id, K_CONTROL_STAT, what, (long)value, 0);
}

int k_mailbox_writeto(int id, int node, int port, const void *buf, size_t n)
{
    int error = k_mailbox_awrite(id, node, port, buf, n);
    return error < 0 ? error : (int)k_ikc_wait(K_MAILBOX, id, K_FOREVER);
}

int k_mailbox_write(int id, const void *buf, size_t n)
{
    return k_mailbox_writeto(id, K_ANY, K_ANY, buf, n);
}

int k_mailbox_read(int id, void *buf, size_t n, struct k_source *from)
{
    int error = k_mailbox_aread(id, buf, n, from);
    return error < 0 ? error : (int)k_ikc_wait(K_MAILBOX, id, K_FOREVER);
}
