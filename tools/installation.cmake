# `cmake --install build --prefix P`: the program, its man page and completion scripts, models and platforms with all they
# name beside them, the READMEs, and what find_package(warpfront) needs.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS warpfront RUNTIME)
install(TARGETS warpfront_mpi LIBRARY DESTINATION lib/warpfront)  # where tools/launched_processes.cpp looks for it
install(PROGRAMS tools/study-slurm DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME warpfront-study-slurm)
install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/warpfront.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/share/bash-completion/completions/warpfront
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/share/zsh/site-functions/_warpfront
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY models platforms DESTINATION ${CMAKE_INSTALL_DATADIR}/warpfront)

file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} models/README.md platforms/README.md
    psl/README.md simulator/README.md tests/README.md tools/README.md)
foreach(page README.md ${pages})
    cmake_path(GET page PARENT_PATH folder)
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()

install(FILES models/wavefront.svg models/main-job.png DESTINATION ${CMAKE_INSTALL_DOCDIR}/models)  # which the first page shows

# All rooms in one archive, so that those who link it see one library, one header and none of the project's own flags.
get_property(rooms GLOBAL PROPERTY warpfront_rooms)
list(REMOVE_ITEM rooms warpfront_documentation)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
find_package(Threads REQUIRED)
add_library(warpfront_archive STATIC ${objects})
set_target_properties(warpfront_archive PROPERTIES OUTPUT_NAME warpfront EXPORT_NAME engine LINKER_LANGUAGE CXX)
target_compile_features(warpfront_archive INTERFACE cxx_std_20)
target_link_libraries(warpfront_archive PUBLIC yaml-cpp fmt::fmt spdlog::spdlog OpenSSL::Crypto Boost::graph
    Threads::Threads protobuf::libprotobuf-lite ZLIB::ZLIB $<INSTALL_INTERFACE:simgrid> $<INSTALL_INTERFACE:cpp-httplib>
    $<INSTALL_INTERFACE:open-trace-format2>)
target_include_directories(warpfront_archive INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/warpfront)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warpfrontConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(TARGETS warpfront_archive EXPORT warpfront ARCHIVE)
install(EXPORT warpfront NAMESPACE warpfront:: FILE warpfrontTargets.cmake DESTINATION ${package})
install(FILES tools/embedding/warpfrontConfig.cmake ${CMAKE_BINARY_DIR}/warpfrontConfigVersion.cmake
    DESTINATION ${package})
install(FILES tools/embedding/warpfront.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpfront)
