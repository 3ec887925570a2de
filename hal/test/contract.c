/* SPDX-License-Identifier: MIT */
/* What the contract tests share, on every port. */
#include "contract.h"

uint64_t contract_after(uint64_t ns)
{
    return hal_clock_cycles() + ns / 1000 * (hal_clock_hz() / 1000) / 1000;
}

static uint64_t take_word(int from)
{
    int sender;
    uint64_t word;
    UNTIL(hal_sync_peek(&sender, &word) == 0);
    CHECK(from < 0 || sender == from);
    CHECK_EQ(hal_sync_release(sender), 0);
    return word;
}

void contract_meet(void)
{
    int clusters = hal_machine_clusters(hal_machine());
    if (hal_cluster() != 0) {
        UNTIL(hal_sync_signal(0, 1) == 0);
        CHECK_EQ(take_word(0), 2);
        return;
    }
    for (int i = 1; i < clusters; i++)
        CHECK_EQ(take_word(-1), 1);
    for (int i = 1; i < clusters; i++)
        UNTIL(hal_sync_signal(i, 2) == 0);
}

void contract_send(int to, const struct hal_mail *m, size_t used)
{
    int rc;
    do {
        hal_mailbox_verdict(to);
        rc = hal_mailbox_send(to, m, used);
        if (rc == -B_EAGAIN)
            UNTIL(hal_mailbox_verdict(to) >= 0);
    } while (rc == -B_EAGAIN);
    CHECK_EQ(rc, 0);
}

const struct hal_mail *contract_receive(int *from)
{
    const struct hal_mail *m;
    UNTIL((m = hal_mailbox_peek(from)) != NULL);
    return m;
}

bool contract_has(const char *text, const char *part)
{
    if (!strstr(text, part)) {
        fprintf(stderr, "the console lacks \"%s\":\n%s", part, text);
        return false;
    }
    return true;
}
