option(GEODOME_BUILD_CLI "Build the geodome program" ${PROJECT_IS_TOP_LEVEL})
option(GEODOME_BUILD_TESTS "Build the tests" OFF)
option(GEODOME_BUILD_BENCH "Build the benchmarks" OFF)
option(GEODOME_WITH_CHOLMOD "Use CHOLMOD (its supernodal part is GPL); OFF uses Eigen's Cholesky only" ON)
option(GEODOME_WITH_CGAL "Use CGAL (GPL) as an oracle in tests and a peer in benchmarks" OFF)
option(GEODOME_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(GEODOME_WARNINGS_AS_ERRORS "Treat warnings as errors" OFF)
option(GEODOME_PRECOMPILE "Precompile the headers that most files include: builds a quarter faster" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# What our own targets compile with. Never -ffast-math: distances between components are infinite.
add_library(geodome_flags INTERFACE)
target_compile_features(geodome_flags INTERFACE cxx_std_20)
target_compile_options(geodome_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(GEODOME_WARNINGS_AS_ERRORS)
  target_compile_options(geodome_flags INTERFACE -Werror)
endif()

# The library and the program are what is checked. Tests are only linked for it: instrumenting them too takes three
# times as long to compile.
add_library(geodome_instrumented INTERFACE)
if(GEODOME_SANITIZE)
  # Of what undefined behaviour is, bad pointers are left to the address sanitizer: checking them twice doubles the
  # time to compile.
  target_compile_options(
    geodome_instrumented INTERFACE -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,vptr
                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_compile_definitions(geodome_flags INTERFACE _GLIBCXX_ASSERTIONS)
  target_link_options(geodome_flags INTERFACE -fsanitize=address,undefined)
endif()
