// Description of a deadlock: a cycle of ranks that wait for each other, or a chain of waits that ends at a finished
// rank. Every blocked rank waits for exactly one peer, so following the peers from any blocked rank ends in such a
// cycle or chain.
//
//   deadlock: 2 ranks wait for each other; 2 ranks blocked in all
//     rank 0 (column 1, row 1) waits in `recv from east` at models/x.psl:12:9 for rank 1, tag 0, since 12.3us
//     rank 1 (column 2, row 1) waits in `recv from west` at models/x.psl:15:9 for rank 0, tag 0, since 11.9us
//     expected one of these ranks to send before it receives
#pragma once

#include <span>
#include <string>
#include <vector>

#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::results {

struct WaitPath {
    std::vector<record::Blocked> members;  // blocked ranks, each of which waits for the next
    /// True if the last member waits for the first; false if it waits for a rank that has finished.
    bool is_cycle = false;
};
/// Returns the first cycle found by following the peers from each rank in turn; without a cycle, the chain of the
/// lowest rank.
WaitPath wait_path(std::span<const record::Blocked> blocked);

/// Returns a remedy for the waits of a cycle, beginning with "expected". Empty for a chain.
std::string remedy(const WaitPath& path);

/// Describes the wait of the rank: "for rank 1", "for rank 1 to receive", "for any of 2 messages, such as that of rank
/// 1".
std::string wanted(const record::Blocked& blocked);

/// Formats several lines, the last without a line break; empty if no rank is blocked. The lowest rank of a cycle comes
/// first; at most 12 ranks are listed, of a chain those nearest its end. For a cycle the last line is the remedy.
std::string describe_deadlock(std::span<const record::Blocked> blocked, const program::Program& program);

}  // namespace warpfront::results
