// The memory that the queues of a run may use together. Queues contain messages behind the heads of their channels, and
// messages between nodes. All other allocations of a run are known before it begins (estimate.hpp). Any thread may call
// the functions of MemoryBudget.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace warpfront::engine {

/// An exception for queues that exceed the budget. The simulation catches it and searches the longest queue.
class QueuesTooLong : public std::runtime_error {
public:
    QueuesTooLong() : std::runtime_error("the queues of the run need more memory than they may take") {}
};

class MemoryBudget {
public:
    /// Sets the limit in bytes. Must be called before the run begins.
    void limit(std::uint64_t bytes) { left_ = static_cast<std::int64_t>(bytes); }

    /// Accounts for moving an array from `before` to `after` bytes. During the move, both are allocated. Throws
    /// QueuesTooLong.
    void grow(std::uint64_t before, std::uint64_t after) {
        const auto needed = static_cast<std::int64_t>(after);
        if (left_.fetch_sub(needed, std::memory_order_relaxed) < needed) throw QueuesTooLong();
        left_.fetch_add(static_cast<std::int64_t>(before), std::memory_order_relaxed);
    }

    /// Appends a value to an array, and accounts for the array's growth.
    template <typename Array, typename Value>
    void push(Array& array, const Value& value) {
        if (array.size() == array.capacity()) {
            const std::uint64_t now = array.capacity() * sizeof(Value);
            const std::uint64_t then = now > 0 ? 2 * now : kFirst * sizeof(Value);
            grow(now, then);
            array.reserve(then / sizeof(Value));
        }
        array.push_back(value);
    }

private:
    static constexpr std::uint64_t kFirst = 16;

    std::atomic<std::int64_t> left_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace warpfront::engine
