// Computing by cores that share memory bandwidth: processor sharing in virtual time (machine/memory_law.hpp).
//
// The beginning and the end of each block are timed requests of the node, ordered like all its requests
// (event_order.hpp). Only differences of times have an effect. So a state that recurs up to a shift in time leads to
// the same future (recurrence/recurrence.hpp).
#pragma once

#include <cstdint>

#include "simulator/engine/stepping/partition_context.hpp"

namespace warpfront::engine {

class SharedMemory {
public:
    explicit SharedMemory(PartitionContext& context)
        : context_(context), layout_(context.layout), state_(context.state) {}

    /// Requests computing from the rank's clock on.
    void request(Rank rank, RankLine& line) { context_.request(rank, line, RankState::requests_compute, {}); }
    /// Begins a block at the rank's clock. The block would take `alone` if no other core of the group computed.
    void begin(Rank rank, RankLine& line, Time alone);
    /// Ends the block at the rank's clock.
    void end(Rank rank, RankLine& line);

private:
    /// The cores of a group on a node, from `first` up to `last`, exclusive.
    struct Group {
        Node node;
        std::uint32_t first;
        std::uint32_t last;

        auto cores() const { return id_range<Core>(first, last); }
    };
    static constexpr std::uint32_t kNoEvent = 0xFFFFFFFF;

    Group group_of(const RankLine& line) const;
    std::int64_t computing(const Group& group) const;
    void change(const Group& group, std::int64_t now, std::int64_t from, std::int64_t to);
    void end_at(Rank rank, RankLine& line, std::int64_t end);

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
};

}  // namespace warpfront::engine
