// The results of a record by rank: every rank's times as CSV, statistics over ranks (least, mean, most; one hash), maps
// of the process grid, and the ranks that wait most.
//
// Waiting is all of a rank's time except computing and the handling of messages by its processor: waiting for messages
// and partners, queueing for buses, NICs and links, and all time in collectives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::results {

/// Statistics over all ranks of one part of the breakdown, or of the finish. Of ranks with equal times, the lowest is
/// named.
struct OverRanks {
    std::string_view name;  // "finish", then the parts as in record::kBreakdownParts
    WideTime least;
    WideTime mean;  // rounded down to picoseconds
    WideTime most;
    Rank least_rank;
    Rank most_rank;
};

/// Returns the finish, then each part. Empty for a record without the ranks' breakdowns.
std::vector<OverRanks> over_ranks(const record::Record& record);

/// Returns the total wait of all ranks for links, outside collectives; it is above zero only if waits of messages
/// delayed ranks. None if the record has no breakdowns.
std::optional<WideTime> link_wait_of_ranks(const record::Record& record);

/// Statistics over all ranks of one phase of the program. Phases are in the order of the first iteration, followed by
/// the time outside of all phases, if there is any.
struct PhaseOverRanks : OverRanks {
    WideTime last;  // time of the rank that finishes last
    bool outside = false;
};
std::vector<PhaseOverRanks> phases_over_ranks(const record::Record& record);

/// Returns the key or column of a part: "wait_s" of "wait", "bus_wait_s" of "bus wait".
std::string seconds_key(std::string_view part);

/// Formats one line per rank: rank, column, row and node, then finish and parts in seconds, then the times by phase if
/// there are phases. The twelve decimals are exact, so the parts of a line add up to its finish, and so do the phases.
/// `node_of` is indexed by rank.
std::string ranks_csv(const record::Record& record, const RankGrid& grid, const std::vector<Node>& node_of);

/// Returns a hash that is equal if two runs agree to the picosecond on every rank: SHA-256, in hexadecimal, of all
/// final times in order of rank, each as a little-endian 128-bit integer (two's complement).
std::string digest(std::span<const WideTime> rank_finish);

inline constexpr std::uint32_t kMostCells = 64;  // limit of cells along one side

/// Returns the process grid as maps for pictures, which are small for any grid. A grid of more than kMostCells columns
/// or rows, or of more than kMostCells x kMostCells ranks in several planes, is divided into cells of equal numbers of
/// ranks (fewer at the east, south and upper edges). The maps contain the means of cells, with six significant digits;
/// finishes have ten.
///
/// `columns` and `rows` of cells, `columns_per_cell` and `rows_per_cell` of ranks, of several planes also `planes` and
/// `planes_per_cell`; then the maps in seconds, cell by cell from the north-west, a row first, plane by plane:
/// `first_tile_s` (left out if some rank has none), `compute_s`, `wait_s` (for messages and partners), `queue_s`
/// (for bus, NIC and links), `finish_s`. Null for a record without the ranks' breakdowns.
nlohmann::ordered_json rank_array(const record::Record& record, const RankGrid& grid);

inline constexpr std::size_t kMostWaitingNamed = 3;

/// Returns the total wait of a rank: for messages, partners and shared resources, and in collectives.
WideTime waiting(const record::Breakdown& parts);

/// Returns at most kMostWaitingNamed ranks that wait longest, the longest first. Of equal ranks the lower is first.
/// Empty for a record without the ranks' breakdowns.
std::vector<Rank> most_waiting(const record::Record& record);

/// Returns true if one rank waits longer than the mean of all ranks by more than 5 % of the time of the run.
bool waits_unevenly(const record::Record& record);

/// Formats a line for each of the ranks that wait longest, after a heading; empty without breakdowns.
std::string waiting_table(const record::Record& record, const RankGrid& grid);
/// Returns the ranks that wait longest as a list: rank, column, row, all waiting, and each kind.
nlohmann::ordered_json waiting_json(const record::Record& record, const RankGrid& grid);

/// The waiting time of one rank in one statement, within the window of its timeline.
struct StatementWait {
    std::uint16_t site = 0;  // statement: index into Program::sites
    record::Activity activity = record::Activity::wait;
    WideTime waited;
    friend bool operator==(const StatementWait&, const StatementWait&) = default;
};
/// Returns the longest waits first, at most kMostWaitingNamed; among equals the statement with the lower number first.
std::vector<StatementWait> waits_by_statement(const record::RankTimeline& timeline);

/// Formats a line for each: "  1.2ms wait in `recv from west` at m.psl:3:9".
std::string statements_table(const std::vector<StatementWait>& waits, const program::Program& program);
nlohmann::ordered_json statements_json(const std::vector<StatementWait>& waits, const program::Program& program);

/// The time for which one rank waits for the messages of another, within the window of a timeline. A wait begins when
/// the receiver blocks and ends when it begins to take the message. It includes the time for which the message waits
/// for links and for the receiver's NIC.
struct PairWait {
    Rank receiver;
    Rank sender;
    WideTime waited;
    friend bool operator==(const PairWait&, const PairWait&) = default;
};
/// Returns the longest waits first, at most kMostWaitingNamed; among equals the lower receiver, then the lower sender.
/// If a rank takes several messages at the same time, the wait counts for the message that left last.
std::vector<PairWait> waits_by_pair(const record::Timeline& timeline);

/// Formats a line for each pair: "  rank 5 (column 2, row 1) for rank 4 (column 1, row 1)     1.2ms".
std::string pairs_table(const std::vector<PairWait>& waits, const RankGrid& grid);
nlohmann::ordered_json pairs_json(const std::vector<PairWait>& waits);

}  // namespace warpfront::results
