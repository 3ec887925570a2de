/* SPDX-License-Identifier: MIT */
/* A program in user mode asks the computer that runs QEMU: for a file, which it gets if the machine
 * was started so; and for what it may not, as data to or from where it has no business. */
#include <limits.h>

#include <hal/virt.h>
#include <sys/k_info.h>
#include <test/bare.h>
#include <test/on_machine.h>

enum { OPEN = 1, CLOSE = 2, WRITE = 5, READ = 6, SYSTEM = 0x12, EXIT = 0x18, REMOVE = 0xe };

static const char name[] = "/proc/self/comm"; /* QEMU's own name */

static long ask(long operation, long a, long b, long c)
{
    const long arguments[] = {a, b, c};
    return hal_virt_host(operation, arguments);
}

static long open_name(void)
{
    return ask(OPEN, (long)name, 1, sizeof name - 1);
}

/* What is the kernel's, another cluster's, a device, the own text. */
static void check_places(long file)
{
    const uintptr_t bad[] = {bare_cage(0), bare_cage(1), bare_at(BARE_NETWORK),
                             bare_at(BARE_SERIAL), (uintptr_t)hal_virt()};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        CHECK_EQ(ask(READ, file, (long)bad[i], 8), -B_EFAULT);
        CHECK_EQ(ask(WRITE, file, (long)bad[i], 8), -B_EFAULT);
        CHECK_EQ(ask(REMOVE, (long)bad[i], 8, 0), -B_EFAULT);
        CHECK_EQ(hal_virt_host(CLOSE, (void *)bad[i]), -B_EFAULT);
    }
    CHECK_EQ(ask(READ, file, (long)open_name, 4), -B_EFAULT);
}

static void check_bad(long file)
{
    static char endless[2048];
    char here[8];
    CHECK_EQ(ask(READ, file, (long)here, LONG_MAX), -B_EFAULT);
    CHECK_EQ(ask(READ, file, (long)here, -1), -B_EFAULT);
    CHECK_EQ(hal_virt_host(CLOSE, here + 1), -B_EFAULT);
    CHECK_EQ(ask(SYSTEM, (long)name, sizeof name - 1, 0), -B_ENOSYS);
    CHECK_EQ(ask(EXIT, 0x20026, 0, 0), -B_ENOSYS);
    CHECK_EQ(ask(-1, 0, 0, 0), -B_ENOSYS);
    CHECK_EQ(ask(LONG_MAX, 0, 0, 0), -B_ENOSYS);
    memset(endless, 'a', sizeof endless);
    CHECK_EQ(ask(OPEN, (long)endless, 1, sizeof endless), -B_EINVAL);
}

static int may(void *arg)
{
    char got[5] = "";
    (void)arg;
    long file = open_name();
    CHECK(file > 0);
    CHECK_EQ(ask(READ, file, (long)got, 4), 0);
    CHECK(strcmp(got, "qemu") == 0);
    check_places(file);
    check_bad(file);
    CHECK_EQ(ask(CLOSE, file, 0, 0), 0);
    return 0;
}

static int may_not(void *arg)
{
    (void)arg;
    CHECK_EQ(open_name(), -B_ENOSYS);
    return 0;
}

int main(void)
{
    struct hal_machine m;
    one_cluster("mini", false, &m);
    CHECK_EQ(on_machine(&m, may_not, NULL), 0);
    bare_ask(true);
    CHECK_EQ(on_machine(&m, may, NULL), 0);
    return 0;
}
