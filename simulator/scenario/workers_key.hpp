// The key `workers` of a scenario with lists of self-scheduled tasks: the availability of cores and nodes over time
// (variation/availability.hpp).
//
//   workers: {schedule: batch.csv,                       columns at, node, cores (from then on); relative to the
//                                                        scenario's own file
//             drawn: {least: 0, most: 128, every: 1h},   each node's, drawn anew at intervals; not beside `schedule`
//             joining: by_turn,                          or at_once, the default
//             lost: [{node: 1, at: 2h, repaired: 30min}]}
//
// Nodes count from 0, as in results.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "simulator/input/yaml.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/variation/availability.hpp"

namespace warpfront::scenario {

struct WorkersKey {
    bool given = false;
    input::SourceRange range;
    variation::Availability availability;
    std::string schedule_as_written;             // empty without a schedule
    std::optional<input::SourceFilePtr> source;  // file of the schedule
};

/// Takes the key from `top`, the root of the file `scenario`. Errors: conflicting_keys, missing_key, out_of_range for
/// nonexistent nodes and cores, those of CSV; unreadable_file.
WorkersKey read_workers(input::MappingReader& top, const std::filesystem::path& scenario, std::uint32_t nodes,
                        std::uint32_t cores, input::Diagnostics& faults);

}  // namespace warpfront::scenario
