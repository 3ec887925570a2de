/* SPDX-License-Identifier: MIT */
/* All cores of a cluster that ends stop, also its first one, which is busy just then with calls of
 * the others: when another cluster waits for ever, nobody can go on, and that is found. */
#include <sys/k_mailbox.h>
#include <sys/k_wait.h>

#include <test/crew.h>

#include "ikc.h"

enum { CALLERS = 2, CALLS = 20, ENDS = 8 };

static int calls; /* of those that end before the cluster does */

static void call(int me, void *arg)
{
    (void)me;
    for (int i = 0; i < calls || !arg; i++)
        CHECK_EQ(k_mailbox_unlink(k_mailbox_create(K_ANY)), 0);
}

static int call_and_end(void)
{
    struct crew_member m[CALLERS];
    int first = 1;
    for (int i = 0; i < CALLERS; i++)
        crew_start(&m[i], 1, 2 + i, call, i == 0 ? &first : NULL);
    crew_join(m, 1);
    return 0;
}

static int wait_for_ever(void)
{
    struct k_sem never;
    k_sem_init(&never, 0);
    k_sem_down(&never, K_FOREVER);
    return 0;
}

static int body(void *arg)
{
    (void)arg;
    return ikc_me() == 0 ? wait_for_ever() : ikc_me() == 1 ? call_and_end() : 0;
}

int main(void)
{
    struct hal_machine m;
    char why[256];
    CHECK_EQ(hal_machine_load("mini", &m, why, sizeof why), 0);
    m.asymmetric = true; /* the first core does what is called on others */
    CHECK(m.compute_cores > 1 + CALLERS);
    for (int i = 1; i <= ENDS; i++) {
        calls = CALLS + i;
        CHECK_EQ(on_machine(&m, body, NULL), 124);
    }
    return 0;
}
