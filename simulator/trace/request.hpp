// Which traces to read, for which ranks, and what their computing and collectives cost.
#pragma once

#include <filesystem>

#include "simulator/input/source.hpp"
#include "simulator/trace/expanded_trace.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::trace {

struct Request {
    std::filesystem::path list;       // or the folder that it lies in
    input::SourceRange mentioned_at;  // where a scenario names it
    RankGrid grid;
    input::SourceRange grid_range;
    Costs costs;
};

}  // namespace warpfront::trace
