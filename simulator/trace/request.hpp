// A request for traces: the list, the ranks, the costs of computation and collectives, the communicators.
#pragma once

#include <filesystem>

#include "simulator/input/source.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::trace {

struct TraceRequest {
    std::filesystem::path list;       // or its folder
    input::SourceRange mentioned_at;  // where a scenario names it
    RankGrid grid;
    input::SourceRange grid_range;
    Costs costs;
    std::filesystem::path communicators{};  // their file; empty: all collectives are of all ranks
    input::SourceRange communicators_mentioned_at{};
};

}  // namespace warpfront::trace
