#include "tools/launched_processes.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

namespace fs = std::filesystem;

bool started_by_launcher() {
    return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
}

fs::path library_file() {
    const fs::path folder = fs::read_symlink("/proc/self/exe").parent_path();
    const fs::path beside = folder / "warpfront_mpi.so";
    return fs::exists(beside) ? beside : folder.parent_path() / "lib/warpfront/warpfront_mpi.so";
}

template <typename Function>
Function* function_of(void* library, const char* name) {
    return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

LaunchedProcesses::LaunchedProcesses() {
    if (!started_by_launcher()) return;
    library_ = dlopen(library_file().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library_ == nullptr) throw std::runtime_error(fmt::format("MPI cannot be loaded: {}", dlerror()));
    group_ = function_of<engine::ProcessGroup*()>(library_, "warpfront_mpi_group")();
    if (group_ == nullptr) throw std::runtime_error("this MPI does not let the threads of a process take turns");
}

LaunchedProcesses::~LaunchedProcesses() {
    if (group_ != nullptr) function_of<void()>(library_, "warpfront_mpi_end")();
}

}  // namespace warpfront::tools
