option(GEODOME_BUILD_CLI "Build the geodome program" ${PROJECT_IS_TOP_LEVEL})
option(GEODOME_BUILD_TESTS "Build the tests" OFF)
option(GEODOME_BUILD_BENCH "Build the benchmarks" OFF)
option(GEODOME_WITH_CHOLMOD "Use CHOLMOD (its supernodal part is GPL); OFF uses Eigen's Cholesky only" ON)
option(GEODOME_WITH_MPI "Also build geodome-mpi, which runs on the nodes of a cluster; needs MPI and the program" OFF)
option(GEODOME_WITH_SLEPC "Eigenvectors of geodome-mpi by SLEPc" OFF)
option(GEODOME_WITH_CGAL "Use CGAL (GPL) as an oracle in tests and a peer in benchmarks" OFF)
option(GEODOME_CHECKED "Also build the library and the program under sanitizers, and tests that link them" OFF)
option(GEODOME_POSIX_ONLY "Use POSIX alone, as on systems other than Linux (src/geodome/base/platform.h)" OFF)
option(GEODOME_FUZZ "Build the fuzz targets with libFuzzer (clang): see the preset fuzz" OFF)
option(GEODOME_PRECOMPILE "Precompile the headers that most files include: builds a quarter faster" OFF)
option(GEODOME_UNITY "Compile files of a folder together: builds in half the time, rebuilds more after a change" OFF)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

# What our own targets compile with. Never -ffast-math: distances between components are infinite.
add_library(geodome_flags INTERFACE)
target_compile_features(geodome_flags INTERFACE cxx_std_20)
target_compile_options(geodome_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 sees overlapping and overlong copies inside std::string where there are none.
  target_compile_options(geodome_flags INTERFACE -Wno-restrict -Wno-stringop-overflow)
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  # Compilers for x86-64 have no fused multiply-add to contract to; others would round differently without this.
  target_compile_options(geodome_flags INTERFACE -ffp-contract=off)
endif()
if(GEODOME_POSIX_ONLY)
  target_compile_definitions(geodome_flags INTERFACE GEODOME_POSIX_ONLY)
endif()
if(GEODOME_UNITY)
  # A file of a group sees the names of others, and is no main file whose anonymous namespace is its own.
  target_compile_options(geodome_flags INTERFACE -Wno-shadow $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
endif()

# The library and the program are what is checked. Tests are only linked to them, so one compilation of the tests
# serves both. Warnings are errors here and nowhere else: a new compiler should not keep anybody from a build.
if(GEODOME_CHECKED)
  add_library(geodome_sanitizers INTERFACE)
  # Of what undefined behaviour is, bad pointers are left to the address sanitizer: checking them twice doubles the
  # time to compile. Code in both parts must agree on who aligns memory, which Eigen would decide by the sanitizer.
  target_compile_options(
    geodome_sanitizers INTERFACE -O1 -g1 -UNDEBUG -fsanitize=address,undefined
                                 -fno-sanitize=null,alignment,object-size,vptr -fno-sanitize-recover=all
                                 -fno-omit-frame-pointer -Werror)
  target_compile_definitions(geodome_sanitizers INTERFACE _GLIBCXX_ASSERTIONS EIGEN_MALLOC_ALREADY_ALIGNED=1)
  target_link_options(geodome_sanitizers INTERFACE -fsanitize=address,undefined)
endif()
