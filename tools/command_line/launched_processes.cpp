#include "tools/command_line/launched_processes.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <system_error>

namespace warpfront::tools {

namespace {

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

}  // namespace

/// PMIX_RANK is set by srun as well, which names the number of processes in a variable of its own.
LaunchedProcesses launched_processes() {
    const auto index = number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK"});
    const auto count = number_in({"OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"});
    if (!index || !count || *index >= *count) return {};
    const std::uint32_t here = number_in({"OMPI_COMM_WORLD_LOCAL_SIZE"}).value_or(1);
    return {.index = *index, .count = *count, .on_this_computer = std::clamp(here, 1U, *count)};
}

}  // namespace warpfront::tools
