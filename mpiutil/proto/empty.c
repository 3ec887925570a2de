/* SPDX-License-Identifier: MIT */
typedef int lw_mpiutil_proto_empty;
