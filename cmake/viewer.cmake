# The page of `geodome view`, bundled from viewer/ into a source file, so that the program needs no file beside it.
# Its packages come from `scripts/setup viewer`; without them the program is built all the same, and says so.
set(viewer_template ${PROJECT_BINARY_DIR}/generated/view_template.cpp)
set(viewer_packages ${PROJECT_SOURCE_DIR}/build/viewer CACHE PATH "Where scripts/setup put the packages of viewer/")
find_program(NODE_PROGRAM node)

if(NODE_PROGRAM AND EXISTS ${viewer_packages}/installed.json)
  file(GLOB viewer_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/viewer/*.mjs ${PROJECT_SOURCE_DIR}/viewer/src/*)
  add_custom_command(
    OUTPUT ${viewer_template}
    COMMAND ${NODE_PROGRAM} ${PROJECT_SOURCE_DIR}/viewer/bundle.mjs ${viewer_packages} ${viewer_template}
    DEPENDS ${viewer_sources} ${viewer_packages}/installed.json
    COMMENT "Bundling the page of geodome view"
    VERBATIM)
else()
  message(STATUS "geodome view: built without its page; run scripts/setup viewer and configure again")
  file(CONFIGURE OUTPUT ${viewer_template} CONTENT
       "#include \"support/view_template.h\"\n\nstd::string_view geodome::cli::view_template() {\n  return {};\n}\n")
endif()
