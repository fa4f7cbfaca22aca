// What all ranks' times say together: of each part of the breakdown, and of the finish, the least, the mean, the most,
// and which rank has the least and the most (among equals the lowest). And every rank's own, as CSV.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::results {

struct OverRanks {
    std::string_view name;  // "finish", then the parts as record::kBreakdownParts names them
    WideTime least;
    WideTime mean;  // rounded down to picoseconds
    WideTime most;
    Rank least_rank;
    Rank most_rank;
};

/// Empty for a record without the ranks' breakdowns.
std::vector<OverRanks> over_ranks(const record::Record& record);

/// What all ranks together waited for links, outside collectives; more than zero only where waits of messages delayed
/// ranks. None if the record has no breakdowns.
std::optional<WideTime> link_wait_of_ranks(const record::Record& record);

/// The phases of the program over ranks, in the order of its first iteration, then what is outside of them if that
/// takes any time; empty without phases.
struct PhaseOverRanks : OverRanks {
    WideTime last;  // of the rank that finishes last
    bool outside = false;
};
std::vector<PhaseOverRanks> phases_over_ranks(const record::Record& record);

/// The key or column of a part: "wait_s" of "wait", "bus_wait_s" of "bus wait".
std::string seconds_key(std::string_view part);

/// One line per rank: rank, column, row, node, then finish and parts in seconds with twelve decimals, which are exact,
/// so each line's parts add up to its finish; behind them its times by phase, where there are phases, which do so too.
/// `node_of`: by rank.
std::string ranks_csv(const record::Record& record, const RankGrid& grid, const std::vector<Node>& node_of);

}  // namespace warpfront::results
