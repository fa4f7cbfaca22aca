#include "simulator/results/context.hpp"

#include <algorithm>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <sys/utsname.h>

#include "simulator/input/sha256.hpp"
#include "simulator/results/formatting.hpp"

namespace warpfront::results {

std::vector<InputHash> hash_inputs(std::span<const SourceFilePtr> sources) {
    std::vector<InputHash> hashes;
    for (const SourceFilePtr& source : sources) {
        const bool listed =
            std::ranges::any_of(hashes, [&](const InputHash& hash) { return hash.path == source->name(); });
        if (!listed) hashes.push_back({source->name(), input::sha256_hex(source->text())});
    }
    return hashes;
}

std::string processor_of_host() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        if (!line.starts_with("model name")) continue;
        const std::size_t colon = line.find(": ");
        if (colon != std::string::npos) return line.substr(colon + 2);
    }
    utsname system{};
    uname(&system);
    return system.machine;
}

std::string describe_host() {
    utsname system{};
    uname(&system);
    return fmt::format("{}, {}, {}, {} {}", system.nodename, processor_of_host(),
                       counted(std::max(1U, std::thread::hardware_concurrency()), "core"), system.sysname,
                       system.release);
}

}  // namespace warpfront::results
