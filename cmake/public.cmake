# What programs of others link: the client and the rules core as one static
# library, with their headers and a pkg-config file. `cmake --install build/dev
# --component development --prefix DIR` installs just these.
include(GNUInstallDirs)

add_library(plyd_public STATIC
  $<TARGET_OBJECTS:plyd_base> $<TARGET_OBJECTS:plyd_rules>
  $<TARGET_OBJECTS:plyd_proto> $<TARGET_OBJECTS:plyd_client>)
set_target_properties(plyd_public PROPERTIES OUTPUT_NAME plyd)

install(TARGETS plyd_public COMPONENT development
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/plyd COMPONENT development
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# It says where it lies from where it is read, so that it may lie anywhere.
file(RELATIVE_PATH PLYD_PC_TO_PREFIX
  /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cmake/plyd.pc.in ${CMAKE_BINARY_DIR}/dist/plyd.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/dist/plyd.pc COMPONENT development
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
