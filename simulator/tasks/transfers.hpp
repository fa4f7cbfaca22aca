// Transfers between nodes and cluster memory: flows that share channels.
//
//   a transfer      moves its bytes over its channels, at one rate
//   rates           max-min fair (Bertsekas and Gallager 1992, section 6.5.2): the channel that leaves its flows the
//                   least each settles them, then the next. They change when a flow begins or ends
//   end             at the nearest picosecond, from what was left when the rates changed last
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

/// What a transfer moves over: channels of a server and of a node, of its direction and, if they are shared, of both.
using TransferChannels = std::array<ChannelId, 4>;

class Transfers {
public:
    /// Bytes per second.
    ChannelId add_channel(double rate);
    /// Begins to move the bytes at `now`, which is not before that of an earlier call. kNoChannel: not limited there.
    TransferId begin(std::int64_t now, Bytes bytes, const TransferChannels& channels);
    /// When the next one ends; nothing if none is under way.
    std::optional<std::int64_t> next_end();
    /// The transfers that end at `now`, which is next_end(), in the order in which they began.
    std::vector<TransferId> end(std::int64_t now);
    /// Ends transfers that are under way, whatever is left of them. How many bytes that is, in all of each.
    std::vector<double> abort(std::int64_t now, const std::vector<TransferId>& ascending);
    /// What a channel has moved.
    double moved(ChannelId channel) const { return channels_[channel].moved; }
    double rate(ChannelId channel) const { return channels_[channel].rate; }
    /// What all transfers have moved, over time.
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
        double left = 0.0;  // bytes, at since_
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
    std::optional<std::int64_t> next_end_;  // of any, once it is known
    TransferId next_ = 0;
};

}  // namespace warpfront::tasks
