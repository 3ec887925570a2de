/* SPDX-License-Identifier: MIT */
/* A process that was not started as a cluster becomes one on its own stack: its context is the
 * first thread and waits like any other; the shutdown stops the other cores, also those whose
 * threads wait for ever, and the process goes on. */
#define _POSIX_C_SOURCE 200809L
#include <kernel/cluster.h>
#include <sys/k_wait.h>

#include <test/crew.h>
#include <test/on_machine.h>

static void hold_for_ever(int me, void *arg)
{
    struct k_sem *s = arg;
    (void)me;
    k_sem_up(&s[0]);
    k_sem_down(&s[1], K_FOREVER);
}

static void up(int me, void *arg)
{
    (void)me;
    k_sem_up(arg);
}

int main(void)
{
    struct crew_member m[8], left[5];
    struct k_sem s[2];
    CHECK_EQ(setenv("LWMPI_MACHINE", "mini", 1), 0);
    CHECK_EQ(k_thread_self(), -B_EPERM);
    CHECK_EQ(hal_attach(), 0);
    kern_adopt();
    CHECK_EQ(k_thread_self(), 0);
    CHECK_EQ(k_thread_join(0, NULL), -B_EDEADLK);

    struct k_info info;
    k_info(&info);
    CHECK_EQ(info.cores, 4);
    k_sem_init(&s[0], 0);
    k_sem_init(&s[1], 0);
    crew_start(m, 8, -1, up, &s[0]);
    for (int i = 0; i < 8; i++)
        CHECK_EQ(k_sem_down(&s[0], K_FOREVER), 0);
    crew_join(m, 8);
    k_thread_sleep(1000);
    CHECK_EQ(k_sem_down(&s[0], 1000), -B_ETIMEDOUT);

    crew_start(left, 5, -1, hold_for_ever, s);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(k_sem_down(&s[0], K_FOREVER), 0);
    kern_shutdown();
    CHECK_EQ(atomic_load(&kern_cluster()->running), 1); /* it did not give up on a core */
    hal_detach(0);
    puts("after the machine");
    return 0;
}
