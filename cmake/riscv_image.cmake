# SPDX-License-Identifier: MIT
# Images of the bare machine (docs/riscv.md) and their tests.

# riscv_image(<name> SOURCES ... ROOMS ... LIBS ...), where the compiler is that of bare metal: tests/<name>.img.
# The program is linked twice, for addresses one cage apart, and the image holds both (hal/riscv/load.c).
function(riscv_image name)
    cmake_parse_arguments(I "" "" "SOURCES;ROOMS;LIBS" ${ARGN})
    set(script ${PROJECT_SOURCE_DIR}/hal/riscv/image.ld)
    set(halves "")
    objects_once(objects SOURCES ${I_SOURCES} ROOMS ${I_ROOMS} OPTIONS --specs=picolibc.specs)
    foreach(base 0x80000000 0x80200000)
        set(elf ${name}.${base})
        add_executable(${elf} ${objects})
        set_target_properties(${elf} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests
                              LINK_DEPENDS ${script})
        target_link_options(${elf} PRIVATE --specs=picolibc.specs -nostartfiles -T ${script}
                            -Wl,--defsym=BASE=${base} -Wl,--gc-sections -Wl,--no-warn-rwx-segments -Wl,-u,rv_reset)
        target_link_libraries(${elf} PRIVATE -Wl,--start-group ${I_LIBS} -lc -lm -lgcc -Wl,--end-group)
        set(half ${CMAKE_BINARY_DIR}/tests/${elf}.bin)
        add_custom_command(OUTPUT ${half} DEPENDS ${elf}
            COMMAND ${CMAKE_OBJCOPY} -O binary $<TARGET_FILE:${elf}> ${half})
        list(APPEND halves ${half})
    endforeach()
    set(image ${CMAKE_BINARY_DIR}/tests/${name}.img)
    add_custom_command(OUTPUT ${image} DEPENDS ${halves}
        COMMAND ${CMAKE_COMMAND} -E cat ${halves} > ${image} VERBATIM)
    add_custom_target(${name}_image ALL DEPENDS ${image})
    add_dependencies(riscv_images ${name}_image)
endfunction()

# riscv_test(<name> SOURCES ... ROOMS ... LIBS ... [VARIANTS ...]), on the host: <name>.riscv runs the image of that name in QEMU,
# deterministically. Its sources start QEMU and judge what comes out.
function(riscv_test name)
    cmake_parse_arguments(T "" "" "SOURCES;ROOMS;LIBS;VARIANTS" ${ARGN})
    if(LWMPI_SANITIZE)
        return()
    endif()
    set(test ${name}.riscv)
    objects_once(objects SOURCES ${T_SOURCES} ROOMS ${T_ROOMS} DEFINITIONS SLOWER=${SLOWER})
    add_executable(${test} ${objects})
    target_link_libraries(${test} PRIVATE -Wl,--start-group ${T_LIBS} -Wl,--end-group Threads::Threads)
    set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    if(RISCV_MISSING)
        set_target_properties(${test} PROPERTIES EXCLUDE_FROM_ALL ON)
        add_test(NAME ${test} COMMAND ${CMAKE_COMMAND} -E echo "skipped: no ${RISCV_MISSING}")
        set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "^skipped:" LABELS riscv)
        return()
    endif()
    add_dependencies(riscv_tests ${test})
    foreach(variant baseline ${T_VARIANTS})
        set(run ${test}.${variant})
        if(variant STREQUAL baseline)
            set(run ${test})
        endif()
        add_test(NAME ${run} COMMAND ${test})
        set_tests_properties(${run} PROPERTIES TIMEOUT ${TEST_SECONDS} LABELS riscv ENVIRONMENT
            "LWMPI_MACHINES=${CMAKE_SOURCE_DIR}/machines;LWMPI_TEST_IMAGE=${RISCV_BUILD}/tests/${name}.img;LWMPI_VARIANT=${variant}")
    endforeach()
endfunction()

# riscv_room_test(<name> SOURCES ... [ROOMS ...] [VARIANTS ...] [RISCV_ONLY]): a test that starts machines by hal_run, on
# bare metal. The same main runs inside the image and beside it (hal/test/riscv). ROOMS: those above kernel that it uses.
# It is also one of those that a port is checked with, unless it has instructions of this processor.
function(riscv_room_test name)
    cmake_parse_arguments(T "RISCV_ONLY" "" "SOURCES;ROOMS;VARIANTS" ${ARGN})
    set(parts ${PROJECT_SOURCE_DIR}/hal/test/riscv)
    set(libs "")
    foreach(room ${T_ROOMS} kernel sys)
        list(APPEND libs lw_${room})
    endforeach()
    if(NOT LWMPI_HOSTED)
        riscv_image(${name} SOURCES ${T_SOURCES} ${parts}/machines_image.c ${parts}/machines_bare.c
                    ${parts}/bare.c ${parts}/streams.c ${parts}/kernel_mode.c
                    ROOMS ${ROOMS_OF_TESTS} LIBS ${libs} lw_hal_riscv lw_base)
        if(NOT T_RISCV_ONLY)
            port_image(${name} SOURCES ${T_SOURCES} ${parts}/../port_machines.c ${parts}/machines_bare.c
                       ${parts}/streams.c ${parts}/kernel_mode.c ROOMS ${T_ROOMS} kernel sys)
        endif()
    else()
        riscv_test(${name} SOURCES ${T_SOURCES} ${parts}/machines_host.c ${parts}/qemu.c
                   ROOMS ${ROOMS_OF_TESTS} LIBS ${libs} lw_hal_linux lw_hal_hosted lw_base VARIANTS ${T_VARIANTS})
    endif()
    if(TARGET ${name}.riscv)
        target_link_options(${name}.riscv PRIVATE -Wl,--wrap=hal_run)
        if(NOT T_RISCV_ONLY)
            add_dependencies(port_system_judges ${name}.riscv)
        endif()
    endif()
endfunction()

if(NOT LWMPI_HOSTED)
    add_custom_target(riscv_images)
    return()
endif()
if(LWMPI_SANITIZE)
    return()
endif()

# The images are built by the compiler of bare metal, in a folder of their own, for one width of the processor.
set(LWMPI_RISCV_WIDTH 64 CACHE STRING "bits of the processor of bare metal: 64 or 32")
include(riscv_target)
set(RISCV_TARGET ${RISCV_TARGET_${LWMPI_RISCV_WIDTH}})
add_custom_target(riscv_tests)
# What lwmpi port check runs on this computer: for its steps, and for the system after them.
add_custom_target(port_judges)
add_custom_target(port_system_judges)
find_program(RISCV_CC riscv64-unknown-elf-gcc)
find_program(RISCV_QEMU qemu-system-riscv${LWMPI_RISCV_WIDTH})
set(RISCV_MISSING "")
if(NOT RISCV_CC)
    set(RISCV_MISSING "riscv64-unknown-elf-gcc (Debian: gcc-riscv64-unknown-elf)")
elseif(NOT RISCV_QEMU)
    set(RISCV_MISSING "qemu-system-riscv${LWMPI_RISCV_WIDTH} (Debian: qemu-system-misc)")
else()
    execute_process(COMMAND ${RISCV_CC} --specs=picolibc.specs -E -x c /dev/null
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_QUIET)
    if(NOT result EQUAL 0)
        set(RISCV_MISSING "picolibc (Debian: picolibc-riscv64-unknown-elf)")
    endif()
endif()
set(RISCV_BUILD ${CMAKE_BINARY_DIR}/riscv)
set(RISCV_PARTS system/liblwmpi.a user/liblwmpi.a program.o kernel.o kernel_variants.o copies.ld ranks.ld shared.ld rank.ld)
if(NOT RISCV_MISSING)
    # What programs for it are linked with (images/bare).
    list(TRANSFORM RISCV_PARTS PREPEND ${CMAKE_BINARY_DIR}/lib/riscv/)
    add_custom_target(riscv_images ALL BYPRODUCTS ${RISCV_PARTS}
        COMMAND ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${RISCV_BUILD} -G Ninja --log-level=WARNING
            -DCMAKE_TOOLCHAIN_FILE=${CMAKE_SOURCE_DIR}/cmake/riscv${LWMPI_RISCV_WIDTH}.cmake
            -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=-O2 -g -DNDEBUG" -DLWMPI_HOSTED=OFF
            -DRISCV_LIB=${CMAKE_BINARY_DIR}/lib/riscv
        COMMAND ${CMAKE_COMMAND} --build ${RISCV_BUILD} --target riscv_images port_images
        USES_TERMINAL VERBATIM)
endif()
