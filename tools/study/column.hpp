// The columns of a study's table, which README.md defines.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::tools {

// The parts of a path are those of record::PathParts. For the event engine they are along the longest chain of events;
// for an analytic model they are its own terms. Both have `fill` and `steady` of sweeps. In an analytic model the time
// between sweeps belongs to neither. If a study has any of these columns, the event engine follows the path, on one
// thread (engine/recording/README.md). A model that receives messages in the order of arrival has no path.
//
// If an engine does not compute a column, the column has no value. Speed-up and efficiency have no value for an engine
// that predicts only the first value of `over`. Units are seconds and their powers; shares are plain numbers.

enum class ColumnName : std::uint8_t {
    time,
    job,
    speed_up,
    efficiency,
    throughput,
    r_over_x,
    r2_over_x,
    compute,
    communication,
    overhead,
    latency,
    bandwidth,
    contention,
    fill,
    steady,
    link_wait,
    utilisation,
    manager,
    data,
    conditions,
    no_task,
    absent,
};

struct ColumnText {
    ColumnName column;
    std::string_view name;
    std::string_view unit;  // empty for a plain number
    bool more_is_better;
    bool needs_pool;
    bool needs_path = false;
};

inline constexpr std::array kColumns{
    ColumnText{ColumnName::time, "time", "s", false, false},
    ColumnText{ColumnName::job, "job", "s", false, false},
    ColumnText{ColumnName::speed_up, "speed-up", "", true, false},
    ColumnText{ColumnName::efficiency, "efficiency", "", true, false},
    ColumnText{ColumnName::throughput, "throughput", "1/s", true, true},
    ColumnText{ColumnName::r_over_x, "R/X", "s^2", false, true},
    ColumnText{ColumnName::r2_over_x, "R^2/X", "s^3", false, true},
    ColumnText{ColumnName::compute, "compute", "", true, false, true},
    ColumnText{ColumnName::communication, "communication", "", false, false, true},
    ColumnText{ColumnName::overhead, "overhead", "", false, false, true},
    ColumnText{ColumnName::latency, "latency", "", false, false, true},
    ColumnText{ColumnName::bandwidth, "bandwidth", "", false, false, true},
    ColumnText{ColumnName::contention, "contention", "", false, false, true},
    ColumnText{ColumnName::fill, "fill", "", false, false, true},
    ColumnText{ColumnName::steady, "steady", "", true, false, true},
    ColumnText{ColumnName::link_wait, "link wait", "s", false, false},
    ColumnText{ColumnName::utilisation, "utilisation", "", true, false},
    ColumnText{ColumnName::manager, "manager", "", false, false},
    ColumnText{ColumnName::data, "data", "", false, false},
    ColumnText{ColumnName::conditions, "conditions", "", false, false},
    ColumnText{ColumnName::no_task, "no task", "", false, false},
    ColumnText{ColumnName::absent, "absent", "", false, false},
};

constexpr const ColumnText& text_of(ColumnName column) { return kColumns[static_cast<std::size_t>(column)]; }

/// Reads the name of a column. Diagnostics: bad_choice.
ColumnName read_column(const std::string& name, const SourceRange& range, Diagnostics& faults);

}  // namespace warpfront::tools
