# Warnings, sanitizers and definitions that every room shares.
add_library(plyd_flags INTERFACE)
target_compile_options(plyd_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Werror
  -Wstrict-prototypes -Wmissing-prototypes -Wvla -Wundef
  -fno-strict-aliasing)
target_compile_definitions(plyd_flags INTERFACE
  _GNU_SOURCE PLYD_VERSION="${PROJECT_VERSION}")
target_include_directories(plyd_flags INTERFACE
  ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
if(PLYD_SANITIZE)
  target_compile_options(plyd_flags INTERFACE
    -fsanitize=${PLYD_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(plyd_flags INTERFACE -fsanitize=${PLYD_SANITIZE})
  target_compile_definitions(plyd_flags INTERFACE PLYD_SANITIZED=1)
else()
  target_compile_definitions(plyd_flags INTERFACE PLYD_SANITIZED=0)
endif()
if(PLYD_FUZZ)
  target_compile_options(plyd_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# plyd_room(NAME USES rooms... LIBS libraries...): the library of one room from
# every .c file of src/NAME, but for the main files of programs. USES is the
# list of rooms it may see; tests/checks/rooms.py holds includes to the same.
function(plyd_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LIBS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.c)
  list(FILTER sources EXCLUDE REGEX "/main[^/]*\\.c$")
  add_library(plyd_${name} STATIC ${sources})
  target_link_libraries(plyd_${name} PUBLIC plyd_flags)
  foreach(used ${ROOM_USES})
    target_link_libraries(plyd_${name} PUBLIC plyd_${used})
  endforeach()
  target_link_libraries(plyd_${name} PRIVATE ${ROOM_LIBS})
endfunction()
