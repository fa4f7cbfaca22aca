// The context of a result: the size of the run, the hashes of the inputs, the scenario as run, the program version and
// the host. Set by the tools and part of every form of a result.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/prediction_error.hpp"
#include "simulator/units/random.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

struct InputHash {
    std::string path;    // as named by the user or another input
    std::string sha256;  // of its bytes
    friend bool operator==(const InputHash&, const InputHash&) = default;
};

struct Context {
    std::uint64_t ranks = 0;
    std::uint64_t nodes = 0;
    RankGrid grid{};
    std::vector<std::uint32_t> torus{};  // lengths of its dimensions, if the network is a torus
    std::int64_t iterations = 1;
    std::vector<program::CollectiveUse> collectives{};
    std::vector<std::string> notes;  // of the model and the machine; those of the record follow them
    std::string version;             // of warpfront
    std::string command{};           // that reproduces the result, if known
    std::vector<InputHash> inputs;
    nlohmann::ordered_json scenario;         // as run: overrides applied, quantities in canonical form
    Seed seed;                               // of all random numbers of the run
    std::optional<PredictionError> error{};  // of calibrated predictions
    std::optional<std::pair<WideTime, WideTime>> one_sigma{};  // from the scenario's uncertain values, closed forms
    std::string host;
};

/// Hashes the files among `sources` in order, each path once.
std::vector<InputHash> hash_inputs(std::span<const input::SourceFilePtr> sources);

/// Returns the name of the processor; that of its architecture if the system does not have the former.
std::string processor_of_host();

/// Describes the host on one line: name, processor, cores, operating system.
std::string describe_host();

}  // namespace warpfront::results
