/* SPDX-License-Identifier: MIT */
typedef int lw_sys_src_empty;
