# SPDX-License-Identifier: MIT
# Images of a port that is being written (docs/porting.md): its folder, LWMPI_PORT, with everything that it
# defines, the first instruction and the linker's script, in boot/, included.
set(LWMPI_PORT ${CMAKE_SOURCE_DIR}/hal/template CACHE PATH "folder of the port whose contract tests are port_images")
file(GLOB PORT_SOURCES CONFIGURE_DEPENDS ${LWMPI_PORT}/*.[cS] ${LWMPI_PORT}/boot/*.[cS])
set(PORT_OPTIONS --specs=picolibc.specs -ffunction-sections -fdata-sections)
set(PORT_INCLUDES ${CMAKE_SOURCE_DIR}/base/include ${CMAKE_SOURCE_DIR}/hal/include ${CMAKE_SOURCE_DIR}/tests/include)
add_library(port_code OBJECT EXCLUDE_FROM_ALL ${PORT_SOURCES})
target_compile_options(port_code PRIVATE ${PORT_OPTIONS})
target_include_directories(port_code PRIVATE ${PORT_INCLUDES})
add_custom_target(port_images)
# Of the processor, where it is known (hal/cpu): what the port calls of it.
file(GLOB PORT_CPU CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/hal/cpu/${CMAKE_SYSTEM_PROCESSOR}/*.[cS])
if(PORT_CPU)
    add_library(port_cpu STATIC EXCLUDE_FROM_ALL ${PORT_CPU})
    target_compile_options(port_cpu PRIVATE ${PORT_OPTIONS})
    target_include_directories(port_cpu PRIVATE ${PORT_INCLUDES})
endif()
# What the port's folder leaves out because it stays as it is in the template.
set(PORT_REST attend count page trace user work)
list(TRANSFORM PORT_REST REPLACE "(.+)" "${CMAKE_SOURCE_DIR}/hal/template/\\1.c")
add_library(port_rest STATIC EXCLUDE_FROM_ALL ${PORT_REST})
target_include_directories(port_rest PRIVATE ${PORT_INCLUDES})

# port_image(<name> SOURCES ... [ROOMS ...]): port/<name>.elf, of the contract's tests, or of one that needs rooms above hal.
add_custom_target(port_system_images)
function(port_image name)
    cmake_parse_arguments(I "" "" "SOURCES;ROOMS" ${ARGN})
    set(script ${LWMPI_PORT}/boot/image.ld)
    set(seen ${ROOMS_OF_HAL})
    if(I_ROOMS)
        set(seen ${ROOMS_OF_TESTS})
    endif()
    objects_once(objects SOURCES ${I_SOURCES} ROOMS ${seen} OPTIONS --specs=picolibc.specs)
    add_executable(${name}.port EXCLUDE_FROM_ALL ${objects} $<TARGET_OBJECTS:port_code>)
    set_target_properties(${name}.port PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/port
                          OUTPUT_NAME ${name}.elf LINK_DEPENDS ${script})
    target_link_options(${name}.port PRIVATE --specs=picolibc.specs -nostartfiles -static -no-pie -T ${script}
                        -Wl,--gc-sections -Wl,--no-warn-rwx-segments)
    set(libraries $<TARGET_NAME_IF_EXISTS:port_cpu> port_rest lw_base -lc -lm -lgcc)
    set(all port_images)
    foreach(room ${I_ROOMS})
        list(PREPEND libraries lw_${room})
        set(all port_system_images)
    endforeach()
    target_link_libraries(${name}.port PRIVATE -Wl,--start-group ${libraries} -Wl,--end-group)
    add_dependencies(${all} ${name}.port)
endfunction()
