/* SPDX-License-Identifier: MIT */
/* Hosted ports only: what the handler of memory signals asks of the pages. */
#ifndef HAL_HOSTED_PAGE_H
#define HAL_HOSTED_PAGE_H

#include <stdbool.h>

/* Does `address` lie in a reserved range, and is there a handler? Async-signal-safe. */
bool hal_page_reserved(const void *address);

/* If that is so, arranges that the interrupted
 * context runs it when the signal handler returns. `context` is what the system gave the signal
 * handler. Async-signal-safe. */
bool hal_page_redirect(void *address, void *context);

#endif
