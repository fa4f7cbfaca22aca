// Ranks and their hosts as a scenario lists them.
//
//   0..3:12, 4..7:13:0..6..2     entries RANKS:HOST or RANKS:HOST:CORES, joined by commas; RANKS and CORES are numbers
//                                or ranges `A..B` or `A..B..STEP` with as many items each
//   rank 0=12 slot=3             a line of a rankfile of Open MPI, rank RANKS=HOST slot=CORES; HOST may be written
//                                `+n12` as there; `slot` may be left out; `#` begins a comment
//
// Hosts have their numbers in the order of the platform, from 0.
#pragma once

#include <string_view>
#include <vector>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/placement/seats.hpp"

namespace warpfront::scenario {

/// Reads the entries of `text`, which stands at `range`. Diagnostics: bad_range, bad_number, out_of_range,
/// core_list_length for other than as many cores as ranks.
std::vector<machine::ListedRanks> read_rank_list(std::string_view text, const input::SourceRange& range,
                                                 input::Diagnostics& faults);

/// Reads the lines of a rankfile. Diagnostics: those of `read_rank_list`, missing_key for a file without ranks.
std::vector<machine::ListedRanks> read_rankfile(const input::SourceFilePtr& source, input::Diagnostics& faults);

}  // namespace warpfront::scenario
