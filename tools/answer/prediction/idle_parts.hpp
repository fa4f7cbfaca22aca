// Notes on parts of an experiment's machine that its ranks, or its tasks, do not use.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/answer/experiment/experiment.hpp"

namespace warpfront::tools {

/// Equal parts of one kind that the cores of a node divide into.
struct NodeKind {
    std::string name;  // "socket"
    std::uint32_t parts = 1;
};

/// Returns the kinds that matter to the program, of several parts each. Tasks send no messages, so only cores matter to
/// them, and the memory that cores share.
std::vector<NodeKind> node_kinds(const Experiment& prepared);

/// Returns the places of a patch that have ranks on the node with the most ranks: a process grid may be smaller than
/// the patch.
std::vector<std::uint32_t> places_with_ranks(const machine::Placement& placement);

/// Returns notes on parts, buses, NICs and memories of a node that no rank's core belongs to, with the key that spreads
/// the ranks if that uses more of them; on parallel links that no rank chooses; and on servers of cluster memory
/// without records.
std::vector<std::string> notes_on_idle_parts(const Experiment& prepared);

}  // namespace warpfront::tools
