/* SPDX-License-Identifier: MIT */
/* How tests start machines on hosted ports. */
#ifndef HAL_TEST_CONTRACT_RUN_H
#define HAL_TEST_CONTRACT_RUN_H

#include <hal/hosted.h>

#include "../contract.h"

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

#endif
