#include "tools/answer/runs/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/engine/estimate.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

namespace fs = std::filesystem;

constexpr Bytes kUnlimited{std::numeric_limits<std::int64_t>::max()};

std::int64_t or_none(std::int64_t bytes) { return std::max<std::int64_t>(bytes, 0); }

/// Returns the number that follows the word `key` in a file. Its lines contain a key and a number.
std::optional<std::int64_t> number_in(const fs::path& file, std::string_view key) {
    std::ifstream stream(file);
    for (std::string word; stream >> word;) {
        std::int64_t number = 0;
        if (word == key && stream >> number) return number;
    }
    return std::nullopt;
}

/// Returns the number that a file contains. Returns nothing for "max", or if there is no file.
std::optional<std::int64_t> number_of(const fs::path& file) {
    std::int64_t number = 0;
    if (std::ifstream(file) >> number) return number;
    return std::nullopt;
}

/// The names of the files in a cgroup's folder. They depend on the version of the interface.
struct CgroupFiles {
    std::string_view limit, usage, droppable;
};
constexpr CgroupFiles kVersion1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
constexpr CgroupFiles kVersion2{"memory.max", "memory.current", "inactive_file"};

/// Returns how much memory the limits of a cgroup and its ancestors leave.
Bytes left_by_cgroups(const fs::path& top, const fs::path& group, const CgroupFiles& files) {
    Bytes least = kUnlimited;
    for (fs::path at = group.relative_path();; at = at.parent_path()) {
        const fs::path folder = top / at;
        const auto limit = number_of(folder / files.limit);
        const auto usage = number_of(folder / files.usage);
        if (limit && usage) {
            const std::int64_t droppable = number_in(folder / "memory.stat", files.droppable).value_or(0);
            least = std::min(least, Bytes{or_none(*limit - or_none(*usage - droppable))});
        }
        if (at.empty()) return least;
    }
}

/// Returns how much memory cgroups leave. Lines of /proc/self/cgroup are NUMBER:CONTROLLERS:PATH. Version 2 names no
/// controllers.
Bytes left_by_cgroups(const fs::path& root) {
    Bytes least = kUnlimited;
    std::ifstream groups(root / "proc/self/cgroup");
    for (std::string line; std::getline(groups, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const fs::path group = line.substr(second + 1);
        if (controllers == ",,") least = std::min(least, left_by_cgroups(root / "sys/fs/cgroup", group, kVersion2));
        if (controllers.find(",memory,") != std::string::npos) {
            least = std::min(least, left_by_cgroups(root / "sys/fs/cgroup/memory", group, kVersion1));
        }
    }
    return least;
}

/// The columns of /proc/self/statm. Their unit is the page.
enum class StatmColumn : std::uint8_t { address_space, resident };

std::int64_t bytes_of_process(StatmColumn column) {
    std::ifstream stream("/proc/self/statm");
    std::int64_t address_space = 0;
    std::int64_t resident = 0;
    stream >> address_space >> resident;
    return (column == StatmColumn::resident ? resident : address_space) * ::sysconf(_SC_PAGESIZE);
}

Bytes left_of_address_space() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0) return kUnlimited;
    if (limit.rlim_cur >= static_cast<rlim_t>(kUnlimited.count)) return kUnlimited;
    return {or_none(static_cast<std::int64_t>(limit.rlim_cur) - bytes_of_process(StatmColumn::address_space))};
}

}  // namespace

Bytes available_memory(const fs::path& root) {
    const auto kilobytes = number_in(root / "proc/meminfo", "MemAvailable:");
    const Bytes free = kilobytes ? Bytes{*kilobytes * 1024} : kUnlimited;
    return std::min({free, left_by_cgroups(root), left_of_address_space()});
}

Bytes resident_memory() { return {bytes_of_process(StatmColumn::resident)}; }

Bytes peak_resident_memory() {
    rusage usage{};
    ::getrusage(RUSAGE_SELF, &usage);
    return {std::int64_t{usage.ru_maxrss} * 1024};
}

Bytes memory_of_record(const Experiment& prepared) {
    return {
        static_cast<std::int64_t>(prepared.program.grid.ranks() * (2 * sizeof(WideTime) + sizeof(record::Breakdown)))};
}

Bytes memory_of_run(const Experiment& prepared, const engine::Options& options) {
    const std::uint64_t state = engine::estimate_bytes(prepared.program, prepared.machine, options);
    const std::uint64_t map =
        options.noise.map.size() * sizeof(variation::CostFactor);  // belongs to the options, which the engine keeps
    return {static_cast<std::int64_t>(state + map) + memory_of_record(prepared).count};
}

Bytes memory_for_queues(Bytes available, Bytes needed) { return {or_none(available.count - needed.count) / 10 * 9}; }

void refuse_beyond(Bytes available, Bytes needed, const input::SourceRange& range) {
    spdlog::debug("debug: {} of memory needed, {} available", results::size(needed), results::size(available));
    if (needed <= available) return;
    throw input::BadInput(input::DiagnosticKind::too_little_memory, range,
                          fmt::format("the run needs {} of memory", results::size(needed)),
                          fmt::format("expected at most {}, which is available on the host", results::size(available)));
}

MemoryBudget::Share MemoryBudget::take(Bytes needed, const input::SourceRange& range) {
    refuse_beyond(available_, needed, range);
    std::unique_lock hold(mutex_);
    freed_.wait(hold, [&] { return taken_.count + needed.count <= available_.count; });
    taken_.count += needed.count;
    return {*this, needed};
}

void MemoryBudget::give_back(Bytes needed) {
    {
        const std::lock_guard hold(mutex_);
        taken_.count -= needed.count;
    }
    freed_.notify_all();
}

}  // namespace warpfront::tools
