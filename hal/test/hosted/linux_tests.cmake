# SPDX-License-Identifier: MIT
# What only the linux port promises.
foreach(name wake turn many death jobs page portal enter report trace)
    room_test(hal_linux_${name}_test SOURCES linux_${name}_test.c ${RUN} PORTS linux LABELS hal)
endforeach()
