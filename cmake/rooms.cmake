# SPDX-License-Identifier: MIT
# A room is a folder and a static library lw_<room>; a test is an executable per machine it runs on.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
# What takes longer hangs: many times what a test needs, for computers may be slow or busy. Those that
# consist of many runs have a larger one of their own.
set(TEST_SECONDS 300)
option(LWMPI_HOSTED "build the hosted ports, launcher, tests and programs" ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ${LWMPI_HOSTED}) # on bare metal an image is moved as a whole
set(LWMPI_SANITIZE "" CACHE STRING "address or thread, empty for none")
# Static programs, and the libraries of theirs that are made for size; no sanitizer has any.
set(LWMPI_STATIC OFF)
if(LWMPI_HOSTED AND NOT LWMPI_SANITIZE)
    set(LWMPI_STATIC ON)
endif()
# Warnings are errors where they are our fault: of compilers that are known to have none. What others
# warn of must not keep a user from building.
string(REGEX MATCH "^[0-9]+" major "${CMAKE_C_COMPILER_VERSION}")
set(known OFF)
if("${CMAKE_C_COMPILER_ID} ${major}" MATCHES "^(GNU 1[12]|Clang 14)$")
    set(known ON)
endif()
option(LWMPI_WERROR "warnings are errors" ${known})

# known_options(<variable> <options>...): those of them that this compiler has.
function(known_options variable)
    set(known "")
    foreach(option ${ARGN})
        string(MAKE_C_IDENTIFIER "LWMPI_HAS${option}" has)
        check_c_compiler_flag("${option}" ${has})
        if(${has})
            separate_arguments(option)
            list(APPEND known ${option})
        endif()
    endforeach()
    set(${variable} ${known} PARENT_SCOPE)
endfunction()

add_compile_options(-Wall -Wextra $<$<BOOL:${LWMPI_WERROR}>:-Werror> -Wshadow -Wmissing-prototypes -Wvla -Wundef
                    -fvisibility=hidden)
# Where gcc clears a record by `rep stos` that takes 30 cycles to begin, or 8 bytes at a time: a tenth of a barrier of fibers.
known_options(CLEAR_BY_LOOP -mmemset-strategy=vector_loop:1024:noalign,libcall:-1:noalign)
add_compile_options(${CLEAR_BY_LOOP})
if(LWMPI_SANITIZE)
    add_compile_options(-fsanitize=${LWMPI_SANITIZE} -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${LWMPI_SANITIZE})
endif()
if(LWMPI_HOSTED)
    add_compile_options(-fno-omit-frame-pointer)
else()
    # A cluster's memory is small: an image has the functions that it reaches, each made for size, and nobody follows frames.
    # Where a thread-local variable lies is known when an image is linked, so no table says it. Texts need not begin at words.
    # On RISC-V functions may save registers by calls.
    known_options(SAVE_BY_CALLS -msave-restore)
    known_options(SAVE_INLINE -mno-save-restore)
    known_options(TEXTS_ANYWHERE -malign-data=natural)
    add_compile_options(-ffreestanding -Os ${SAVE_BY_CALLS} -fomit-frame-pointer -ffunction-sections -fdata-sections
                        -ftls-model=local-exec ${TEXTS_ANYWHERE})
endif()

# What makes code small, as far as this compiler has it: gcc 11 has no -Oz, clang no object that holds
# both code and what a linker optimizes. What gcc does to save calls costs more than it saves.
known_options(SMALL_OPTIONS -Oz "-flto -ffat-lto-objects" -fno-inline-functions-called-once -fno-ipa-sra
              -fno-optimize-sibling-calls -fno-shrink-wrap -fno-if-conversion -fno-caller-saves
              -fno-guess-branch-probability -fno-partial-inlining -fno-expensive-optimizations)
list(PREPEND SMALL_OPTIONS -Os)

# The rooms of the shared library are optimized together: a call of MPI goes through many small functions of several of
# them, and takes a fifth more time otherwise (docs/performance.md). The linker makes one object of them, in which the names
# of MPI's functions can still be changed (images).
set(TOGETHER_OPTIONS -O3 -flto)
set(TOGETHER_LINK -r -nostdlib)
set(optimized_link ${TOGETHER_LINK} ${TOGETHER_OPTIONS} -flto=auto -flinker-output=nolto-rel -fPIC)
set(can OFF)
if(LWMPI_HOSTED AND NOT LWMPI_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Debug)
    list(JOIN optimized_link " " CMAKE_REQUIRED_FLAGS)
    check_c_source_compiles("int f(void) { return 0; }" LWMPI_HAS_TOGETHER)
    unset(CMAKE_REQUIRED_FLAGS)
    set(can ${LWMPI_HAS_TOGETHER})
endif()
option(LWMPI_LTO "optimize the rooms of the shared library together" ${can})
if(LWMPI_LTO)
    set(TOGETHER_LINK ${optimized_link})
endif()

# room(<name> [SMALL] SOURCES ... DEPS <rooms>): headers under <room>/include; DEPS give only include
# paths, the link order is the images' business. SMALL: also lw_<name>_small, the same source made for
# size, for static programs. LWMPI_LTO: also lw_<name>_fast, for the shared library. Sets ROOM_LIBRARIES.
# LWMPI_RACES_WATCHED: 1 under the thread sanitizer, which sees one process of those that share memory, else 0.
function(room name)
    cmake_parse_arguments(R "SMALL" "" "SOURCES;DEPS" ${ARGN})
    string(COMPARE EQUAL "${LWMPI_SANITIZE}" thread watched)
    set(ROOM_LIBRARIES lw_${name})
    if(R_SMALL AND LWMPI_STATIC)
        list(APPEND ROOM_LIBRARIES lw_${name}_small)
    endif()
    if(LWMPI_LTO)
        list(APPEND ROOM_LIBRARIES lw_${name}_fast)
    endif()
    foreach(library ${ROOM_LIBRARIES})
        set(kind STATIC)
        if(library MATCHES "_fast$")
            set(kind OBJECT)
        endif()
        # Made where somebody needs it: where the shared library has objects of its own, maybe nobody does.
        add_library(${library} ${kind} EXCLUDE_FROM_ALL ${R_SOURCES})
        target_compile_definitions(${library} PRIVATE LWMPI_RACES_WATCHED=$<BOOL:${watched}>)
        target_include_directories(${library} PUBLIC ${CMAKE_CURRENT_SOURCE_DIR}/include)
        foreach(dep ${R_DEPS})
            target_include_directories(${library} PUBLIC ${CMAKE_SOURCE_DIR}/${dep}/include)
        endforeach()
    endforeach()
    if(TARGET lw_${name}_small)
        # A static program is linked with the functions that it reaches, not with whole files; its
        # linker optimizes them together if it can.
        target_compile_options(lw_${name}_small PRIVATE ${SMALL_OPTIONS} -fno-pic
                               -fomit-frame-pointer -ffunction-sections -fdata-sections)
    endif()
    if(TARGET lw_${name}_fast)
        target_compile_options(lw_${name}_fast PRIVATE ${TOGETHER_OPTIONS})
    endif()
    set(ROOM_LIBRARIES ${ROOM_LIBRARIES} PARENT_SCOPE)
endfunction()

# rooms_together(<object> <port>): a rule that makes <object> of all rooms on `port`.
function(rooms_together object port)
    set(rooms "")
    foreach(name libmpi mpiutil services sys kernel hal_${port} hal_hosted base)
        if(LWMPI_LTO)
            list(APPEND rooms lw_${name}_fast)
        else()
            list(APPEND rooms lw_${name})
        endif()
    endforeach()
    list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
    file(GENERATE OUTPUT ${object}.parts CONTENT "$<JOIN:${objects},\n>\n")
    add_custom_command(OUTPUT ${object}
        COMMAND ${CMAKE_C_COMPILER} ${TOGETHER_LINK} -o ${object} @${object}.parts
        DEPENDS ${rooms} ${objects} ${object}.parts VERBATIM)
endfunction()

# archive_script(<folder> <libraries>...): <folder>/archive.mri, by which `ar -M`, run there, makes liblwmpi.a of them all.
# Its scripts know no blanks in a path, so the parts are named from the folder.
function(archive_script place)
    set(script "CREATE liblwmpi.a\n")
    foreach(part ${ARGN})
        string(APPEND script "ADDLIB $<PATH:RELATIVE_PATH,$<TARGET_FILE:${part}>,${place}>\n")
    endforeach()
    string(APPEND script "SAVE\nEND\n")
    file(GENERATE OUTPUT ${place}/archive.mri CONTENT "${script}")
endfunction()

# stack_headers(<target>): the public headers of the rooms below MPI's interface.
function(stack_headers target)
    foreach(dep base hal sys kernel services mpiutil)
        target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/${dep}/include)
    endforeach()
endfunction()

# Everything below MPI's interface that a program on `port` (sim, linux) is linked from.
function(link_stack target port)
    target_link_libraries(${target} PRIVATE -Wl,--start-group lw_mpiutil lw_services lw_sys lw_kernel
                          lw_hal_${port} lw_hal_hosted lw_base -Wl,--end-group Threads::Threads)
    stack_headers(${target})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/tests/include)
endfunction()
if(LWMPI_HOSTED)
    find_package(Threads REQUIRED)
endif()

# Under a sanitizer everything is slower: tests that repeat do so less often.
set(SLOWER 1)
if(LWMPI_SANITIZE)
    set(SLOWER 10)
endif()

# What the tests labelled linux or unit need, without the launcher's own.
add_custom_target(linux_tests)

# room_test(<name> SOURCES ... [PORTS sim linux] [ARGS ...] [LABELS ...] [HAL_ONLY] [INCLUDES folders]
# [VARIANTS partial full]): one executable and one ctest per port, of the same objects. On sim the test
# runs twice and its output must be the same bytes. An executable's exit code is its verdict. HAL_ONLY
# sees and links no room above hal. VARIANTS: the same once more in each, as <name>.<port>.<variant>. MODELS: and
# on sim all of these with each such LWMPI_MODEL, as <name>.sim.<variant>.<model>.
function(room_test name)
    cmake_parse_arguments(T "HAL_ONLY" "" "SOURCES;PORTS;ARGS;LABELS;INCLUDES;VARIANTS;MODELS" ${ARGN})
    if(NOT LWMPI_HOSTED)
        return()
    endif()
    if(NOT T_PORTS)
        set(T_PORTS sim linux)
    endif()
    set(rooms ${ROOMS_OF_TESTS})
    if(T_HAL_ONLY)
        set(rooms ${ROOMS_OF_HAL})
    endif()
    objects_once(objects SOURCES ${T_SOURCES} ROOMS ${rooms} INCLUDES ${T_INCLUDES} DEFINITIONS SLOWER=${SLOWER})
    foreach(port ${T_PORTS})
        set(exe ${name}.${port})
        add_executable(${exe} ${objects})
        if(T_HAL_ONLY)
            target_link_libraries(${exe} PRIVATE -Wl,--start-group lw_hal_${port} lw_hal_hosted lw_base
                                  -Wl,--end-group Threads::Threads)
        else()
            link_stack(${exe} ${port})
        endif()
        set_target_properties(${exe} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
        if(port STREQUAL linux)
            add_dependencies(linux_tests ${exe})
        endif()
        foreach(variant baseline ${T_VARIANTS})
            set(test ${exe}.${variant})
            if(variant STREQUAL baseline)
                set(test ${exe})
            endif()
            if(port STREQUAL sim)
                add_test(NAME ${test} COMMAND ${CMAKE_SOURCE_DIR}/tools/twice $<TARGET_FILE:${exe}> ${T_ARGS})
            else()
                add_test(NAME ${test} COMMAND ${exe} ${T_ARGS})
            endif()
            set(environment "LWMPI_MACHINES=${CMAKE_SOURCE_DIR}/machines;TSAN_OPTIONS=atexit_sleep_ms=0;LWMPI_VARIANT=${variant}")
            set_tests_properties(${test} PROPERTIES TIMEOUT ${TEST_SECONDS} LABELS "${port};${T_LABELS}"
                ENVIRONMENT "${environment}")
            foreach(model ${T_MODELS})
                if(port STREQUAL sim)
                    add_test(NAME ${test}.${model} COMMAND ${exe} ${T_ARGS})
                    set_tests_properties(${test}.${model} PROPERTIES TIMEOUT ${TEST_SECONDS}
                        LABELS "${port};${T_LABELS}" ENVIRONMENT "${environment};LWMPI_MODEL=${model}")
                endif()
            endforeach()
        endforeach()
    endforeach()
endfunction()

# unit_test(<name> SOURCES ... LIBS ...): a host test that needs no machine.
function(unit_test name)
    cmake_parse_arguments(T "" "" "SOURCES;LIBS;ARGS" ${ARGN})
    if(NOT LWMPI_HOSTED)
        return()
    endif()
    if(NOT TARGET test_assert)
        add_library(test_assert STATIC ${CMAKE_SOURCE_DIR}/tests/assert.c)
        target_include_directories(test_assert PRIVATE ${CMAKE_SOURCE_DIR}/base/include)
    endif()
    add_executable(${name} ${T_SOURCES})
    add_dependencies(linux_tests ${name})
    target_link_libraries(${name} PRIVATE ${T_LIBS} test_assert)
    target_compile_definitions(${name} PRIVATE SLOWER=${SLOWER})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/tests/include)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
    add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
    set_tests_properties(${name} PROPERTIES TIMEOUT ${TEST_SECONDS} LABELS unit
        ENVIRONMENT "LWMPI_MACHINES=${CMAKE_SOURCE_DIR}/machines;TSAN_OPTIONS=atexit_sleep_ms=0")
endfunction()

# counted(<target>): its code counts what it executes, as by mpicc --count. A cache of compiled files does
# not look at the assembler, so what that was made from is part of the command, as an option that says
# nothing else (one may not look at definitions, either).
set(COUNT_FOLDER ${CMAKE_BINARY_DIR}/lib/count)
file(GLOB COUNT_SOURCES CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/launcher/count/*.[ch])
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${COUNT_SOURCES})
set(COUNT_VERSION "")
foreach(source ${COUNT_SOURCES})
    file(SHA256 ${source} hash)
    string(SHA256 COUNT_VERSION "${COUNT_VERSION}${hash}")
endforeach()
string(SUBSTRING "${COUNT_VERSION}" 0 12 COUNT_VERSION)
function(counted target)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64 AND NOT LWMPI_SANITIZE)
        target_compile_options(${target} PRIVATE -B${COUNT_FOLDER}/
            $<IF:$<C_COMPILER_ID:Clang>,-fno-integrated-as,-fno-ipa-ra> -frandom-seed=${COUNT_VERSION})
        add_dependencies(${target} count_as)
    endif()
endfunction()

# mpi_program(<name> SOURCES ... [LIBS ...]): an MPI program as a user would build it: <mpi.h>, the
# library of the linux machine, and a RUNPATH, which mpiexec overrides to run it on another machine.
function(mpi_program name)
    cmake_parse_arguments(P "" "" "SOURCES;LIBS" ${ARGN})
    add_executable(${name} ${P_SOURCES})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/libmpi/include)
    target_link_libraries(${name} PRIVATE mpi_abi_linux ${P_LIBS})
    target_link_options(${name} PRIVATE -Wl,--enable-new-dtags)
endfunction()
