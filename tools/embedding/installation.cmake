# `cmake --install build --prefix P` installs the program, its man page and completion scripts, models and platforms
# with all files that they name, the READMEs, the Python module, and the files for find_package(warpfront). `cmake
# --build build --target uninstall` removes them (for another prefix: tools/embedding/uninstall.cmake), and `cd build &&
# cpack` makes a Debian package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# ./quickstart builds only the program. The other targets are built during the installation, with one process at a time.
add_custom_target(installed_files DEPENDS warpfront documentation)
install(CODE "
    file(LOCK \"${CMAKE_BINARY_DIR}/installed_files.lock\" GUARD PROCESS)
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target installed_files
        COMMAND_ERROR_IS_FATAL ANY)
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")  # Debian's Python has one folder for modules of packages, and another for others
        set(python_folder python3)
    else()
        set(python_folder python${Python_VERSION_MAJOR}.${Python_VERSION_MINOR})
    endif()")

install(TARGETS warpfront RUNTIME)
install(TARGETS warpfront_simgrid LIBRARY DESTINATION lib/warpfront)  # named by the INSTALL_RPATHs
install(PROGRAMS tools/study/study-slurm DESTINATION ${CMAKE_INSTALL_BINDIR} RENAME warpfront-study-slurm)
install(FILES ${CMAKE_BINARY_DIR}/share/man/man1/warpfront.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${CMAKE_BINARY_DIR}/share/bash-completion/completions/warpfront
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/share/zsh/site-functions/_warpfront
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY models platforms DESTINATION ${CMAKE_INSTALL_DATADIR}/warpfront)

install(FILES tools/from_code/fitting/benchmark.c DESTINATION ${CMAKE_INSTALL_DATADIR}/warpfront/fitting)

file(GLOB_RECURSE pages CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} models/README.md platforms/README.md
    psl/README.md simulator/README.md tests/README.md tools/README.md)
foreach(page README.md ${pages})
    cmake_path(GET page PARENT_PATH folder)
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_DOCDIR}/${folder})
endforeach()

install(FILES models/wavefront.svg models/main-job.png DESTINATION ${CMAKE_INSTALL_DOCDIR}/models)  # shown on the first page

# All libraries in one archive, so that users link one library and see one header and none of the project's own flags.
get_property(rooms GLOBAL PROPERTY warpfront_rooms)
list(REMOVE_ITEM rooms warpfront_documentation)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
find_package(Threads REQUIRED)
add_library(warpfront_archive STATIC ${objects})
set_target_properties(warpfront_archive PROPERTIES OUTPUT_NAME warpfront EXPORT_NAME engine LINKER_LANGUAGE CXX)
target_compile_features(warpfront_archive INTERFACE cxx_std_20)
target_link_libraries(warpfront_archive PUBLIC yaml-cpp fmt::fmt spdlog::spdlog OpenSSL::Crypto Boost::graph
    pugixml::pugixml Threads::Threads ZLIB::ZLIB $<$<BOOL:${WITH_PERFETTO}>:protobuf::libprotobuf-lite>
    $<INSTALL_INTERFACE:$<$<BOOL:${WITH_SERVER}>:cpp-httplib>>
    $<INSTALL_INTERFACE:$<$<BOOL:${WITH_OTF2}>:open-trace-format2>>)
target_link_options(warpfront_archive INTERFACE
    $<INSTALL_INTERFACE:-Wl,-rpath,$<INSTALL_PREFIX>/lib/warpfront>)  # of the modules
target_include_directories(warpfront_archive INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/warpfront)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/warpfrontConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(TARGETS warpfront_archive EXPORT warpfront ARCHIVE)
install(EXPORT warpfront NAMESPACE warpfront:: FILE warpfrontTargets.cmake DESTINATION ${package})
configure_file(tools/embedding/warpfrontConfig.cmake ${CMAKE_BINARY_DIR}/warpfrontConfig.cmake @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/warpfrontConfig.cmake ${CMAKE_BINARY_DIR}/warpfrontConfigVersion.cmake
    DESTINATION ${package})
install(FILES tools/embedding/warpfront.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/warpfront)
add_dependencies(installed_files warpfront_archive)
if(WITH_PYTHON)
    install(TARGETS warpfront_python LIBRARY DESTINATION lib/\${python_folder}/dist-packages)
    add_dependencies(installed_files warpfront_python)
endif()

# A list of the files that were installed with this prefix. CMake's own list is that of the last installation with any
# prefix, and packages have a list of their own.
install(CODE "
    if(\"\$ENV{DESTDIR}\" STREQUAL \"\")
        list(JOIN CMAKE_INSTALL_MANIFEST_FILES \"\\n\" lines)
        file(WRITE \"\${CMAKE_INSTALL_PREFIX}/share/warpfront/installed_files.txt\" \"\${lines}\\n\")
    endif()")
add_custom_target(uninstall VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PREFIX=${CMAKE_INSTALL_PREFIX} -P ${CMAKE_SOURCE_DIR}/tools/embedding/uninstall.cmake)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_CONTACT "the developers of warpfront <warpfront@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "predicts how long wavefront MPI codes run on machines that may not exist yet")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3-numpy")  # for the arrays of the Python module
set(CPACK_DEBIAN_PACKAGE_SUGGESTS  # for find_package(warpfront)
    "libboost-graph-dev, libcpp-httplib-dev, libfmt-dev, libopen-trace-format2-dev, libprotobuf-dev, \
libpugixml-dev, libspdlog-dev, libssl-dev, libyaml-cpp-dev, zlib1g-dev")
include(CPack)
