/* SPDX-License-Identifier: MIT */
/* hal/attend.h: what is sent while a core goes away is seen by its last look or told to its helper,
 * which is played by the core itself. */
#include "contract.h"

#include <hal/attend.h>

#define ROUNDS 500

static void lonely(void)
{
    hal_attend_away();
    hal_attend_urge(hal_cluster());
    hal_attend_wait(); /* latched */
    hal_attend_back();
    hal_attend_urge(hal_cluster()); /* it is back: nobody is told, */
    hal_attend_away();              /* before it goes */
    hal_attend_urge(hal_cluster()); /* twice is once */
    hal_attend_wait();
    hal_attend_back();
}

/* A message goes round; who waits for it waits as a helper. */
static void round_trips(void)
{
    struct hal_mail m = {.data = {0}};
    int clusters = hal_machine_clusters(hal_machine()), next = (hal_cluster() + 1) % clusters, from;
    for (int i = 0; i < ROUNDS; i++) {
        if (i > 0 || hal_cluster() > 0) {
            while (!hal_mailbox_peek(&from)) {
                hal_attend_away();
                hal_attend_wait();
                hal_attend_back();
            }
            CHECK_EQ(hal_mailbox_peek(&from)->data[0], (i - (hal_cluster() == 0)) & 255);
            CHECK_EQ(hal_mailbox_release(from, 1), 0);
        }
        m.data[0] = (uint8_t)i;
        contract_send(next, &m, 1);
        hal_attend_urge(next);
    }
    contract_meet();
}

static void boot(void *arg)
{
    (void)arg;
    contract_meet();
    if (hal_attend_possible()) {
        lonely();
        round_trips();
    } else {
        hal_attend_away();
        hal_attend_urge(0);
        hal_attend_begin();
        hal_attend_wait();
        hal_attend_back();
    }
}

CONTRACT({.boot = boot});
