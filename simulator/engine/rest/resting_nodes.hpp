// The nodes at rest, by number. While nodes are stepped the streams into a node are changed by the one thread that steps
// the sender of each, those out of it by the thread that steps the node; all else changes between phases only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "simulator/engine/rest/rest.hpp"

namespace warpfront::engine {

class RestingNodes {
public:
    explicit RestingNodes(std::uint32_t nodes) : rests_(nodes) {}

    bool at_rest(std::uint32_t node) const { return rests_[node] != nullptr; }
    /// Null: it is stepped.
    Rest* rest(std::uint32_t node) const { return rests_[node].get(); }
    std::size_t count() const { return count_; }

    /// An event for a node at rest. False where it is not the one expected.
    bool take(const NodeEvent& event) const {
        Rest& rest = *rests_[event.to];
        Stream* const stream = find_stream(rest.in, event);
        if (stream == nullptr || stream->broken) return false;
        stream->broken = stream->implicit || rest.wakes || stream->count >= rest.periods || !(stream->next == event);
        if (!stream->broken) rest.advance(*stream, 1);
        return !stream->broken;
    }

    /// Between phases.
    void put(std::uint32_t node, std::unique_ptr<Rest> rest) {
        rests_[node] = std::move(rest);
        ++count_;
    }
    std::unique_ptr<Rest> remove(std::uint32_t node) {
        --count_;
        return std::move(rests_[node]);
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = rests_.capacity() * sizeof(rests_[0]);
        for (const std::unique_ptr<Rest>& rest : rests_) sum += rest == nullptr ? 0 : rest->bytes();
        return sum;
    }

private:
    std::vector<std::unique_ptr<Rest>> rests_;
    std::size_t count_ = 0;
};

}  // namespace warpfront::engine
