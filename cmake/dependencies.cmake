# Everything comes from packages; nothing is downloaded at configure time.
find_package(Threads REQUIRED)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
find_package(ZLIB REQUIRED)
find_package(BLAS REQUIRED)

# Header-only libraries without a reliable CMake package on Debian 12.
find_path(SPECTRA_INCLUDE_DIR Spectra/SymEigsSolver.h REQUIRED)
find_path(NANOFLANN_INCLUDE_DIR nanoflann.hpp REQUIRED)
find_path(HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h REQUIRED)
add_library(geodome_headers INTERFACE)
target_include_directories(geodome_headers SYSTEM INTERFACE ${SPECTRA_INCLUDE_DIR} ${NANOFLANN_INCLUDE_DIR}
                                                            ${HNSWLIB_INCLUDE_DIR})

if(GEODOME_WITH_CHOLMOD)
  find_path(CHOLMOD_INCLUDE_DIR cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
  find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
  add_library(geodome_cholmod INTERFACE)
  target_include_directories(geodome_cholmod SYSTEM INTERFACE ${CHOLMOD_INCLUDE_DIR})
  target_link_libraries(geodome_cholmod INTERFACE ${CHOLMOD_LIBRARY})
  target_compile_definitions(geodome_cholmod INTERFACE GEODOME_WITH_CHOLMOD)
endif()

if(GEODOME_BUILD_CLI)
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
endif()
if(GEODOME_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(GEODOME_WITH_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)  # the interface of C alone
  find_package(MPI REQUIRED COMPONENTS CXX)
endif()
if(GEODOME_WITH_CGAL)
  find_package(CGAL REQUIRED)
endif()
