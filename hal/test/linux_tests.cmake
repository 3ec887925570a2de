# SPDX-License-Identifier: MIT
# What only the linux port promises.
foreach(name wake many death jobs portal enter report trace)
    room_test(hal_linux_${name}_test SOURCES linux_${name}_test.c contract.c PORTS linux LABELS hal)
endforeach()
