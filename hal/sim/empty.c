/* SPDX-License-Identifier: MIT */
typedef int lw_hal_sim_empty;
