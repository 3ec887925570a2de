/* SPDX-License-Identifier: MIT */
typedef int lw_services_spawn_empty;
