// Finished points on disk: FOLDER/points/KEY.json, schema `warpfront.point/3`, each written whole by a rename, so that
// a killed study loses only what was under way, and several processes may work on one study.
//
// Processes that work on one study at a time do not run the same point: each claims it by a lock on
// FOLDER/points/KEY.lock (flock(2)), which ends with its process, however that ends.
//
// KEY is the SHA-256 of all that the point depends on: the schema, the version of the program, the engines, whether
// the event engine followed the critical path, the scenario as run
// (overrides applied, defaults included), and the contents of every file read for it: model, machine, calibration,
// maps. Where any of these changes, the key does, so an outdated point is not taken for a finished one. Names of files
// are not part of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "simulator/process/descriptor.hpp"
#include "tools/experiment/experiment.hpp"
#include "tools/study/points.hpp"

namespace warpfront::tools {

/// `with_path`: columns are of the critical path.
std::string key_of(const Experiment& experiment, const std::vector<Engine>& engines, bool with_path = false);

/// For several threads, and several processes, at a time.
class PointStore {
public:
    /// A point is this thread's to run as long as the claim exists.
    class Claim {
    public:
        Claim(process::Descriptor lock, std::filesystem::path file) : lock_(std::move(lock)), file_(std::move(file)) {}
        Claim(Claim&&) = default;
        Claim& operator=(Claim&&) = delete;
        /// Another may claim the point.
        ~Claim();

    private:
        process::Descriptor lock_;
        std::filesystem::path file_;
    };

    /// Makes the folder. Throws BadInput (unwritable_file).
    explicit PointStore(const std::filesystem::path& folder);

    /// Nothing if the point is not finished, or its file is not what `put` writes.
    std::optional<PointResult> find(const std::string& key) const;
    /// Nothing if another has claimed it. The point may be finished by then: `find` is called after `claim`. Throws
    /// BadInput (unwritable_file).
    std::optional<Claim> claim(const std::string& key) const;
    /// Throws BadInput (unwritable_file).
    void put(const std::string& key, const PointResult& result) const;

private:
    std::filesystem::path file_of(const std::string& key, const char* ending = ".json") const;

    std::filesystem::path folder_;
};

}  // namespace warpfront::tools
