// What a result is about and what it came from: the size of the run, the inputs by hash, the scenario as it was run,
// the program and the computer. Filled by the tools, told by every form of a result.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/input/source.hpp"
#include "simulator/units/random.hpp"

namespace warpfront::results {

struct InputHash {
    std::string path;    // as the user or another input named it
    std::string sha256;  // of its bytes
    friend bool operator==(const InputHash&, const InputHash&) = default;
};

struct Context {
    std::uint64_t ranks = 0;
    std::uint64_t nodes = 0;
    std::int64_t iterations = 1;
    std::vector<std::string> notes;  // of the model and the machine; those of the record follow them
    std::string version;             // of warpfront
    std::vector<InputHash> inputs;
    nlohmann::ordered_json scenario;  // as run: overrides applied, quantities in canonical form
    Seed seed;                        // of what is random in the run
    std::string host;
};

/// The files among `sources` in order, each path once.
std::vector<InputHash> hash_inputs(std::span<const input::SourceFilePtr> sources);

/// This computer on one line: name, processor, cores, operating system.
std::string describe_host();

}  // namespace warpfront::results
