// The key `workers` of a scenario with lists of self-scheduled tasks: the availability of cores and nodes over time
// (variation/availability.hpp). keys.cpp describes its keys. Nodes count from 0, as in results.
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
    SourceRange range;
    variation::Availability availability;
    std::string schedule_as_written;      // path of the schedule as written; empty without a schedule
    std::optional<SourceFilePtr> source;  // file of the schedule
};

/// Takes the key from `top`, the root of the file `scenario`. Errors: conflicting_keys, missing_key, out_of_range for
/// nonexistent nodes and cores, those of CSV; unreadable_file.
WorkersKey read_workers(MappingReader& top, const std::filesystem::path& scenario, std::uint32_t nodes,
                        std::uint32_t cores, Diagnostics& faults);

}  // namespace warpfront::scenario
