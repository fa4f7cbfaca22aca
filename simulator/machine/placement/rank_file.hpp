// A rank file lists the host of every node: one host number (from 0, in the platform's order) per line. Nodes are the
// patches of ranks, row by row and plane by plane. Text after `#` is a comment; empty lines are ignored.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::machine {

struct RankFile {
    input::SourceFilePtr source;
    std::vector<Host> host_of;         // by node
    std::vector<std::size_t> offsets;  // by node: offset of the host number in the source
};

/// Reads a rank file. Throws BadInput if a line is no host number.
RankFile read_rank_file(input::SourceFilePtr source);

/// Returns true if it lists `nodes` different hosts below `hosts`; errors rank_file_length, out_of_range,
/// host_taken_twice.
bool check_rank_file(const RankFile& file, std::uint32_t nodes, std::uint32_t hosts, input::Diagnostics& faults);

}  // namespace warpfront::machine
