/* SPDX-License-Identifier: MIT */
#include <sys/k_sync.h>

#include <sys/k_ikc.h>

int k_sync_wait(int id, uint64_t timeout)
{
    return (int)k_ikc_wait(K_SYNC, id, timeout);
}

int k_sync_signal(int id)
{
    int result = (int)k_call(K_NR_sync_signal, id, 0, 0, 0, 0);
    return result == 1 ? (int)k_ikc_wait(K_SYNC, id, K_FOREVER) : result;
}

int k_sync_stat(int id, enum k_stat what, uint64_t *value)
{
    return (int)k_call(K_NR_sync_control, id, K_CONTROL_STAT, what, (long)value, 0);
}
