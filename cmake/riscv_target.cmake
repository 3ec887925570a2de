# SPDX-License-Identifier: MIT
# The processors of bare metal, by their width, as its compiler knows them. Of RV32 there is a C library without floating
# point; the compiler finds it by an older way to say which instructions there are (-misa-spec).
set(RISCV_TARGET_64 "-march=rv64gc -mabi=lp64d -mcmodel=medany")
set(RISCV_TARGET_32 "-march=rv32imac -misa-spec=2.2 -mabi=ilp32 -mcmodel=medany")
