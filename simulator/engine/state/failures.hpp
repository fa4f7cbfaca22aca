// Failures that end a run before all its ranks have finished, caused by the model or its resources. After each of them
// the program exits with status 1.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "simulator/record/record.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The model cannot continue: every unfinished rank waits. `blocked` contains them all, by rank; results/ prints the
/// cycle.
class Deadlock : public std::runtime_error {
public:
    explicit Deadlock(std::vector<record::Blocked> ranks)
        : std::runtime_error("deadlock: " + std::to_string(ranks.size()) + " ranks wait and none can continue"),
          blocked_(std::move(ranks)) {}
    const std::vector<record::Blocked>& blocked() const { return blocked_; }

private:
    std::vector<record::Blocked> blocked_;
};

/// Virtual time left its range of 53 days: the clock of `rank`, or the arrival of a message it sent, in the statement
/// `site` (index into Program::sites). If several ranks exceed the range in one round, any one of them is reported.
class TimeOverflow : public std::runtime_error {
public:
    TimeOverflow(Rank rank, std::uint16_t site)
        : std::runtime_error("virtual time passed its horizon of 53 days"), rank_(rank), site_(site) {}
    Rank rank() const { return rank_; }
    std::uint16_t site() const { return site_; }

private:
    Rank rank_;
    std::uint16_t site_;
};

/// Messages queue up beyond Options::queue_memory: most of them on one channel, whose sender is further and further
/// ahead. The results up to then are kept.
class MemoryExhausted : public std::runtime_error {
public:
    struct Found {
        std::optional<Bytes> limit;  // limit of all queues together; empty: limited only by the host
        Rank from;                   // sends on the channel with most messages queued
        Rank to;
        std::int32_t tag = 0;
        std::uint16_t site = 0;  // first statement that sends on this channel: index into Program::sites
        std::uint64_t queued = 0;
        WideTime simulated;  // virtual time reached so far
        /// Durations of the iterations that have ended, as in record::Record.
        std::vector<std::pair<WideTime, std::int64_t>> iterations;
    };
    explicit MemoryExhausted(Found found)
        : std::runtime_error("messages queue up beyond the available memory"), found_(std::move(found)) {}
    const Found& found() const { return found_; }

private:
    Found found_;
};

}  // namespace warpfront::engine
