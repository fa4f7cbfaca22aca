// The program of one class of ranks: loops and branches of the skeleton with the values of one of its ranks.
#pragma once

#include "psl/lowering/code_writer.hpp"
#include "psl/specialising/residual.hpp"
#include "psl/specialising/skeleton.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

class CollectiveSteps;

/// Writes the program of the current rank of `values`, at most kMostInstructions long.
WrittenClass write_class(const Skeleton& skeleton, const Graph& graph, RankValues& values, CollectiveSteps& steps);

}  // namespace warpfront::psl
