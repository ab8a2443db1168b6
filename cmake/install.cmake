include(CMakePackageConfigHelpers)

install(TARGETS geodome EXPORT geodome_targets COMPONENT development)
if(GEODOME_BUILD_CLI)
  install(TARGETS geodome_cli COMPONENT program)
endif()
# The public headers: geodome.h with everything it includes, and the built-in shapes. All others are not installed;
# scripts/test_install compiles each of these alone and fails when one more is installed.
set(public_headers
    geodome.h
    base/error.h
    base/execution.h
    base/interval.h
    base/names.h
    base/types.h
    baselines/options.h
    embedding/embedding.h
    evaluation/bands.h
    evaluation/distance_error.h
    geodesic/options.h
    geodesic/path.h
    geodesic/solver.h
    interpolation/options.h
    landmark/options.h
    landmark/sample.h
    laplacian/options.h
    maps/eccentricity.h
    maps/interpolate_values.h
    maps/mean_distance.h
    maps/partition.h
    maps/region_distances.h
    matrix/distance_matrix.h
    pipeline/methods.h
    pipeline/options.h
    pipeline/plan.h
    pipeline/summary.h
    pipeline/target.h
    shape/builtin/builtin.h
    shape/check.h
    shape/clean.h
    shape/io/read.h
    shape/io/write.h
    shape/shape.h
    shape/surface_point.h)
foreach(header ${public_headers})
  cmake_path(GET header PARENT_PATH folder)
  install(FILES src/geodome/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/geodome/${folder}
          COMPONENT development)
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/geodome/base/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/geodome/base COMPONENT development)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/geodome)
# A static library needs at link time what it was built with; the export says so with plain link names.
install(EXPORT geodome_targets NAMESPACE geodome:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(cmake/geodome-config.cmake.in ${PROJECT_BINARY_DIR}/geodome-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geodome-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geodome-config.cmake ${PROJECT_BINARY_DIR}/geodome-config-version.cmake
        DESTINATION ${package_dir} COMPONENT development)
