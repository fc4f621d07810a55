# What `cmake --install` and the Debian packages hold: three components, as
# three packages. server: plyd, its workers' program, the operator's files,
# the unit. client: ply. development: <plyd/...> and its libraries.
# plyd looks for its configuration in /etc/plyd wherever it was installed; for
# another root use DESTDIR.
include(GNUInstallDirs)
set(PLYD_STATE_DIR /var/lib/plyd)
set(PLYD_CONFIG_DIR /etc/plyd)

install(TARGETS plyd plyd-script COMPONENT server)
install(TARGETS ply COMPONENT client)

# The operator's files: the data lie where the system keeps such.
file(READ ${CMAKE_SOURCE_DIR}/scripts/plyd.lua config)
string(REPLACE "directory = \"var/plyd\"" "directory = \"${PLYD_STATE_DIR}\""
  config "${config}")
file(WRITE ${CMAKE_BINARY_DIR}/dist/plyd.lua "${config}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/scripts/plyd.lua)
install(FILES ${CMAKE_BINARY_DIR}/dist/plyd.lua
  DESTINATION ${PLYD_CONFIG_DIR} COMPONENT server)
foreach(kind rulesets policies personalities lib tournaments)
  if(EXISTS ${CMAKE_SOURCE_DIR}/scripts/${kind})
    install(DIRECTORY ${CMAKE_SOURCE_DIR}/scripts/${kind}
      DESTINATION ${PLYD_CONFIG_DIR} COMPONENT server)
  endif()
endforeach()

install(FILES ${CMAKE_SOURCE_DIR}/docs/dist/plyd.service
  DESTINATION lib/systemd/system COMPONENT server)
install(FILES ${CMAKE_SOURCE_DIR}/docs/dist/plyd.sysusers
  DESTINATION lib/sysusers.d RENAME plyd.conf COMPONENT server)
install(FILES ${CMAKE_SOURCE_DIR}/docs/dist/ply.bash
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ply
  COMPONENT client)

# ---- manual pages --------------------------------------------------------

# help2man writes them from --help, with the words of docs/dist/NAME.h2m, so
# that they cannot drift.
find_program(HELP2MAN help2man REQUIRED)
set(manuals)
# plyd_manual(COMPONENT SECTION NAME program [command])
function(plyd_manual component section title program)
  set(command $<TARGET_FILE:${program}>)
  set(name ${program})
  foreach(word ${ARGN})
    string(APPEND command " ${word}")
    string(APPEND name "-${word}")
  endforeach()
  set(page ${CMAKE_BINARY_DIR}/dist/${name}.${section})
  set(words ${CMAKE_SOURCE_DIR}/docs/dist/${name}.h2m)
  set(include)
  if(EXISTS ${words})
    set(include --include=${words})
  else()
    set(words)
  endif()
  add_custom_command(OUTPUT ${page}
    COMMAND ${HELP2MAN} --no-info --section=${section} --name=${title}
      --source=plyd --manual=plyd --no-discard-stderr
      --version-string=${PROJECT_VERSION} ${include} --output=${page}
      ${command}
    DEPENDS ${program} ${words} VERBATIM
    COMMENT "Manual page ${name}(${section})")
  set(manuals ${manuals} ${page} PARENT_SCOPE)
  install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
    COMPONENT ${component})
endfunction()
plyd_manual(server 8 "lobby and match server for board games" plyd)
plyd_manual(client 1 "board games by the rules of plyd" ply)
plyd_manual(client 1 "look after a server that runs here" ply admin)
plyd_manual(client 1 "play a match in the terminal" ply play)
plyd_manual(client 1 "play whole matches as a program" ply bot)
plyd_manual(client 1 "write scripts for plyd, and try them" ply script)
plyd_manual(client 1 "load a server, and measure it" ply load)
plyd_manual(client 1 "show what passes between client and server" ply trace)
add_custom_target(manuals ALL DEPENDS ${manuals})

# ---- packages ------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plyd)
set(CPACK_PACKAGE_CONTACT "plyd <plyd@localhost>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL server client development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own

set(CPACK_DEBIAN_SERVER_PACKAGE_NAME plyd)
set(CPACK_DEBIAN_SERVER_DESCRIPTION
  "lobby and match server for backgammon and draughts
People and bots meet in lobbies and play matches of backgammon, English and
Turkish draughts, whose every move is checked. Opponents, house rules and draw
policies are scripts in Lua.")
set(CPACK_DEBIAN_SERVER_PACKAGE_RECOMMENDS plyd-client)
set(CPACK_DEBIAN_SERVER_PACKAGE_DEPENDS "systemd-standalone-sysusers | systemd")
set(CPACK_DEBIAN_SERVER_PACKAGE_CONTROL_EXTRA
  ${CMAKE_SOURCE_DIR}/docs/dist/debian/postinst
  ${CMAKE_SOURCE_DIR}/docs/dist/debian/prerm
  ${CMAKE_SOURCE_DIR}/docs/dist/debian/postrm
  ${CMAKE_BINARY_DIR}/dist/conffiles)
set(CPACK_DEBIAN_CLIENT_PACKAGE_NAME plyd-client)
set(CPACK_DEBIAN_CLIENT_DESCRIPTION
  "command for players, bots and operators of plyd
ply plays and watches matches in a terminal, runs bots, verifies records, checks
game files of other programs, and looks after a server.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME plyd-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
  "libmsgpack-dev, libutf8proc-dev, libsodium-dev, nettle-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
  "library for programs in C that play on plyd
A client without I/O, and the rules of backgammon and draughts.")

# What the operator edits is his: dpkg asks before it replaces it.
file(GLOB_RECURSE edited RELATIVE ${CMAKE_SOURCE_DIR}/scripts CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/scripts/*.lua)
list(TRANSFORM edited PREPEND /etc/plyd/)
list(JOIN edited "\n" edited)
file(WRITE ${CMAKE_BINARY_DIR}/dist/conffiles "${edited}\n")
include(CPack)
