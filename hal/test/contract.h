/* SPDX-License-Identifier: MIT */
/* What the contract tests share. They run a machine, small unless they say otherwise, and check
 * inside it; a check that fails ends the cluster and thereby, with status 1, the machine. */
#ifndef HAL_TEST_CONTRACT_H
#define HAL_TEST_CONTRACT_H

#include <stdatomic.h>
#include <string.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/hosted.h>
#include <hal/mailbox.h>
#include <hal/power.h>
#include <hal/sync.h>
#include <test/check.h>

#define SECOND  UINT64_C(1000000000)
#define PATIENT (60 * SECOND) /* a machine that takes longer is stuck, however busy it is */

/* A machine file and the default options, with a limit of time. */
void contract_load(const char *machine, struct hal_machine *m, struct hal_options *o);

/* Runs boot(NULL) on every cluster of "mini" and returns the machine's status. */
int contract_run(void (*boot)(void *arg));

/* Runs body() in a process of its own and returns what it wrote to standard error; *status is as of
 * waitpid. The text is valid until the next call. */
const char *contract_capture(void (*body)(void), int *status);

/* The same for a machine that gets stuck: boot(NULL) on every cluster of "mini", which ends by its
 * time-out. While the text is not as it should be this is repeated with more time: on a busy
 * computer clusters may need long to get where they are stuck. */
const char *contract_capture_stuck(void (*boot)(void *arg), bool (*good)(const char *text),
                                   int *status);

/* hal_clock_cycles() after so many nanoseconds from now. */
uint64_t contract_after(uint64_t ns);

/* Waits by events until the condition holds. Fails if the last event is missing: the condition must
 * not become true just because the deadline passed. */
#define UNTIL(condition)                                                                           \
    do {                                                                                           \
        uint64_t limit_ = contract_after(PATIENT / 4);                                             \
        while (!(condition)) {                                                                     \
            hal_event_wait(limit_);                                                                \
            CHECK(hal_clock_cycles() < limit_);                                                    \
        }                                                                                          \
    } while (0)

/* All clusters of the machine meet, by sync words. Takes words from nobody else's use. */
void contract_meet(void);

/* Sends, waiting for a free slot; the verdicts that come back are dropped. */
void contract_send(int to, const struct hal_mail *m, size_t used);

/* Waits for the next message. */
const struct hal_mail *contract_receive(int *from);

#endif
