# Kernels: files x.kernel.cpp, compiled once per instruction set. Why, and how to add one: src/base/kernel.h.
#
# CAIRN_INSTRUCTION_SETS lists the sets of this build by their namespaces, `all` of them unless told otherwise; other
# machines than x86-64 have `scalar` only. A build without `scalar` runs only where its lowest set does: for tests that
# are compiled anew. Kernels are optimised in every configuration: unoptimised lanes are a hundred times slower, and what a
# debug build checks is not in them.
set(CAIRN_INSTRUCTION_SETS all CACHE STRING "Sets to compile kernels for: all, or some of scalar,v2,v3,v4")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$" AND CMAKE_SIZEOF_VOID_P EQUAL 8)
  set(all_sets scalar v2 v3 v4)
  # Few x86-64 processors are left without SSE4.2: here this is the reference of the tests. -O2 takes half as long again.
  set(CAIRN_MARCH_scalar -march=x86-64 -O1)
  set(CAIRN_MARCH_v2 -march=x86-64-v2)
  set(CAIRN_MARCH_v3 -march=x86-64-v3)
  set(CAIRN_MARCH_v4 -march=x86-64-v4)
  target_compile_definitions(cairn_flags INTERFACE CAIRN_X86_64_KERNELS)
else()
  set(all_sets scalar)
endif()
set(CAIRN_LEVEL_scalar 0)
set(CAIRN_LEVEL_v2 2)
set(CAIRN_LEVEL_v3 3)
set(CAIRN_LEVEL_v4 4)

set(cairn_sets ${all_sets})
if(NOT CAIRN_INSTRUCTION_SETS STREQUAL "all")
  string(REPLACE "," ";" cairn_sets "${CAIRN_INSTRUCTION_SETS}")
  set(unknown ${cairn_sets})
  list(REMOVE_ITEM unknown ${all_sets})
  if(unknown OR NOT cairn_sets)
    message(FATAL_ERROR "CAIRN_INSTRUCTION_SETS is \"${CAIRN_INSTRUCTION_SETS}\"; here it can be all, "
                        "or some of ${all_sets} with commas between them.")
  endif()
  foreach(set ${all_sets})  # the lowest
    if(set IN_LIST cairn_sets)
      set(server ${set})
      break()
    endif()
  endforeach()
  foreach(set ${all_sets})
    set(here 0)
    if(set IN_LIST cairn_sets)
      set(here 1)
      set(server ${set})
    endif()
    target_compile_definitions(cairn_flags INTERFACE CAIRN_HAS_${set}=${here} CAIRN_FOR_${set}=${server})
  endforeach()
endif()

# Sanitizers apply, without the checks on pointers and on the lifetime of temporaries that have nothing to do with
# memory out of range: GCC makes them on each of the thousands of references that a formula on lanes inlines, and
# took 14 s instead of 1 s for a small kernel.
add_library(cairn_kernel_flags INTERFACE)
if(CAIRN_SANITIZE MATCHES "undefined")
  target_compile_options(cairn_kernel_flags INTERFACE -fno-sanitize=null,alignment,object-size,pointer-overflow)
endif()
if(CAIRN_SANITIZE MATCHES "address")
  target_compile_options(cairn_kernel_flags INTERFACE -fno-sanitize-address-use-after-scope)
endif()

# Older sets, in sanitized builds: the same text in more instructions, which takes minutes to compile. (Linked last, since the
# options of a target itself come before those of cairn_flags.)
add_library(cairn_unsanitized INTERFACE)
target_compile_options(cairn_unsanitized INTERFACE -fno-sanitize=all -O1)

# cairn_kernels(target file…): adds the kernels to a library or program, with its include directories. The objects
# of each set are a target ${target}_${set} of their own.
function(cairn_kernels target)
  if(NOT ARGN)
    return()
  endif()
  foreach(set ${cairn_sets})
    set(objects ${target}_${set})
    add_library(${objects} OBJECT ${ARGN})
    target_compile_definitions(${objects} PRIVATE CAIRN_SET=${set} CAIRN_SET_LEVEL=${CAIRN_LEVEL_${set}})
    target_compile_options(${objects} PRIVATE -O2 ${CAIRN_MARCH_${set}})
    target_include_directories(${objects} PRIVATE $<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>)
    target_link_libraries(${objects} PRIVATE cairn_flags cairn_kernel_flags)
    if(CAIRN_SANITIZE AND CAIRN_LEVEL_${set} LESS 3)
      target_link_libraries(${objects} PRIVATE cairn_unsanitized)
    endif()
    set_target_properties(${objects} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  endforeach()
endfunction()
