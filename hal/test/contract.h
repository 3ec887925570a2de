/* SPDX-License-Identifier: MIT */
/* What the contract tests share. They run machines, small ones, and check inside them; a check that
 * fails ends the cluster and thereby, with status 1, the machine. Nothing here needs a host: what
 * starts the machines is hosted/contract_main.c or, for bare metal, riscv/contract_main.c. */
#ifndef HAL_TEST_CONTRACT_H
#define HAL_TEST_CONTRACT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <base/error.h>
#include <hal/clock.h>
#include <hal/core.h>
#include <hal/event.h>
#include <hal/machine.h>
#include <hal/mailbox.h>
#include <hal/power.h>
#include <hal/sync.h>
#include <test/check.h>

#define SECOND  UINT64_C(1000000000)
#define PATIENT (60 * SECOND) /* a machine that takes longer is stuck, however busy it is */

/* A test is a table of machines to run: each runs boot(NULL) on every cluster and must end with
 * `status`. The same table is read where the machine runs and where it is started. */
struct contract_case {
    void (*boot)(void *arg);
    int status;                           /* of the machine; CONTRACT_FAILS: any but 0 */
    void (*adapt)(struct hal_machine *m); /* changes "mini"; NULL: as it is */
    bool (*good)(const char *text);       /* looks at what the console showed; NULL: nobody does */
    bool stuck; /* it ends by deadlock or, where that is not seen, by its time-out */
};
#define CONTRACT_FAILS (-1)
extern const struct contract_case contract_cases[];
extern const size_t contract_case_count;
#define CONTRACT(...)                                                                              \
    const struct contract_case contract_cases[] = {__VA_ARGS__};                                   \
    const size_t contract_case_count = sizeof contract_cases / sizeof contract_cases[0]

/* Work takes time of its own (hal/work.h) instead of that which the computer needs. */
bool contract_modelled(void);

/* `text` holds `part`; else says so, for a case's `good`. */
bool contract_has(const char *text, const char *part);

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
