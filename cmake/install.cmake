# SPDX-License-Identifier: MIT
# `cmake --install build --prefix P`: what a user needs to compile and run, in folders that find each
# other by where they lie, so that P may be moved afterwards.
set(wrappers mpicc mpicxx mpic++ mpiCC mpifort mpif77 mpif90)
list(TRANSFORM wrappers PREPEND ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/)
install(PROGRAMS ${wrappers} DESTINATION bin)
install(TARGETS mpiexec lwmpi_services lwmpi_virt RUNTIME DESTINATION bin)
install(FILES ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/mpirun DESTINATION bin)
install(DIRECTORY ${CMAKE_BINARY_DIR}/lib/ DESTINATION lib USE_SOURCE_PERMISSIONS)
install(DIRECTORY libmpi/include/ DESTINATION include)
install(DIRECTORY ${CMAKE_BINARY_DIR}/include/ DESTINATION include)
install(FILES LICENSE README.md DESTINATION share/doc/lwmpi)
install(DIRECTORY docs DESTINATION share/doc/lwmpi)
install(DIRECTORY machines DESTINATION share/lwmpi)
