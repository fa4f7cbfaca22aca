// A file of jobs: several scenarios that run side by side on one machine.
//
//   jobs:                                       two or more
//     - scenario: ../sweep3d/billion.yaml       relative to this file
//       name: sweep                             optional: in results; default: the name of the scenario's file
//       set: [ranks.columns=8, ranks.rows=8]    optional: overrides as of --set, in order
//       start: 2ms                              optional: the begin of the job; default 0
//   platform: ../../platforms/xt4.yaml          optional: in place of the scenarios' own, in either form of theirs
//   nodes: consecutive                          or interleaved; default consecutive
//   placement: linear                           or another rule of a scenario's `placement` except `block`
//
// `placement` places the nodes of all jobs together on hosts. With `nodes: consecutive` the first job has the first of
// these hosts, the second job the next ones; with `interleaved` the jobs take hosts in turn until each has all of its
// hosts. A rank file lists the hosts of all nodes in this order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/source.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/machine/placement/rules.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

struct JobEntry {
    std::string name;
    scenario::NamedScenario scenario;
    Time start;
};

/// The rule that selects the job for the next host.
enum class NodeOrder : std::uint8_t { consecutive, interleaved };

struct JobsFile {
    std::filesystem::path file;
    input::SourceFilePtr source;
    std::vector<JobEntry> jobs;
    input::SourceRange jobs_range;            // place of the list
    std::optional<input::YamlNode> platform;  // replaces those of the scenarios
    NodeOrder order = NodeOrder::consecutive;
    machine::PlacementRequest placement;
};

/// Returns true if a YAML file has a key `jobs`; false if it cannot be read, which is reported when it is read as a
/// scenario.
bool is_jobs_file(const std::filesystem::path& file);

/// Reads a file of jobs. Throws BadInput with all faults: of YAML, unknown and missing keys, too few jobs, two jobs
/// with one name.
JobsFile read_jobs_file(const std::filesystem::path& file);

}  // namespace warpfront::tools
