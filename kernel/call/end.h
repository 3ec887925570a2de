/* SPDX-License-Identifier: MIT */
#ifndef KERNEL_CALL_END_H
#define KERNEL_CALL_END_H

/* Leaves the cluster's figures in the counters; kern_end then ends the cluster with `status`. */
void kern_record(void);
_Noreturn void kern_end(int status);

#endif
