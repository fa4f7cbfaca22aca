// The engines for use inside another program: they take a code and a machine and return predicted times. This is the
// only header to include; `find_package(warpfront)` provides the library warpfront::engine, which must be linked.
//
//   warpfront::ModelRun run{"models/sweep3d/sweep3d.psl", "platforms/xt4.yaml"};
//   run.ranks = {16, 8};
//   run.parameters = {{"nx", "100"}, {"ny", "100"}, {"nz", "100"}, {"wg", "0.414us"}};
//   const warpfront::Prediction prediction = warpfront::predict(run);
//
// A prediction depends only on its input, not on the number of threads. Nothing is printed, and no signal is handled.
// Any number of threads may call at once. A call that needs more memory than is available when it begins is refused.
// SimGrid loads platforms, and runs, in child processes.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpfront {

/// Predicted times in seconds. They are whole picoseconds, which a double of seconds holds exactly up to 2.5 hours.
using Seconds = std::chrono::duration<double>;

struct Extent {
    std::uint32_t columns = 1;  // number of columns, from west to east
    std::uint32_t rows = 1;     // number of rows, from north to south
    std::uint32_t planes = 1;   // number of planes, from the bottom up
};

/// A scenario file, changed as `warpfront run SCENARIO --set PATH=VALUE ...` changes it.
struct ScenarioRun {
    std::filesystem::path scenario;
    std::vector<std::string> settings{};
};

/// A model on a machine. Files are relative to the current directory; models/README.md describes what the members mean.
struct ModelRun {
    std::filesystem::path model;     // a PSL file
    std::filesystem::path platform;  // a hardware file
    Extent ranks{};
    Extent node{};  // the patch of ranks on one node
    std::int64_t iterations = 1;
    std::map<std::string, std::string> parameters{};  // values by name, such as {"wg", "0.414us"}
    std::vector<std::string> settings{};              // arguments of `--set`, such as "placement=random(7)"
};

/// The replay of iterations. With `automatic`, iterations that repeat exactly are skipped; with `full`, every event is
/// replayed. The times are the same.
enum class ReplayMode : std::uint8_t { automatic, full };

struct RunOptions {
    std::string engine = "event";               // one of engine_names()
    unsigned threads = 1;                       // the number of threads of the event engine
    ReplayMode replay = ReplayMode::automatic;  // ignored by other engines
    /// Called about ten times a second by the calling thread while the event engine runs; returning true ends the run.
    std::function<bool()> stop{};
};

/// Returns the names event, simgrid, and those of the closed forms (simulator/analytic/README.md).
std::vector<std::string> engine_names();

/// The time of one rank by activity; the parts add up to it.
struct TimeParts {
    Seconds compute{}, send{}, recv{}, wait{}, bus_wait{}, processing_wait{}, nic_wait{}, link_wait{}, collective{};
};

struct Prediction {
    std::string engine{};
    Seconds time{};  // when the last rank finishes
    /// Durations of iterations, each with the number of iterations in a row that have it.
    std::vector<std::pair<Seconds, std::int64_t>> iterations{};
    std::vector<Seconds> rank_times{};    // when each rank finishes, row by row, plane by plane; closed forms have none
    std::vector<TimeParts> rank_parts{};  // the parts of each rank; only the event engine has them
    std::optional<TimeParts> parts{};     // the parts of the rank that finishes last; only the event engine has them
    Extent ranks{};
    std::uint64_t nodes = 0;
    std::uint64_t messages = 0;        // point-to-point messages of the model
    std::string digest{};              // hash of all ranks' finish times; empty for a closed form
    std::vector<std::string> notes{};  // the notes below the table of `warpfront run`
};

/// A comparison of engines with the measurements of a published table. Without a table, the scenario is the only row.
struct Comparison {
    std::filesystem::path scenario;                  // a scenario, or a list of comparisons
    std::optional<std::filesystem::path> against{};  // a published table (CSV)
    std::vector<std::string> settings{};
    std::vector<std::string> engines{"event", "analytic"};
    unsigned threads = 1;          // the number of rows that run at once
    std::function<bool()> stop{};  // see RunOptions; one thread of the comparison calls it at a time
};

struct ComparedRow {
    std::string table{};  // the name of the table in a list of comparisons
    std::string label{};
    unsigned line = 0;  // the line in the table; 0 without a table
    Extent ranks{};
    std::map<std::string, Seconds> times{};         // times by engine, and by published prediction (pred, warpp, pace)
    std::optional<Seconds> measured{};              // the column exec of the table
    std::map<std::string, double> error_percent{};  // 100 (time - measured) / measured, by the names of `times`
};

struct ComparedRows {
    std::vector<ComparedRow> rows{};
    std::vector<std::string> notes{};  // skipped rows, and effects that engines leave out
};

/// The exception for a wrong file, key or value, or too little memory on the host. what() lists every fault with its
/// place.
class InvalidInput : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The exception for a failed run: a deadlock of the model, virtual time overflow, memory exhausted by queued messages.
class RunFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The exception after RunOptions::stop, or Comparison::stop, has ended the run.
class Interrupted : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Predicts a run. Throws InvalidInput, RunFailure and Interrupted, as all overloads do.
Prediction predict(const ScenarioRun& run, const RunOptions& options = {});
Prediction predict(const ModelRun& run, const RunOptions& options = {});
ComparedRows compare(const Comparison& comparison);

}  // namespace warpfront
