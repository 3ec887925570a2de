/* SPDX-License-Identifier: MIT */
/* Every way a portal transfer can take: window or other memory at either end, with the system's
 * cross-process writes and with those forbidden (seccomp), so that the bounce buffer serves.
 * Lengths round the sizes of page and bounce buffer; nothing beyond the length is touched. */
#define _GNU_SOURCE
#include "contract_run.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <hal/mem.h>
#include <hal/portal.h>

#define LONGEST   ((size_t)1000000)
#define ROOM      (LONGEST + 64)
#define UNTOUCHED 0x5a

static char outside[ROOM];

/* From now on the system refuses process_vm_writev to this process. */
static void forbid(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    CHECK_EQ(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    CHECK_EQ(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
    CHECK_EQ(process_vm_writev(getpid(), NULL, 0, NULL, 0, 0), -1);
    CHECK_EQ(errno, EPERM);
}

static char expected(size_t i, uint32_t seed)
{
    return (char)(i * 31 + (i >> 8) * 7 + seed);
}

static void send(char *buf, size_t n, uint32_t seed)
{
    for (size_t i = 0; i < n; i++)
        buf[i] = expected(i, seed);
    struct hal_grant g;
    int handle, rc;
    UNTIL(hal_portal_grant(&g) == 0);
    CHECK_EQ(g.to, 1);
    CHECK_EQ(g.cookie, seed);
    CHECK_EQ(hal_portal_put(&g, seed + 1, buf, n, HAL_PORTAL_DMA, &handle), 0);
    UNTIL((rc = hal_portal_sent(handle)) != -B_EAGAIN);
    CHECK_EQ(rc, 0);
    memset(buf, 0, n); /* the buffer is ours again */
    CHECK_EQ(hal_portal_sent(handle), -B_EINVAL);
}

static void receive(char *buf, size_t n, uint32_t seed)
{
    size_t got;
    uint32_t cookie;
    int rc;
    memset(buf, UNTOUCHED, n + 64);
    CHECK_EQ(hal_portal_allow(0, 0, seed, buf, n + 32), 0);
    UNTIL((rc = hal_portal_received(0, &got, &cookie)) != -B_EAGAIN);
    CHECK_EQ(rc, 0);
    CHECK_EQ(got, n);
    CHECK_EQ(cookie, seed + 1);
    for (size_t i = 0; i < n; i++)
        CHECK(buf[i] == expected(i, seed));
    for (size_t i = n; i < n + 64; i++)
        CHECK(buf[i] == UNTOUCHED);
}

static void boot(void *arg)
{
    static const size_t lengths[] = {0, 1, 40, 4095, 4097, 65535, 65536, 65537, 131072, LONGEST};
    void *window;
    size_t size;
    hal_mem_window(&window, &size);
    CHECK(size >= ROOM);
    if (arg)
        forbid();
    uint32_t seed = 0;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (int way = 0; way < 4; way++, seed += 10)
            if (hal_cluster() == 0)
                send((way & 1) != 0 ? window : outside, lengths[i], seed);
            else
                receive((way & 2) != 0 ? window : outside, lengths[i], seed);
    }
}

/* A sender that dies in the middle of a long transfer: the receiver is told, if it lives so
 * long. */
static void abandoned(void *arg)
{
    (void)arg;
    forbid();
    struct hal_grant g;
    size_t got;
    uint32_t cookie;
    int handle, rc;
    if (hal_cluster() == 0) {
        UNTIL(hal_portal_grant(&g) == 0);
        CHECK_EQ(hal_portal_put(&g, 0, outside, LONGEST, HAL_PORTAL_DMA, &handle), 0);
        return;
    }
    CHECK_EQ(hal_portal_allow(0, 0, 0, outside, LONGEST), 0);
    UNTIL((rc = hal_portal_received(0, &got, &cookie)) != -B_EAGAIN);
    CHECK_EQ(rc, -B_EIO);
    CHECK_EQ(hal_portal_received(0, &got, &cookie), -B_EINVAL); /* the channel is free again */
}

/* A channel that is granted again while its last sender still looks at it. */
static void again(void *arg)
{
    enum { TIMES = 20000, FEW = 40 };
    (void)arg;
    forbid();
    for (uint32_t i = 0; i < TIMES; i++)
        if (hal_cluster() == 0)
            send(outside, FEW, i);
        else
            receive(outside, FEW, i);
}

int main(void)
{
    struct hal_machine m;
    struct hal_options o;
    int forbidden = 1;
    contract_load("mini", &m, &o);
    m.io_clusters = 0;
    m.compute_cores = 1;
    m.compute_memory = 2 * 1024 * 1024;
    CHECK_EQ(hal_run(&m, &o, boot, NULL), 0);
    CHECK_EQ(hal_run(&m, &o, boot, &forbidden), 0);
    CHECK_EQ(hal_run(&m, &o, abandoned, NULL), 0);
    CHECK_EQ(hal_run(&m, &o, again, NULL), 0);
    return 0;
}
