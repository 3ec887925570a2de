# SPDX-License-Identifier: MIT
# What only the simulated machine has.
foreach(part queue route fluid)
    unit_test(hal_sim_${part}_test SOURCES sim_${part}_test.c
              LIBS lw_hal_sim lw_hal_hosted lw_base m)
    target_include_directories(hal_sim_${part}_test PRIVATE ${PROJECT_SOURCE_DIR}/hal)
endforeach()
foreach(part noc energy seed report heat)
    room_test(hal_sim_${part}_test SOURCES sim_${part}_test.c ${RUN} PORTS sim HAL_ONLY)
endforeach()
room_test(hal_sim_conserve_test SOURCES sim_conserve_test.c sim_plan.c ${RUN} PORTS sim HAL_ONLY
          INCLUDES ${PROJECT_SOURCE_DIR}/hal)
room_test(hal_sim_trace_test SOURCES sim_trace_test.c ${RUN} PORTS sim HAL_ONLY
          ARGS ${CMAKE_CURRENT_SOURCE_DIR}/sim_trace_check.py)

# The fluid model against SimGrid, where that is installed.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
    pkg_check_modules(SIMGRID QUIET simgrid)
endif()
include(CheckLanguage)
check_language(CXX)
if(SIMGRID_FOUND AND CMAKE_CXX_COMPILER AND NOT LWMPI_SANITIZE)
    enable_language(CXX)
    add_executable(hal_sim_simgrid_test sim_simgrid_test.cpp sim_plan.c ${RUN})
    set_target_properties(hal_sim_simgrid_test PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests
        CXX_STANDARD 17 COMPILE_OPTIONS "-Wall;-Wextra")
    target_include_directories(hal_sim_simgrid_test PRIVATE ${PROJECT_SOURCE_DIR}/hal
        ${CMAKE_SOURCE_DIR}/base/include ${CMAKE_SOURCE_DIR}/tests/include)
    target_include_directories(hal_sim_simgrid_test SYSTEM PRIVATE ${SIMGRID_INCLUDE_DIRS})
    target_link_libraries(hal_sim_simgrid_test PRIVATE -Wl,--start-group lw_hal_sim lw_hal_hosted
                          lw_base -Wl,--end-group Threads::Threads ${SIMGRID_LINK_LIBRARIES})
    add_test(NAME hal_sim_simgrid_test COMMAND hal_sim_simgrid_test)
else()
    add_test(NAME hal_sim_simgrid_test COMMAND ${CMAKE_COMMAND} -E echo
             "skipped: no SimGrid (Debian: libsimgrid-dev) or C++ compiler, or a sanitizer is on")
    set_tests_properties(hal_sim_simgrid_test PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:")
endif()
set_tests_properties(hal_sim_simgrid_test PROPERTIES TIMEOUT ${TEST_SECONDS} LABELS "sim"
    ENVIRONMENT "LWMPI_MACHINES=${CMAKE_SOURCE_DIR}/machines")
