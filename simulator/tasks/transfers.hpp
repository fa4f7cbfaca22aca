// Transfers between nodes and cluster memory: flows that share channels.
//
//   a transfer      moves its bytes over its channels, at one rate
//   rates           max-min fair (Bertsekas and Gallager 1992, section 6.5.2): the channel with the smallest share per
//                   flow determines the rates of its flows, then the next channel. Rates change when a flow begins or
//                   ends
//   end             computed from the bytes that were left at the latest change of rates, to the nearest picosecond
//
// Used by one thread.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "simulator/tasks/intervals.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tasks {

using ChannelId = std::uint32_t;
using TransferId = std::uint32_t;
inline constexpr ChannelId kNoChannel = std::numeric_limits<ChannelId>::max();

/// The channels of a transfer: a channel of the server and one of the node, for its direction. If a server or a node
/// has a channel for both directions together, this channel as well.
using TransferChannels = std::array<ChannelId, 4>;

class Transfers {
public:
    /// Adds a channel of this rate, in bytes per second.
    ChannelId add_channel(double rate);
    /// Begins to move the bytes at `now`, which must not be earlier than in the previous call. kNoChannel means no
    /// limit.
    TransferId begin(std::int64_t now, Bytes bytes, const TransferChannels& channels);
    /// Returns the time at which the next transfer ends. Returns nothing if no transfer is active.
    std::optional<std::int64_t> next_end();
    /// Returns the transfers that end at `now`, which is next_end(), in the order in which they began.
    std::vector<TransferId> end(std::int64_t now);
    /// Ends active transfers, even if they are not complete. Returns the bytes that each has left.
    std::vector<double> abort(std::int64_t now, const std::vector<TransferId>& ascending);
    /// Returns the bytes that a channel has moved.
    double moved(ChannelId channel) const { return channels_[channel].moved; }
    double rate(ChannelId channel) const { return channels_[channel].rate; }
    /// Returns the bytes that all transfers have moved, over time.
    record::Intervals<double> moved_over_time() const { return moved_.record(); }

private:
    struct Channel {
        double rate = 0.0;
        double moved = 0.0;
        double left = 0.0;       // while rates are settled
        std::uint32_t open = 0;  // flows that are not settled
    };
    struct Flow {
        TransferId id = 0;
        double left = 0.0;  // bytes left at since_
        double rate = 0.0;
        TransferChannels channels{};
        bool settled = false;
    };

    void advance(std::int64_t now);
    void remove(const std::vector<TransferId>& ascending);
    void settle();
    std::int64_t end_of(const Flow& flow) const;

    std::vector<Channel> channels_;
    std::vector<Flow> flows_;  // in the order in which they began
    Intervals<double> moved_;
    std::int64_t since_ = 0;
    bool settled_ = true;
    std::optional<std::int64_t> next_end_;  // the first end of any flow, once it is computed
    TransferId next_ = 0;
};

}  // namespace warpfront::tasks
