# What `cmake --install` leaves: the library, its headers, and the two ways to find them: find_package(cairn)
# and pkg-config. Users inherit C++20 and, with a static library, the system's threads; nothing else. What the
# library is compiled with (cairn_flags, Eigen) stays behind $<BUILD_INTERFACE:…>; tests/consumers checks it.
if(NOT CAIRN_INSTALL)
  return()
endif()

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/cairn)

# Before 1.0 a new minor version may change the interface, of the source and of the binary.
set(interface_version ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set_target_properties(cairn PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${interface_version})

install(TARGETS cairn EXPORT cairn INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/cairn DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT cairn NAMESPACE cairn:: FILE cairnTargets.cmake DESTINATION ${package_dir})
if(CAIRN_APPS)
  file(RELATIVE_PATH bin_to_lib ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set_target_properties(cairn_program PROPERTIES INSTALL_RPATH "$ORIGIN/${bin_to_lib}")
  install(TARGETS cairn_program)
endif()

configure_package_config_file(cmake/cairnConfig.cmake.in cairnConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(cairnConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cairnConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cairnConfigVersion.cmake
        DESTINATION ${package_dir})

# cairn.pc names its directories from where it lies itself, so that the installed tree can be moved.
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
file(RELATIVE_PATH prefix_to_include ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
file(RELATIVE_PATH prefix_to_lib ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
get_target_property(library_type cairn TYPE)
if(library_type STREQUAL "STATIC_LIBRARY")
  set(pc_threads " -pthread")
endif()
configure_file(cmake/cairn.pc.in cairn.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cairn.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
