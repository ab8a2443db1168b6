include(CMakePackageConfigHelpers)

install(TARGETS geodome EXPORT geodome_targets)
if(GEODOME_BUILD_CLI)
  install(TARGETS geodome_cli)
endif()
install(DIRECTORY src/geodome/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/geodome FILES_MATCHING PATTERN *.h)
install(FILES ${PROJECT_BINARY_DIR}/generated/geodome/base/version.h
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/geodome/base)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/geodome)
# A static library needs at link time what it was built with; the export says so with plain link names.
install(EXPORT geodome_targets NAMESPACE geodome:: DESTINATION ${package_dir})
configure_package_config_file(cmake/geodome-config.cmake.in ${PROJECT_BINARY_DIR}/geodome-config.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/geodome-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/geodome-config.cmake ${PROJECT_BINARY_DIR}/geodome-config-version.cmake
        DESTINATION ${package_dir})
