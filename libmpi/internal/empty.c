/* SPDX-License-Identifier: MIT */
typedef int lw_libmpi_internal_empty;
