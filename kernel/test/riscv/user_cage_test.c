/* SPDX-License-Identifier: MIT */
/* What a program in user mode may not is stopped by the hart and named, and the machine ends with a
 * status that says so. Each machine does one kind of wrong, in a thread of cluster 1 on core 2,
 * while all others wait. What a program may not, but asks the kernel to do for it, is refused. */
#include <errno.h>
#include <limits.h>

#include <sys/k_crowd.h>
#include <sys/k_ikc.h>
#include <sys/k_info.h>
#include <sys/k_mailbox.h>
#include <sys/k_map.h>
#include <sys/k_task.h>
#include <sys/k_thread.h>
#include <sys/k_wait.h>
#include <test/bare.h>
#include <test/on_machine.h>

enum { WHO = 1, CORE = 2, STATUS = 139 };

static void store(uintptr_t address)
{
    *(volatile uint32_t *)address = 1;
}

static uint32_t load(uintptr_t address)
{
    return *(volatile uint32_t *)address;
}

static void jump(uintptr_t address)
{
    void (*there)(void);
    memcpy(&there, &address, sizeof there);
    there();
}

/* The window of this cluster: it begins with the kernel's state. */
static uintptr_t window(void)
{
    struct k_info info;
    k_info(&info);
    return bare_cage(WHO + 1) - info.compute_memory;
}

static void reads_other(void)
{
    load(bare_cage(0) + bare_cage_bytes() - 4);
}

static void writes_other(void)
{
    store(bare_cage(2) + bare_cage_bytes() - 4);
}

static void reads_kernel(void)
{
    load(window());
}

static void writes_kernel(void)
{
    store(window() + 64);
}

static void reads_kernel_text(void)
{
    load(bare_cage(WHO));
}

static void calls_kernel(void)
{
    jump(bare_cage(WHO) + 64);
}

static void reads_network(void)
{
    load(bare_at(BARE_NETWORK));
}

static void interrupts_other(void)
{
    store(bare_at(BARE_INTERRUPTS));
}

static void writes_serial(void)
{
    store(bare_at(BARE_SERIAL));
}

static void ends_machine(void)
{
    store(bare_at(BARE_FINISHER));
}

static void reads_image(void)
{
    load(bare_at(BARE_IMAGE));
}

static void writes_machine(void)
{
    store((uintptr_t)bare_machine());
}

static void writes_null(void)
{
    uintptr_t null = 0;
    __asm__("" : "+r"(null)); /* the compiler knows what it is */
    store(null);
}

static void writes_text(void)
{
    store((uintptr_t)writes_text & ~(uintptr_t)3);
}

static void executes_data(void)
{
    static uint32_t returns = 0x00008067;
    jump((uintptr_t)&returns);
}

static int falls(int n)
{
    volatile char much[256];
    much[0] = (char)n;
    return n == 0 ? 0 : falls(n - 1) + much[0];
}

static void overflows(void)
{
    falls(100000);
}

/* In numbers, as this file is also compiled where nobody runs them. */
static void asks_hart(void)
{
    __asm__ volatile(".long 0xf14022f3"); /* csrr t0, mhartid */
}

static void takes_rights(void)
{
    __asm__ volatile(".long 0x3a005073"); /* csrwi pmpcfg0, 0 */
}

static void leaves_mode(void)
{
    __asm__ volatile(".long 0x30200073"); /* mret */
}

static void stops_hart(void)
{
    __asm__ volatile(".long 0x10500073"); /* wfi */
}

#define MAY_NOT_LOAD  "load where it may not: cause 5"
#define MAY_NOT_STORE "store where it may not: cause 7"
#define MAY_NOT_JUMP  "jump to where it may not: cause 1"
#define ILLEGAL       "illegal instruction: cause 2"

static const struct wrong {
    void (*what)(void);
    const char *text;
} wrongs[] = {
    {reads_other, MAY_NOT_LOAD},
    {writes_other, MAY_NOT_STORE},
    {reads_kernel, MAY_NOT_LOAD},
    {writes_kernel, MAY_NOT_STORE},
    {reads_kernel_text, MAY_NOT_LOAD},
    {calls_kernel, MAY_NOT_JUMP},
    {reads_network, MAY_NOT_LOAD},
    {interrupts_other, MAY_NOT_STORE},
    {writes_serial, MAY_NOT_STORE},
    {ends_machine, MAY_NOT_STORE},
    {reads_image, MAY_NOT_LOAD},
    {writes_machine, MAY_NOT_STORE},
    {writes_null, MAY_NOT_STORE},
    {writes_text, MAY_NOT_STORE},
    {executes_data, MAY_NOT_JUMP},
    {overflows, "stack overflow: cause 7"},
    {asks_hart, ILLEGAL},
    {takes_rights, ILLEGAL},
    {leaves_mode, ILLEGAL},
    {stops_hart, ILLEGAL},
};

static void does(void *arg)
{
    ((const struct wrong *)arg)->what();
    k_abort(1, "nothing stopped it");
}

static int body(void *arg)
{
    struct k_info info;
    k_info(&info);
    struct k_thread_attr attr = {does, arg, "rank 7", CORE, 0};
    if (info.cluster == WHO)
        CHECK(k_thread_create(&attr) >= 0);
    k_thread_sleep(K_FOREVER);
    return 1;
}

/* Pointers of calls ---------------------------------------------------------------------------- */

static long copies(void *to, const void *from, size_t n)
{
    struct b_piece one = {to, from, n};
    return k_call(K_NR_copy, (long)&one, 1, 0, 0, 0);
}

/* A place that the kernel may write and the program may not, for each kind of pointer. */
static void check_calls(long bad)
{
    char here[16] = "";
    int in = k_mailbox_create(3), out = k_mailbox_open(0, 3);
    CHECK(in >= 0 && out >= 0);
    CHECK_EQ(k_call(K_NR_console, bad, 4, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_console, (long)here, LONG_MAX, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_console, (long)here, -1, 0, 0, 0), -B_EINVAL);
    CHECK_EQ(k_call(K_NR_info, bad, 0, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_memory, 0, bad, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_count, bad, 1, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_page_alloc, 16, bad, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_mailbox_awrite(out, K_ANY, K_ANY, (void *)bad, 8), -B_EFAULT);
    CHECK_EQ(k_mailbox_post(out, K_ANY, K_ANY, (struct k_mail *)bad), -B_EFAULT);
    CHECK_EQ(k_mailbox_aread(in, (void *)bad, 8, NULL), -B_EFAULT);
    CHECK_EQ(k_mailbox_aread(in, here, sizeof here, (struct k_source *)bad), -B_EFAULT);
    CHECK_EQ(k_mailbox_stat(in, K_STAT_READS, (uint64_t *)bad), -B_EFAULT);
    CHECK_EQ(k_wait_on((struct k_wait *)bad, 1), -B_EFAULT);
    CHECK_EQ(k_wake((struct k_wait *)bad, 1), -B_EFAULT);
    CHECK_EQ(k_thread_create((struct k_thread_attr *)bad), -B_EFAULT);
    struct k_thread_attr attr = {does, NULL, (char *)bad, K_ANY, 0};
    CHECK_EQ(k_thread_create(&attr), -B_EFAULT);
    attr = (struct k_thread_attr){.core = K_ANY};
    memcpy(&attr.entry, &bad, sizeof bad);
    CHECK_EQ(k_thread_create(&attr), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_sync_create, bad, 2, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_copy, bad, 1, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(copies((void *)bad, here, 8), -B_EFAULT);
    CHECK_EQ(copies(here, (void *)bad, 8), -B_EFAULT);
    CHECK_EQ(copies(here, here, LONG_MAX), -B_EFAULT);
    CHECK_EQ(copies(here, here, (size_t)-1), -B_EINVAL);
    CHECK_EQ(k_call(K_NR_trace, K_TRACE_BEGIN, bad, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_trace, K_TRACE_END, bad, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_enter(K_NR_task_create, (long)here, (long)here, 0, 0, 0), -B_ENOSYS);
    CHECK_EQ(k_map_page(), 0);
    CHECK_EQ(k_call(100000, 0, 0, 0, 0, 0), -B_ENOSYS);
    CHECK_EQ(k_call(-1, 0, 0, 0, 0, 0), -B_ENOSYS);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

/* Bells: in memory that is the program's, and of a thread, not of what the program says is one. */
static void check_bells(long bad)
{
    struct k_bell b, *kernels = (struct k_bell *)bad;
    struct k_crowd c = {0};
    int in = k_mailbox_create(3);
    CHECK_EQ(k_bell_init(kernels, "bad"), -B_EFAULT);
    CHECK_EQ(k_bell_wait(kernels, 0), -B_EFAULT);
    CHECK_EQ(k_bell_ring(kernels, 1), -B_EFAULT);
    CHECK_EQ(k_call(K_NR_work, 1, bad, 0, 0, 0), -B_EFAULT);
    CHECK_EQ(k_ikc_attach(K_MAILBOX, in, kernels), -B_EFAULT);
    CHECK_EQ(k_bell_init(&b, (char *)bad), 0); /* only a report would look there, and looks twice */
    CHECK_EQ(k_crowd_wait((struct k_crowd *)bad, &b), -B_EFAULT);
    CHECK_EQ(k_crowd_wait(&c, kernels), -B_EFAULT);
    CHECK_EQ(k_crowd_release((struct k_crowd *)bad), -B_EFAULT);
    void *no_owners[] = {(void *)window(), (void *)bad, &c, (void *)8, NULL};
    for (size_t i = 0; i < sizeof no_owners / sizeof no_owners[0]; i++) {
        atomic_store(&b.thread, no_owners[i]);
        CHECK_EQ(k_bell_ring(&b, 1), -B_EINVAL);
        CHECK_EQ(k_bell_wait(&b, 1), -B_EPERM);
        CHECK_EQ(k_crowd_wait(&c, &b), -B_EPERM);
    }
    CHECK_EQ(k_mailbox_unlink(in), 0);
}

/* More mails than the kernel has copies for, to a port that nobody reads: one is refused at last,
 * none is lost, and what the program writes meanwhile to the kernel's part of them is not read. */
static void check_mails(void)
{
    enum { MOST = 300 };
    struct k_mail *m;
    struct k_info info;
    char got[4];
    int in = k_mailbox_create(3), out, posted = 0, arrived = 0, r = 0;
    k_info(&info);
    CHECK((out = k_mailbox_open(info.cluster, 3)) >= 0);
    CHECK_EQ(k_page_alloc(MOST * sizeof *m, (void **)&m), 0);
    for (; r == 0 && posted < MOST; posted += r == 0) {
        m[posted].size = sizeof got;
        r = k_mailbox_post(out, K_ANY, K_ANY, &m[posted]);
        memset(m[posted].kernel, 0x5a, sizeof m->kernel);
    }
    CHECK(r == -B_ENOMEM && posted >= info.mailbox_ports);
    for (; arrived < posted; arrived++)
        CHECK_EQ(k_mailbox_read(in, got, sizeof got, NULL), sizeof got);
    for (int i = 0; i < posted; i++)
        CHECK(!k_mail_busy(&m[i]) && m[i].result == 0);
    CHECK_EQ(k_mailbox_post(out, K_ANY, K_ANY, &m[0]), 0);
    CHECK_EQ(k_mailbox_read(in, got, sizeof got, NULL), sizeof got);
    CHECK_EQ(k_mailbox_close(out), 0);
    CHECK_EQ(k_mailbox_unlink(in), 0);
    CHECK_EQ(k_page_free(m, MOST * sizeof *m), 0);
}

/* A queue whose ends are no threads that wait there. */
static void check_queue(void)
{
    struct k_wait w;
    for (int i = 0; i < 3; i++) {
        k_wait_init(&w, "spoilt");
        k_wait_lock(&w);
        w.head = i == 0 ? (void *)window() : i == 1 ? (void *)&w : (void *)8;
        w.tail = i == 0 ? w.head : NULL;
        CHECK_EQ(k_wake(&w, 1), -B_EFAULT);
        CHECK_EQ(k_wait_on(&w, 1), -B_EFAULT);
    }
}

/* What is a thread's own, in user mode, is so also in the C library. */
static void *own(void)
{
    static _Thread_local int mine = 5;
    return &mine;
}

static void looks(void *arg)
{
    CHECK(own() != arg && *(int *)own() == 5);
    errno = ERANGE;
}

static int refused(void *arg)
{
    (void)arg;
    struct k_thread_attr attr = {looks, own(), "other", K_ANY, 0};
    struct k_info info;
    k_info(&info);
    errno = 0;
    int id = k_thread_create(&attr);
    CHECK(id >= 0);
    CHECK_EQ(k_thread_join(id, NULL), 0);
    CHECK_EQ(errno, 0);
    if (info.cluster == WHO) {
        check_calls((long)window());
        check_bells((long)window());
        check_calls((long)bare_cage(WHO));
        check_bells((long)bare_cage(WHO));
        check_calls((long)bare_cage(0));
        check_bells((long)bare_cage(0));
        check_calls((long)bare_at(BARE_NETWORK));
        check_bells((long)bare_at(BARE_NETWORK));
        uintptr_t last = bare_cage(WHO + 1) - 2; /* what begins there ends outside */
        memset((void *)last, 'x', 2);
        check_calls((long)last);
        CHECK_EQ(k_call(K_NR_info, (long)check_calls, 0, 0, 0, 0), -B_EFAULT); /* own text */
        CHECK_EQ(k_call(K_NR_memory, (long)&id + 1, 0, 0, 0, 0), -B_EFAULT);   /* not aligned */
        check_mails();
        check_queue();
    }
    return 0;
}

int main(void)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
    CHECK_EQ(on_machine(&m, refused, NULL), 0);
    for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
        CHECK_EQ(on_machine(&m, body, (void *)&wrongs[i]), STATUS);
        const char *console = bare_console();
        CHECK(!console || strstr(console, "cluster 1 core 2: thread "));
        CHECK(!console || strstr(console, " 'rank 7' in user mode: "));
        CHECK(!console || strstr(console, wrongs[i].text));
        CHECK(!console || strstr(console, ", hart 6\n"));
    }
    return 0;
}
