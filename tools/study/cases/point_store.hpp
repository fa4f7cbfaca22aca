// The results of cases. Results of finished cases are stored on disk as points of studies: FOLDER/points/KEY.json,
// schema `warpfront.point/5`. A file appears complete, by a rename. So a killed study loses only the points that were
// running, and several processes may work on one study.
//
// Processes that work on one study at the same time do not run the same point. A process claims each point that it runs
// by a lock on FOLDER/points/KEY.lock (flock(2)); however the process ends, the lock ends with it.
//
// KEY is the SHA-256 of all inputs of the point: the schema, the version of the program, the engines, whether the event
// engine followed the critical path, the number of the seed among several, the scenario with overrides and defaults,
// and the contents of all files read for it (model, machine, calibration, maps). If any of these changes, the key
// changes, so an outdated point is never used. Names of files are not part of the key.
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

/// The exact prediction of one engine. Times are whole picoseconds.
struct EngineResult {
    std::string engine;
    WideTime time;  // time of the first seed; so are all members except `further`
    /// Analytic models set `path` and `fill`. The event engine sets them if a column needs them.
    std::optional<record::PathParts> path{};
    std::optional<WideTime> fill{};          // time in which the pipelines of sweeps fill
    std::optional<WideTime> nonwavefront{};  // set by closed forms
    /// waiting time of all messages; set by the event engine if links are shared
    std::optional<WideTime> link_wait{};
    std::optional<record::CoreTime> cores{};  // times of cores in lists of tasks; set by the event engine
    std::vector<std::string> notes{};         // notes of the engine
    bool depends_on_seed = false;             // true if another seed may have another time
    // The following members are not stored on disk.
    std::optional<Waiting> waiting{};      // set by simulating engines
    std::optional<WideTime> contention{};  // set by closed forms: the term for the bus
    /// Results of the further seeds, without their notes. Each of them has its own file on disk.
    std::vector<EngineResult> further{};

    /// Returns the number of seeds: 1 for a run that depends on no seed.
    std::size_t seeds() const { return 1 + further.size(); }
    /// Returns the result of a seed. A run that depends on no seed has the same result with every seed.
    const EngineResult& of_seed(std::size_t seed) const {
        return seed == 0 || further.empty() ? *this : further[seed - 1];
    }
    /// Returns the time of each seed.
    std::vector<WideTime> times() const;
};

/// A run that ended without a prediction, for example because of a deadlock.
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
    std::vector<results::InputHash> inputs{};  // all files read for the point; the key covers their contents

    /// Returns the result of an engine. Returns nullptr if the engine has not run, or if its run failed.
    const EngineResult* by(std::string_view engine) const;
};

/// Returns the key of a point. `with_path` is true if columns are shares of the critical path. `seed` counts the seeds
/// of the point from 0.
std::string key_of(const Experiment& experiment, const std::vector<Engine>& engines, bool with_path = false,
                   std::uint64_t seed = 0);

/// The folder of finished points. Several threads and several processes may use it at the same time.
class PointStore {
public:
    /// A claim on a point. While it exists, only this thread may run the point.
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

    /// Returns a finished point. Returns nothing if the point is not finished, or if its file does not have the schema
    /// that `put` writes.
    std::optional<PointResult> find(const std::string& key) const;
    /// Claims a point. Returns nothing if another thread or process has claimed it. Another one may already have
    /// finished the point, so callers call `find` after `claim`. Throws BadInput (unwritable_file).
    std::optional<Claim> claim(const std::string& key) const;
    /// Stores a finished point. Throws BadInput (unwritable_file).
    void put(const std::string& key, const PointResult& result) const;

private:
    std::filesystem::path file_of(const std::string& key, const char* ending = ".json") const;

    std::filesystem::path folder_;
};

}  // namespace warpfront::tools
