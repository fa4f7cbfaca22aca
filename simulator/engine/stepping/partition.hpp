// The nodes that one thread steps: their calendar, their interpreter, and what they send to other partitions.
//
// A partition moves in rounds; between two rounds one thread alone looks at all partitions (simulation.hpp). In a round
// it takes in what was sent to it in the round before, then lets take place what comes before a limit.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/program_interpreter.hpp"

namespace warpfront::engine {

class Partition {
public:
    Partition(const Layout& layout, State& state, const variation::ComputeTime* compute_time)
        : context(layout, state), protocol(context), interpreter(context, protocol, compute_time) {}

    /// All events before `limit`, in their order; or before the end of a window in which a rank ends an iteration.
    /// `pause` is called from time to time.
    template <typename Pause>
    void serve(std::int64_t limit, const Pause& pause) {
        context.limit = limit;
        for (std::uint32_t served = 1; context.calendar.find_first(); ++served) {
            const std::int64_t time = context.calendar.first().time;
            if (time >= context.limit) return;
            context.now = time;
            interpreter.serve(context.calendar.take_first());
            if (served % kEventsBetweenPauses == 0) pause();
        }
    }
    /// When something takes place here, or takes effect elsewhere, at the earliest.
    std::int64_t next_time() {
        const std::int64_t here = context.calendar.find_first() ? context.calendar.first().time : kHorizon.ps;
        return std::min(here, context.soonest_effect);
    }

    /// Remote events of the round that has ended, by partition of their target.
    const std::vector<std::vector<RemoteEvent>>& sent() const { return sent_; }
    /// Ends the round: its events can be taken by other partitions.
    void close_round() {
        sent_.resize(context.remote_events.size());
        for (auto& box : sent_) box.clear();
        sent_.swap(context.remote_events);
    }
    bool has_sent() const {
        return std::any_of(sent_.begin(), sent_.end(), [](const auto& box) { return !box.empty(); });
    }

    /// Adds the messages that other partitions have not taken in yet.
    void count_messages(std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash>& sum) const;

    std::uint64_t bytes() const;

    PartitionContext context;
    MessageProtocol protocol;
    ProgramInterpreter interpreter;

private:
    static constexpr std::uint32_t kEventsBetweenPauses = 256;

    std::vector<std::vector<RemoteEvent>> sent_;
};

}  // namespace warpfront::engine
