# How every Cairn target is compiled. Linked privately: users of the library inherit none of it.
#
# -ffp-contract=off  compilers may otherwise fuse a*b+c into one rounding where the machine has FMA,
#                    and results would differ between machines (METHODS: identical results).
# -fno-math-errno    sqrt becomes the machine instruction; its result is the same.
# -fno-semantic-interposition
#                    objects are position independent; functions that a program might replace one day are
#                    inlined all the same.
# Never -ffast-math.
if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 12)
   OR (CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14))
  message(FATAL_ERROR "Cairn needs g++ 12 or clang 14, or newer; "
                      "this is ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}.")
endif()

add_library(cairn_flags INTERFACE)
target_compile_features(cairn_flags INTERFACE cxx_std_20)
target_compile_options(cairn_flags INTERFACE -Wall -Wextra -ffp-contract=off -fno-math-errno
                                             -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # False alarms on std::string + (GCC bug 105651); where headers are precompiled, under two more names.
  target_compile_options(cairn_flags INTERFACE -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds)
endif()
if(CAIRN_WERROR)
  target_compile_options(cairn_flags INTERFACE -Werror)
endif()
if(CAIRN_VALIDATE)
  target_compile_definitions(cairn_flags INTERFACE CAIRN_VALIDATE)
endif()
if(CAIRN_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "CAIRN_FUZZ needs clang, for its libFuzzer; this is ${CMAKE_CXX_COMPILER_ID}.")
  endif()
  set(CAIRN_SANITIZE fuzzer-no-link,address,undefined)
endif()
if(CAIRN_SANITIZE)
  target_compile_options(cairn_flags INTERFACE -fsanitize=${CAIRN_SANITIZE} -fno-sanitize-recover=all
                                               -fno-omit-frame-pointer)
  target_link_options(cairn_flags INTERFACE -fsanitize=${CAIRN_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")  # instrumented variants look uninitialised to it
    target_compile_options(cairn_flags INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()
