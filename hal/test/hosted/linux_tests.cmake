# SPDX-License-Identifier: MIT
# What only the linux port promises.
foreach(name wake turn many death jobs page portal serial enter report trace)
    room_test(hal_linux_${name}_test SOURCES linux_${name}_test.c ${RUN} PORTS linux LABELS hal)
endforeach()

# The helper's words alone, with a helper that never naps.
unit_test(hal_linux_attend_test SOURCES linux_attend_test.c ${PROJECT_SOURCE_DIR}/hal/linux/attend.c
          LIBS Threads::Threads)
target_include_directories(hal_linux_attend_test PRIVATE
    ${PROJECT_SOURCE_DIR}/hal/include ${PROJECT_SOURCE_DIR}/base/include)
target_compile_definitions(hal_linux_attend_test PRIVATE _GNU_SOURCE)
