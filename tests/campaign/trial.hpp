// A trial: one experiment as a user would type it, a scenario and its overrides, with the files that it needs if the
// scenario, its model or its machine are not shipped ones.
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::campaign {

/// The intended size of a trial, for the summary.
struct Extent {
    std::int64_t ranks = 1;
    std::int64_t tiles = 1;  // of the longest sweep
};

/// A trial. All paths are relative to the project's root, where the program is run.
struct Trial {
    std::filesystem::path folder;              // of its own files
    std::map<std::string, std::string> files;  // by name, their text
    std::filesystem::path scenario;
    std::vector<std::string> sets;  // PATH=VALUE
    Extent extent;
    std::string model;    // for the summary: "sweep3d", "generated"
    std::string machine;  // "xt4.yaml", "generated"

    void set(const std::string& path, const std::string& value) { sets.push_back(path + '=' + value); }
    /// Returns the path of `file` relative to the scenario's folder, for overrides.
    std::string from_scenario(const std::filesystem::path& file) const;
    /// Returns the path of `file` relative to the trial's own folder.
    std::string from_folder(const std::filesystem::path& file) const;
};

/// Returns the shell command that repeats the trial, with `options` at its end.
std::string command(const Trial& trial, const std::string& options = {});

/// Writes the trial's files into its folder, which is created if there are files. Throws
/// std::filesystem::filesystem_error or std::ios::failure.
void write_files(const Trial& trial);
void remove_files(const Trial& trial);

}  // namespace warpfront::campaign
