// The results of cases. Results of finished cases are kept on disk as the points of studies: FOLDER/points/KEY.json,
// schema `warpfront.point/4`. Each file is written whole by a rename, so that a killed study loses only the points
// under way, and several processes may work on one study.
//
// Processes that work on one study at the same time do not run the same point. A process claims each point that it runs
// by a lock on FOLDER/points/KEY.lock (flock(2)); however the process ends, the lock ends with it.
//
// KEY is the SHA-256 of all inputs of the point: the schema, the version of the program, the engines, whether the event
// engine followed the critical path, the scenario as run (overrides applied, defaults included), and the contents of
// every file read for it: model, machine, calibration, maps. If any of these changes, the key changes, so an outdated
// point is not taken for a finished one. Names of files are not part of the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/process/descriptor.hpp"
#include "simulator/record/record.hpp"
#include "simulator/results/context.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/experiment.hpp"
#include "tools/answer/prediction/engines.hpp"

namespace warpfront::tools {

/// The exact prediction of one engine; times are whole picoseconds.
struct EngineResult {
    std::string engine;
    WideTime time;  // time of the first seed
    /// Path and fill are set by analytic models, and by the event engine if a column needs them.
    std::optional<record::PathParts> path{};
    std::optional<WideTime> fill{};           // time in which the pipelines of sweeps fill
    std::optional<WideTime> nonwavefront{};   // set by closed forms
    std::optional<WideTime> link_wait{};      // waiting of all messages; set by the event engine with shared links
    std::optional<record::CoreTime> cores{};  // times of cores in lists of tasks; set by the event engine
    std::vector<std::string> notes{};         // notes of the engine
    // Not on disk:
    std::vector<WideTime> times{};         // time of each seed
    std::optional<Waiting> waiting{};      // set by simulating engines
    std::optional<WideTime> contention{};  // set by closed forms: their term for the bus
};

/// A run that ended without a prediction, for example by a deadlock.
struct EngineFailure {
    std::string engine;
    std::string fault;
};

/// The results of one case by all its engines.
struct PointResult {
    std::uint64_t ranks = 0;
    std::uint64_t nodes = 0;
    std::vector<std::string> notes;  // notes on the model and the machine
    std::vector<EngineResult> engines;
    std::vector<EngineFailure> failures{};
    std::vector<results::InputHash> inputs{};  // every file read for the point; the key covers their contents

    /// Returns the result of an engine; nullptr if the engine has not run, or if its run failed.
    const EngineResult* by(std::string_view engine) const;
};

/// Returns the key of a point; `with_path` if columns are shares of the critical path.
std::string key_of(const Experiment& experiment, const std::vector<Engine>& engines, bool with_path = false);

/// The folder of finished points. Several threads and several processes may use it at the same time.
class PointStore {
public:
    /// A claim on a point: as long as it exists, only this thread may run the point.
    class Claim {
    public:
        Claim(process::Descriptor lock, std::filesystem::path file) : lock_(std::move(lock)), file_(std::move(file)) {}
        Claim(Claim&&) = default;
        Claim& operator=(Claim&&) = delete;
        /// Releases the claim, so that another thread or process may claim the point.
        ~Claim();

    private:
        process::Descriptor lock_;
        std::filesystem::path file_;
    };

    /// Creates the folder. Throws BadInput (unwritable_file).
    explicit PointStore(const std::filesystem::path& folder);

    /// Returns a finished point; nothing if the point is not finished, or if its file is not in the form that `put`
    /// writes.
    std::optional<PointResult> find(const std::string& key) const;
    /// Claims a point; returns nothing if another thread or process has claimed it. Another one may have finished the
    /// point, so `find` is called after `claim`. Throws BadInput (unwritable_file).
    std::optional<Claim> claim(const std::string& key) const;
    /// Stores a finished point. Throws BadInput (unwritable_file).
    void put(const std::string& key, const PointResult& result) const;

private:
    std::filesystem::path file_of(const std::string& key, const char* ending = ".json") const;

    std::filesystem::path folder_;
};

}  // namespace warpfront::tools
