// Nothing: CMake wants a file for the target whose precompiled headers all tests use (tests/CMakeLists.txt).
