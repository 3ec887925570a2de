/* SPDX-License-Identifier: MIT */
typedef int lw_hal_template_empty;
