/* SPDX-License-Identifier: MIT */
/* The template links as a port and answers that it does nothing. */
#include <base/error.h>
#include <hal/attend.h>
#include <hal/board.h>
#include <hal/clock.h>
#include <hal/context.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/lock.h>
#include <hal/machine.h>
#include <hal/mailbox.h>
#include <hal/mem.h>
#include <hal/portal.h>
#include <hal/sync.h>
#include <hal/trace.h>
#include <hal/user.h>
#include <test/check.h>

int main(void)
{
    int from, handle;
    uint32_t cookie;
    uint64_t word;
    size_t n;
    void *p;
    char buf[4] = "abc", copy[4];
    struct hal_mail mail = {.header = {0}};
    struct hal_grant grant = {.to = 0};
    struct hal_lock lock;
    CHECK_EQ(hal_machine_clusters(hal_machine()), 1);
    CHECK_EQ(hal_node(), 0);
    CHECK(hal_node_name()[0] != '\0');
    CHECK(hal_clock_hz() > 0);
    CHECK_EQ(hal_core_start(1, NULL, NULL), -B_ENOSYS);
    CHECK_EQ(hal_event_noc(1), -B_ENOSYS);
    CHECK_EQ(hal_stack_alloc(0, &p, &n), -B_ENOSYS);
    CHECK_EQ(hal_mailbox_send(0, &mail, 0), -B_ENOSYS);
    CHECK_EQ(hal_mailbox_verdict(0), -B_ENOSYS);
    CHECK_EQ(hal_mailbox_verdict_any(), -B_ENOSYS);
    CHECK(!hal_mailbox_peek(&from));
    CHECK_EQ(hal_mailbox_release(0, 0), -B_ENOSYS);
    CHECK_EQ(hal_mailbox_release_late(0, 0), -B_ENOSYS);
    hal_mailbox_settle();
    CHECK_EQ(hal_portal_allow(0, 0, 0, buf, 4), -B_ENOSYS);
    CHECK_EQ(hal_portal_received(0, &n, &cookie), -B_ENOSYS);
    CHECK_EQ(hal_portal_revoke(0), -B_ENOSYS);
    CHECK_EQ(hal_portal_grant(&grant), -B_ENOSYS);
    CHECK_EQ(hal_portal_put(&grant, 0, buf, 0, HAL_PORTAL_DMA, &handle), -B_ENOSYS);
    CHECK_EQ(hal_portal_sent(0), -B_ENOSYS);
    CHECK_EQ(hal_sync_signal(0, 0), -B_ENOSYS);
    CHECK_EQ(hal_sync_peek(&from, &word), -B_ENOSYS);
    CHECK_EQ(hal_sync_release(0), -B_ENOSYS);
    CHECK(!hal_board(&n));
    CHECK_EQ(hal_board_tell(0), -B_ENOSYS);
    CHECK_EQ(hal_board_read(0, 0, NULL, 0), -B_ENOSYS);
    CHECK(!hal_trace_on());
    CHECK(!hal_user_code(hal_machine()) && hal_user_memory(buf, sizeof buf, true));
    CHECK(hal_user_grain() == 1 && hal_user_stack(100) == 100);
    hal_user_waiting(0, &p, &n);
    CHECK(!p && n == 0);
    hal_lock_init(&lock, "template");
    hal_lock(&lock);
    hal_unlock(&lock);
    hal_mem_copy(copy, buf, sizeof copy);
    CHECK(copy[2] == 'c');
    hal_event_wait(0);
    CHECK_EQ(hal_event_spin(), 0);
    CHECK(!hal_event_relax(true));
    CHECK(!hal_event_oversubscribed());
    CHECK(!hal_event_naps());
    CHECK(!hal_attend_possible());
    hal_attend_away();
    hal_attend_urge(0);
    hal_attend_begin();
    hal_attend_wait();
    hal_attend_back();
    return 0;
}
