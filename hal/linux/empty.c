/* SPDX-License-Identifier: MIT */
typedef int lw_hal_linux_empty;
