// A request for traces: the list, the ranks, and the costs of computation and collectives.
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
};

}  // namespace warpfront::trace
