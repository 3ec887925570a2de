/* SPDX-License-Identifier: MIT */
/* Hosted ports only: what the handler of memory signals asks of the pages. */
#ifndef HAL_HOSTED_PAGE_H
#define HAL_HOSTED_PAGE_H

#include <stdbool.h>

/* If `address` lies in a reserved range and there is a handler, arranges that the interrupted
 * context runs it when the signal handler returns. `context` is what the system gave the signal
 * handler. Async-signal-safe. */
bool hal_page_redirect(void *address, void *context);

#endif
