// Records what the ranks of a window do while they are simulated.
//
// A rank's time is recorded in consecutive intervals. Each call of `advance` states what the rank has done since the
// previous call. If a receiver waits for a message that itself waited in the network, these waits are recorded as the
// end of the receiver's wait, as in the breakdown of times. Messages of a channel do not overtake each other. So the
// k-th message that leaves is the k-th that is received, and both ends count messages from the beginning of the run.
//
// Each rank has its own lists. They are written by the thread that simulates the rank, or between rounds, so a timeline
// does not depend on the number of threads. When the list of a rank is full, nothing more is recorded for this rank.
// The timeline ends at the earliest time at which a list became full.
//
// Iterations are skipped only after the end of the window. If ranks are paused between iterations
// (stepping/program_interpreter.hpp), only the order of simulation changes.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/timeline.hpp"

namespace warpfront::engine {

class TimelineRecorder {
public:
    TimelineRecorder(const Layout& layout, const record::TimelineWindow& window);

    /// Records what the rank has done up to `clock`.
    void advance(Rank rank, record::Activity activity, std::int64_t clock, std::uint16_t site);
    void begin_collective(Rank rank, std::int64_t clock);
    void end_collective(Rank rank, std::int64_t clock, std::uint16_t site);
    void end_iteration(Rank rank, std::int64_t clock);
    void hold(Rank rank, record::Resource resource, std::int64_t granted, std::int64_t lasts);
    /// Records that a message leaves its node at `clock`.
    void leave(Rank sender, ReceiveEndpointId receive_endpoint, CostId cost, std::int64_t clock);
    /// Records that the receiver begins to receive the next message of the endpoint at `clock`.
    void receive(Rank rank, ReceiveEndpointId receive_endpoint, std::int64_t clock);
    /// Records that the receiver begins to receive the message with this number on its channel. It is called for
    /// receives that may complete in any order.
    void receive(Rank rank, ReceiveEndpointId receive_endpoint, std::uint32_t number, std::int64_t clock);

    /// Returns true if nothing is left to record once all events before `time` are known.
    bool over_at(std::int64_t time) const;

    /// Returns the timeline after the run of `program`.
    record::Timeline take(const program::Program& program);

private:
    /// The sending or the receiving end of a message. `number` is the message's number on its endpoint.
    struct End {
        ReceiveEndpointId receive_endpoint;
        std::uint32_t number = 0;
        CostId cost;
        std::int64_t time = 0;
    };
    struct OfRank {
        std::int64_t until_now = 0;  // everything before this time has been recorded or omitted
        /// beginning of the present collective; kHorizon outside collectives
        std::int64_t collective_began = kHorizon.ps;
        std::int64_t full_at = kHorizon.ps;
        std::int64_t ends = kHorizon.ps;  // end of the rank's first iteration
        record::RankTimeline timeline;
        std::vector<End> left;
        std::vector<End> received;
        std::unordered_map<ReceiveEndpointId, std::uint32_t, IdHash> leaves_of;
        std::unordered_map<ReceiveEndpointId, std::uint32_t, IdHash> receipts_of;
    };

    OfRank* recorded(Rank rank) {
        const std::uint32_t at = rank.index - window_.first.index;
        return at < ranks_.size() ? &ranks_[at] : nullptr;
    }
    bool within(std::int64_t time) const { return time >= from_ && time < until_; }
    bool wanted(std::int64_t begin, std::int64_t end) const { return end > from_ && begin < until_; }
    template <typename Entry>
    static void keep_first(OfRank& of, std::vector<Entry>& list, std::size_t most);
    template <typename Entry>
    void add(OfRank& of, std::vector<Entry>& list, const Entry& entry, std::int64_t begin, std::size_t most);
    record::Span clipped(record::Span span) const;
    std::vector<record::TimedMessage> messages(const program::Program& program, std::int64_t cut) const;
    std::optional<std::int32_t> tag_of(const program::Program& program, ReceiveEndpointId receive_endpoint) const;

    const Layout& layout_;
    const record::TimelineWindow window_;
    const std::int64_t from_;
    const std::int64_t until_;
    std::size_t most_of_rank_ = 0;
    std::vector<OfRank> ranks_;
};

}  // namespace warpfront::engine
