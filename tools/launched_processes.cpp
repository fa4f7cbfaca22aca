#include "tools/launched_processes.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fmt/format.h>

#include "tools/installed_files.hpp"

namespace warpfront::tools {

namespace {

namespace fs = std::filesystem;

/// The first of these variables that has a number.
std::optional<std::uint32_t> number_in(std::initializer_list<const char*> variables) {
    for (const char* const variable : variables) {
        const char* const text = std::getenv(variable);
        std::uint32_t number = 0;
        if (text == nullptr) continue;
        const char* const end = text + std::strlen(text);
        if (const auto read = std::from_chars(text, end, number); read.ec == std::errc{} && read.ptr == end)
            return number;
    }
    return std::nullopt;
}

fs::path library_file() {
    const fs::path beside = fs::read_symlink("/proc/self/exe").parent_path() / "warpfront_mpi.so";
    return fs::exists(beside) ? beside : installation_folder() / "lib/warpfront/warpfront_mpi.so";
}

template <typename Function>
Function* function_of(void* library, const char* name) {
    return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

/// PMIX_RANK is set by srun as well, which names the number of processes in a variable of its own.
LaunchedProcesses::LaunchedProcesses() {
    const auto index = number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK"});
    const auto count = number_in({"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"});
    if (!index || !count || *index >= *count) return;
    index_ = *index;
    count_ = *count;
    on_this_computer_ = std::clamp(number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"}).value_or(1), 1U, count_);
}

LaunchedProcesses::~LaunchedProcesses() {
    if (group_ != nullptr) function_of<void()>(library_, "warpfront_mpi_end")();
}

engine::ProcessGroup& LaunchedProcesses::join() {
    if (group_ != nullptr) return *group_;
    library_ = dlopen(library_file().c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (library_ == nullptr) throw std::runtime_error(fmt::format("MPI cannot be loaded: {}", dlerror()));
    group_ = function_of<engine::ProcessGroup*()>(library_, "warpfront_mpi_group")();
    if (group_ == nullptr) throw std::runtime_error("this MPI does not let the threads of a process take turns");
    return *group_;
}

}  // namespace warpfront::tools
