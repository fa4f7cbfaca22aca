// Which nodes of a partition are visited in which window of virtual time: those with an event in the window that is served are
// active, the others stand in a timing wheel. Times are picoseconds of virtual time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/timing_wheel.hpp"

namespace warpfront::engine {

class Agenda {
public:
    /// A window is 2^`window_shift` picoseconds.
    Agenda(HugePageArray<NodePlace>& places, unsigned window_shift) : places_(places), window_shift_(window_shift) {}

    /// The node has an event at `time`, which was not known before. The node that is being visited looks for itself.
    void add(std::uint32_t node, std::int64_t time) {
        if (node == visited_) return;
        if (time < limit_) return activate(node);
        put_in_wheel(node, time);
    }

    /// Events of `window` before `limit` are granted from now on, and what has become known since of earlier ones: a message
    /// that arrived in a window before, and for which a rank has come to wait.
    void begin(std::uint64_t window, std::int64_t limit);
    /// Nodes to be visited, in no order that decides anything; visits may add some.
    std::size_t active() const { return active_.size(); }
    std::uint32_t at(std::size_t place) const { return active_[place]; }
    void visit(std::uint32_t node) {
        visited_ = node;
        places_[node].is_active = false;
    }
    /// The next event of the node being visited is at `time`.
    void put_back(std::int64_t time) { put_in_wheel(visited_, time); }
    /// All are visited.
    void end() {
        visited_ = kNone;
        limit_ = 0;
        active_.clear();
    }

    /// The first window in which a node has an event; kNoWindow if there is none.
    std::uint64_t first() const { return wheel_.first(); }
    /// Nodes in that window, so far as it is near.
    std::size_t count(std::uint64_t window) const { return wheel_.count(window); }
    std::uint64_t window_of(std::int64_t time) const { return static_cast<std::uint64_t>(time) >> window_shift_; }
    std::uint64_t bytes() const;

private:
    void activate(std::uint32_t node) {
        if (std::exchange(places_[node].is_active, true)) return;
        active_.push_back(node);
    }
    void put_in_wheel(std::uint32_t node, std::int64_t time) {
        const std::uint64_t window = std::max(window_of(time), wheel_.present());
        if (places_[node].window <= window) return;
        places_[node].window = window;
        wheel_.push(window, node);
    }

    HugePageArray<NodePlace>& places_;
    unsigned window_shift_;
    std::int64_t limit_ = 0;         // of the window that is served
    std::uint32_t visited_ = kNone;  // the node being visited
    TimingWheel wheel_;
    std::vector<std::uint32_t> active_;
    std::vector<std::uint32_t> taken_;  // scratch memory
};

}  // namespace warpfront::engine
