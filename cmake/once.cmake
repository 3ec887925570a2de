# SPDX-License-Identifier: MIT
# Tests are made of parts that many of them have, and of each there is one for every machine: what is the same in all is
# compiled once.

# objects_once(<variable> SOURCES ... ROOMS ... [INCLUDES folders] [OPTIONS ...] [DEFINITIONS ...]): the objects of these
# sources, which see the headers of these rooms and those of tests. They are what an executable would have compiled. Who asks
# for a source in the same words gets the same object, in other words another one.
function(objects_once variable)
    cmake_parse_arguments(O "" "" "SOURCES;ROOMS;INCLUDES;OPTIONS;DEFINITIONS" ${ARGN})
    set(objects "")
    list(SORT O_ROOMS)
    foreach(source ${O_SOURCES})
        cmake_path(ABSOLUTE_PATH source NORMALIZE)
        cmake_path(GET source STEM name)
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} ${source})
        string(SHA256 words "${path}|${O_ROOMS}|${O_INCLUDES}|${O_OPTIONS}|${O_DEFINITIONS}")
        string(SUBSTRING ${words} 0 8 words)
        set(target once_${name}_${words})
        if(NOT TARGET ${target})
            add_library(${target} OBJECT EXCLUDE_FROM_ALL ${source})
            foreach(room ${O_ROOMS} tests)
                target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/${room}/include)
            endforeach()
            target_include_directories(${target} PRIVATE ${O_INCLUDES})
            target_compile_definitions(${target} PRIVATE ${O_DEFINITIONS})
            target_compile_options(${target} PRIVATE ${O_OPTIONS})
            if(CMAKE_POSITION_INDEPENDENT_CODE) # as programs are, not as libraries
                set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
                target_compile_options(${target} PRIVATE -fPIE)
            endif()
        endif()
        list(APPEND objects $<TARGET_OBJECTS:${target}>)
    endforeach()
    set(${variable} ${objects} PARENT_SCOPE)
endfunction()

# What tests of the contract of hal see, and the others.
set(ROOMS_OF_HAL base hal)
set(ROOMS_OF_TESTS base hal sys kernel services mpiutil)
