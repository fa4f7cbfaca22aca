// Which ranks wait most, and for what: by kind, as the breakdown has it; of one rank also by statement, as its timeline
// has it. Waiting is all of a rank's time but computing and what its processor spends on messages: waiting for messages
// and partners, queueing for buses, NICs and links, and collectives as wholes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"
#include "simulator/units/ids.hpp"

namespace warpfront::results {

inline constexpr std::size_t kMostWaitingNamed = 3;

/// The ranks that wait longest, the longest first, among equals the lower rank; at most kMostWaitingNamed. Empty for a
/// record without the ranks' breakdowns.
std::vector<Rank> most_waiting(const record::Record& record);

/// Whether one rank waits notably longer than the mean of all: by more than a twentieth of the time of the run.
bool waits_unevenly(const record::Record& record);

/// A line for each of the ranks that wait longest, behind a line that says so; empty without breakdowns.
std::string waiting_table(const record::Record& record, const RankGrid& grid);
/// The ranks that wait longest as a list: rank, column, row, all waiting, and each kind.
nlohmann::ordered_json waiting_json(const record::Record& record, const RankGrid& grid);

/// How long a rank waits in one statement, over the time that its timeline shows.
struct StatementWait {
    std::uint16_t site = 0;  // index into Program::sites
    record::Activity activity = record::Activity::wait;
    WideTime waited;
    friend bool operator==(const StatementWait&, const StatementWait&) = default;
};
/// The longest first, at most kMostWaitingNamed; among equals the statement with the lower number.
std::vector<StatementWait> waits_by_statement(const record::RankTimeline& timeline);

/// A line for each: "  1.2ms wait in `recv from west` at m.psl:3:9".
std::string statements_table(const std::vector<StatementWait>& waits, const program::Program& program);
nlohmann::ordered_json statements_json(const std::vector<StatementWait>& waits, const program::Program& program);

}  // namespace warpfront::results
