# SPDX-License-Identifier: MIT
# Images whose test is a program in user mode (docs/riscv.md).

# riscv_user_image(<name> SOURCES ... [KERNEL source] [OPTIONS of the image's linker]), where the compiler is that of bare
# metal: tests/<name>.img. All of the program becomes one object with a C library and calls of its own, of which only its
# main is seen outside. It may ask for nothing of the kernel's: the first link says so.
function(riscv_user_image name)
    cmake_parse_arguments(I "" "" "SOURCES;KERNEL;OPTIONS" ${ARGN})
    set(parts ${PROJECT_SOURCE_DIR}/kernel/test/riscv)
    if(NOT I_KERNEL)
        set(I_KERNEL ${parts}/user_image.c)
    endif()
    set(shared ${PROJECT_SOURCE_DIR}/hal/test/riscv)
    set(bare ${shared}/bare.c)
    objects_once(program SOURCES ${I_SOURCES} ${parts}/user_machines.c ${parts}/user_mode.c ${shared}/machines_bare.c
                 ${shared}/streams.c ${bare} ROOMS ${ROOMS_OF_TESTS} OPTIONS --specs=picolibc.specs)
    set(whole ${CMAKE_BINARY_DIR}/tests/${name}.program)
    set(script ${PROJECT_SOURCE_DIR}/hal/riscv/program.ld)
    separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS}")
    set(link ${CMAKE_C_COMPILER} ${flags} -nostartfiles)
    add_custom_command(OUTPUT ${whole}.o DEPENDS ${program}
                       lw_sys lw_sys_user lw_tasks_user lw_base ${script}
        COMMAND ${link} --specs=picolibc.specs -r -T ${script} -Wl,-d -Wl,--gc-sections -Wl,-e,user_main -Wl,-u,k_start
            ${program} -Wl,--start-group $<TARGET_FILE:lw_sys>
            $<TARGET_FILE:lw_sys_user> $<TARGET_FILE:lw_tasks_user> $<TARGET_FILE:lw_base> -lc -lm -lgcc -Wl,--end-group -o ${whole}.whole
        COMMAND ${link} -Wl,-e,user_main ${whole}.whole -o ${whole}.checked
        COMMAND ${CMAKE_OBJCOPY} --keep-global-symbol=user_main ${whole}.whole ${whole}.o
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${name}_whole DEPENDS ${whole}.o)
    riscv_image(${name} SOURCES ${I_KERNEL} ${bare} ROOMS ${ROOMS_OF_TESTS} LIBS ${I_OPTIONS} ${whole}.o lw_kernel lw_hal_riscv lw_base)
    foreach(base 0x80000000 0x80200000)
        add_dependencies(${name}.${base} ${name}_whole)
    endforeach()
endfunction()

# riscv_user_test(<name> SOURCES ... [VARIANTS ...]): the test of riscv_room_test(<name> ...) once more, as
# <name>.riscv.user, its program in user mode. riscv_user_only_test: of a program that makes sense nowhere else.
function(riscv_user_only_test name)
    cmake_parse_arguments(T "" "" "SOURCES;KERNEL;OPTIONS;VARIANTS" ${ARGN})
    set(parts ${PROJECT_SOURCE_DIR}/hal/test/riscv)
    if(NOT LWMPI_HOSTED)
        riscv_user_image(${name} SOURCES ${T_SOURCES} KERNEL ${T_KERNEL} OPTIONS ${T_OPTIONS})
        return()
    endif()
    riscv_test(${name} SOURCES ${T_SOURCES} ${parts}/machines_host.c ${parts}/qemu.c ${parts}/bare.c
               ROOMS ${ROOMS_OF_TESTS} LIBS lw_kernel lw_sys lw_hal_linux lw_hal_hosted lw_base VARIANTS ${T_VARIANTS})
    if(TARGET ${name}.riscv)
        # What only a program in user mode has is called inside the image alone.
        target_link_options(${name}.riscv PRIVATE -Wl,--wrap=hal_run)
        foreach(symbol k_enter hal_virt hal_virt_host)
            target_link_options(${name}.riscv PRIVATE -Wl,--defsym=${symbol}=k_call)
        endforeach()
    endif()
endfunction()

function(riscv_user_test name)
    cmake_parse_arguments(T "" "" "SOURCES;VARIANTS" ${ARGN})
    if(NOT LWMPI_HOSTED)
        riscv_user_image(${name}_user SOURCES ${T_SOURCES})
        return()
    endif()
    if(NOT TARGET ${name}.riscv)
        return()
    endif()
    foreach(variant baseline ${T_VARIANTS})
        set(run ${name}.riscv.user.${variant})
        if(variant STREQUAL baseline)
            set(run ${name}.riscv.user)
        endif()
        add_test(NAME ${run} COMMAND ${name}.riscv)
        set_tests_properties(${run} PROPERTIES TIMEOUT ${TEST_SECONDS} LABELS riscv ENVIRONMENT
            "LWMPI_MACHINES=${CMAKE_SOURCE_DIR}/machines;LWMPI_TEST_IMAGE=${RISCV_BUILD}/tests/${name}_user.img;LWMPI_VARIANT=${variant}")
    endforeach()
endfunction()
