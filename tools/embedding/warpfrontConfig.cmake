# find_package(warpfront): the library warpfront::engine, whose one header is <warpfront/warpfront.hpp>.
include(CMakeFindDependencyMacro)
find_dependency(yaml-cpp)
find_dependency(fmt)
find_dependency(spdlog)
find_dependency(OpenSSL COMPONENTS Crypto)
find_dependency(Boost COMPONENTS graph)
find_dependency(Threads)
include(${CMAKE_CURRENT_LIST_DIR}/warpfrontTargets.cmake)
