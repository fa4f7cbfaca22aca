// Finished points on disk: FOLDER/points/KEY.json, schema `warpfront.point/1`, each written whole by a rename, so that a
// killed study loses only what was under way, and several processes may work on one study.
//
// KEY is the SHA-256 of all that the point depends on: the version of the program, the engines, the scenario as run
// (overrides applied, defaults included), and the contents of every file read for it: model, machine, calibration, maps.
// Where any of these changes, the key does, so an outdated point is not taken for a finished one. Names of files are not
// part of it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tools/experiment.hpp"
#include "tools/study/study_points.hpp"

namespace warpfront::tools {

std::string key_of(const Experiment& experiment, const std::vector<Engine>& engines);

/// For several threads, and several processes, at a time.
class PointStore {
public:
    /// Makes the folder. Throws BadInput (unwritable_file).
    explicit PointStore(const std::filesystem::path& folder);

    /// Nothing if the point is not finished, or its file is not what `put` writes.
    std::optional<PointResult> find(const std::string& key) const;
    /// Throws BadInput (unwritable_file).
    void put(const std::string& key, const PointResult& result) const;

private:
    std::filesystem::path file_of(const std::string& key) const;

    std::filesystem::path folder_;
};

}  // namespace warpfront::tools
