# SPDX-License-Identifier: MIT
# What only the simulated machine has.
foreach(part route fluid)
    unit_test(hal_sim_${part}_test SOURCES sim_${part}_test.c LIBS lw_hal_sim lw_hal_hosted lw_base m)
    target_include_directories(hal_sim_${part}_test PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/..)
endforeach()
foreach(part noc energy seed report heat)
    room_test(hal_sim_${part}_test SOURCES sim_${part}_test.c contract.c PORTS sim HAL_ONLY)
endforeach()
room_test(hal_sim_trace_test SOURCES sim_trace_test.c contract.c PORTS sim HAL_ONLY
          ARGS ${CMAKE_CURRENT_SOURCE_DIR}/sim_trace_check.py)
