/* SPDX-License-Identifier: MIT */
/* What runs here: where the running thread keeps the one pointer that is its own (sys/k_info.h,
 * k_thread_local). Programs ask for it more often than for anything else, so it is a plain variable
 * of each core, which the port provides and the kernel sets when the core goes on to another
 * thread. NULL: no thread runs, or a thread of the host that is no core asks. Where one thread of
 * the host is several cores in turn the port sees to it that each has its own. */
#ifndef BASE_HERE_H
#define BASE_HERE_H

extern __attribute__((visibility("hidden"))) _Thread_local void **b_here
    __attribute__((tls_model("initial-exec")));

#endif
