# plyd_test(NAME SOURCE file USES rooms... LIBS ... ARGS ... TIMEOUT s): one
# cmocka binary, one CTest entry. It links only the rooms it names, so that a
# room's own tests prove that it needs no other.
function(plyd_test name)
  cmake_parse_arguments(T "" "SOURCE;TIMEOUT" "USES;LIBS;ARGS;LABELS" ${ARGN})
  add_executable(${name} ${T_SOURCE})
  target_link_libraries(${name} PRIVATE plyd_flags plyd_testlib ${T_LIBS})
  foreach(used ${T_USES})
    target_link_libraries(${name} PRIVATE plyd_${used})
  endforeach()
  target_compile_definitions(${name} PRIVATE
    TESTS_DIR="${CMAKE_SOURCE_DIR}/tests")
  add_test(NAME ${name} COMMAND ${name} ${T_ARGS})
  if(NOT T_TIMEOUT)
    set(T_TIMEOUT 900)
  endif()
  set_tests_properties(${name} PROPERTIES TIMEOUT ${T_TIMEOUT}
    LABELS "${T_LABELS}")
endfunction()
