// The program of one class of ranks: loops and branches of the skeleton with the values of one of its ranks.
#pragma once

#include "psl/code_writer.hpp"
#include "psl/rank_values.hpp"
#include "psl/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

class CollectiveSteps;

/// The program of the current rank of `values`, at most kMostInstructions long.
WrittenClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps);

}  // namespace warpfront::psl
