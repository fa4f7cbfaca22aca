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
    std::string path;    // path as the user or another input names it
    std::string sha256;  // hash of its bytes
    friend bool operator==(const InputHash&, const InputHash&) = default;
};

struct Context {
    std::uint64_t ranks = 0;
    std::uint64_t nodes = 0;
    RankGrid grid{};
    std::vector<std::uint32_t> torus{};  // lengths of its dimensions, if the network is a torus
    std::int64_t iterations = 1;
    std::vector<program::CollectiveUse> collectives{};
    std::vector<std::string> notes;  // notes on the model and the machine
    std::string version;             // version of warpfront
    std::string command{};           // command that reproduces the result, if known
    std::vector<InputHash> inputs;
    nlohmann::ordered_json scenario;         // the scenario as run, with its overrides
    Seed seed;                               // seed of all random numbers of the run
    std::optional<PredictionError> error{};  // error of calibrated predictions
    /// Closed forms: interval that follows from uncertain values.
    std::optional<std::pair<WideTime, WideTime>> one_sigma{};
    std::string host;
};

/// Hashes the files among `sources` in order, each path once.
std::vector<InputHash> hash_inputs(std::span<const SourceFilePtr> sources);

/// Returns the name of the processor; that of its architecture if the system does not have the former.
std::string processor_of_host();

/// Describes the host on one line: name, processor, cores, operating system.
std::string describe_host();

}  // namespace warpfront::results
