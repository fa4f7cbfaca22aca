// The event engine inside another program: a code on a machine in, its predicted times out. The one header to include;
// `find_package(warpfront)` gives the library to link, warpfront::engine.
//
//   warpfront::ModelRun run{"models/sweep3d/sweep3d.psl", "platforms/xt4.yaml"};
//   run.ranks = {16, 8};
//   run.parameters = {{"nx", "100"}, {"ny", "100"}, {"nz", "100"}, {"wg", "0.414us"}};
//   const warpfront::Prediction prediction = warpfront::predict(run);
//
// A prediction depends on its input alone, not on the number of threads. Nothing is printed, and no signal is handled.
// SimGrid loads a platform in a child process. Predictions run one at a time: call from one thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpfront {

/// Predicted times are whole picoseconds, which a double of seconds holds exactly up to 2.5 hours.
using Seconds = std::chrono::duration<double>;

struct Extent {
    std::uint32_t columns = 1;  // from west to east
    std::uint32_t rows = 1;     // from north to south
    std::uint32_t planes = 1;   // from the bottom up
};

/// A scenario file, changed as `warpfront run SCENARIO --set PATH=VALUE ...` changes it.
struct ScenarioRun {
    std::filesystem::path scenario;
    std::vector<std::string> settings{};
};

/// A model on a machine. Files are relative to the current directory; models/README.md describes what the members mean.
struct ModelRun {
    std::filesystem::path model;     // PSL
    std::filesystem::path platform;  // hardware file
    Extent ranks{};
    Extent node{};  // the patch of ranks on one node
    std::int64_t iterations = 1;
    std::map<std::string, std::string> parameters{};  // {"wg", "0.414us"}
    std::vector<std::string> settings{};              // "placement=random(7)", as for `--set`
};

/// automatic: what repeats exactly is skipped, full: every event is replayed. The times are the same.
enum class ReplayMode : std::uint8_t { automatic, full };

struct RunOptions {
    unsigned threads = 1;
    ReplayMode replay = ReplayMode::automatic;
};

/// Where the time of one rank went; the parts add up to it.
struct TimeParts {
    Seconds compute{}, send{}, recv{}, wait{}, bus_wait{}, nic_wait{}, link_wait{}, collective{};
};

struct Prediction {
    Seconds time{};                                              // when the last rank finishes
    TimeParts parts{};                                           // of that rank
    std::vector<std::pair<Seconds, std::int64_t>> iterations{};  // duration, how many in a row have it
    std::vector<Seconds> rank_times{};  // when each rank finishes; ranks count row by row, plane by plane
    std::uint64_t nodes = 0;
    std::uint64_t messages = 0;        // point-to-point messages of the model
    std::string digest{};              // hash of all ranks' finish times
    std::vector<std::string> notes{};  // what `warpfront run` says below its table
};

/// A file, a key or a value is wrong, or the computer has too little memory; what() lists every fault with its place.
class InvalidInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The run itself fails: a deadlock of the model, virtual time overflow, memory exhausted by messages that queue up.
class RunFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Throw InvalidInput and RunFailure.
Prediction predict(const ScenarioRun& run, const RunOptions& options = {});
Prediction predict(const ModelRun& run, const RunOptions& options = {});

}  // namespace warpfront
