// One run: serves timed requests in order, window by window, and observes recurrences on the way.
//
// Order. The logical process is the node; its requests are served in the total order (time, age, rank). Between nodes
// no order is needed inside a window, because nothing that happens on one node in a window can be felt on another
// before the next: windows are no wider than the lookahead, the least latency of a network message. Three regimes:
//   unshared   no message holds a resource: no timed requests at all, ranks run as dataflow
//   windows    the ordinary case
//   in order   a machine with (almost) no lookahead: one request at a time in the order (time, age, rank) of the machine
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/layout.hpp"
#include "simulator/engine/marks.hpp"
#include "simulator/engine/recurrence.hpp"
#include "simulator/engine/state.hpp"
#include "simulator/engine/stepper.hpp"
#include "simulator/engine/wheel.hpp"

namespace warpfront::engine {

class Simulation {
public:
    Simulation(const program::Program& program, const machine::Machine& machine, const Options& options);

    /// Steps to the end; throws Deadlock, TimeOverflow.
    void run();

    const Layout& layout() const { return layout_; }
    const State& state() const { return state_; }
    const Marks& marks() const { return marks_; }
    const Stepper& stepper() const { return stepper_; }
    const Recurrence& recurrence() const { return recurrence_; }
    std::uint64_t bytes() const;

private:
    void run_unshared();
    void run_windows();
    void run_in_order();
    void serve_window(std::int64_t limit);
    void serve_node(std::uint32_t node, std::int64_t limit);
    void schedule_asked();
    std::uint64_t window_of(std::uint32_t rank) const {
        return static_cast<std::uint64_t>(state_.ranks[rank].clock) >> window_shift_;
    }
    void note_cut();
    void stop_if_deadlocked() const;

    const program::Program& program_;
    const Options options_;
    Layout layout_;
    State state_;
    Marks marks_;
    std::optional<ComputeTime> compute_time_;
    Stepper stepper_;
    Recurrence recurrence_;
    Wheel wheel_;
    std::vector<std::uint32_t> entries_;    // of the present window
    std::uint64_t window_ = 0;
    unsigned window_shift_ = 0;             // a window is 2^shift picoseconds
    std::deque<std::int64_t> cuts_;         // where iterations that have ended are to be observed, ascending
};

}  // namespace warpfront::engine
