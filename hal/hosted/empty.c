/* SPDX-License-Identifier: MIT */
typedef int lw_hal_hosted_empty;
