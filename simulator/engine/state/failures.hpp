// Failures that end a run before all its ranks have finished. Their cause is the model or a lack of resources. After
// such a failure the program exits with status 1.
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

/// The model cannot continue, since every unfinished rank waits. `blocked` contains these ranks in order.
/// simulator/results prints the cycle.
class Deadlock : public std::runtime_error {
public:
    explicit Deadlock(std::vector<record::Blocked> ranks)
        : std::runtime_error("deadlock: " + std::to_string(ranks.size()) + " ranks wait and none can continue"),
          blocked_(std::move(ranks)) {}
    const std::vector<record::Blocked>& blocked() const { return blocked_; }

private:
    std::vector<record::Blocked> blocked_;
};

/// Virtual time exceeds its range of 53 days. This concerns the clock of `rank`, or the arrival of a message that it
/// sent, in the statement `site` (index into Program::sites). If several ranks exceed the range in one round, any one
/// of them is reported.
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

/// The queued messages need more memory than Options::queue_memory. Most of them are on one channel, whose sender runs
/// further and further ahead. The results until then are kept.
class MemoryExhausted : public std::runtime_error {
public:
    struct Found {
        std::optional<Bytes> limit;  // limit for all queues together; empty if only the host's memory limits them
        Rank from;                   // sender of the channel with the most queued messages
        Rank to;
        std::int32_t tag = 0;
        std::uint16_t site = 0;  // first statement that sends on this channel, as an index into Program::sites
        std::uint64_t queued = 0;
        WideTime simulated;  // virtual time that has been simulated
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
