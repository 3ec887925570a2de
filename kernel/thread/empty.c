/* SPDX-License-Identifier: MIT */
typedef int lw_kernel_thread_empty;
