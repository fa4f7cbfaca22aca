// One run: partitions stepped side by side, phase by phase, and what happens between two phases.
//
// Order. The logical process is the node; its requests are granted in the total order (time, age, rank). Between nodes
// no order is needed inside a window, because nothing that happens on one node in a window can be felt on another
// before the next: windows are no wider than the lookahead, the least latency of a network message. Three regimes:
//   dataflow   no message holds a resource: no timed requests at all, ranks run as far as their messages let them
//   windows    the ordinary case
//   in order   a machine with (almost) no lookahead, or whose circuits meet, or where the options want it: one request
//              at a time in the order (time, age, rank) of the machine, on one thread
//
// A phase takes the remote events of the phase before and grants the requests of one window. What it causes elsewhere
// has effect no earlier than one lookahead later, so after the window: the order in which partitions run does not
// matter, and any number of them gives the same bits. Between phases one thread grants links that several nodes use,
// in the order (leaving time, age, rank); sees which iterations ended; lets the recurrence look; and chooses the next
// window.
//
// Links of a node's own are granted on the spot, in the order messages leave the node, except in a window in which a
// message of a collective, which may cross any link, could leave too: then all wait for the end of the phase.
//
// Circuits meet where several nodes, or a collective, may take one link. A sender that waits for a circuit goes on at a
// time that the other node decides, and then wants its own node's bus again: too late for a notice between two phases.
// Circuits over links of a node's own are granted on the spot, in the order of that node.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/engine/engine.hpp"
#include "simulator/engine/estimate.hpp"
#include "simulator/engine/parallel/partition.hpp"
#include "simulator/engine/recurrence/recurrence.hpp"
#include "simulator/engine/rest/rests.hpp"
#include "simulator/engine/state/lay_out.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/iteration_tracker.hpp"

namespace warpfront::engine {

class Simulation {
public:
    Simulation(const program::Program& program, const machine::Machine& machine, const Options& options);

    /// Steps to the end; throws Deadlock, TimeOverflow, MemoryExhausted, Interrupted.
    void run();

    const Layout& layout() const { return layout_; }
    const State& state() const { return state_; }
    const Iterations& iterations() const { return iterations_; }
    const Skipped& skipped() const { return skipped_; }
    /// Of a rank over the whole run, outside collectives and in them.
    Waits waits(Rank rank);
    std::uint64_t messages() const;
    std::uint64_t messages_of_collectives() const;
    std::uint64_t events() const;
    std::uint64_t bytes() const;
    unsigned threads() const { return static_cast<unsigned>(partitions_.size()); }
    /// Processor time of the threads that stepped beside the caller's own.
    std::chrono::nanoseconds cpu_of_others() const { return cpu_of_others_; }
    /// True where one thread has to serve the whole machine in order.
    bool in_order() const { return regime_ == Regime::in_order; }
    /// Why that may be, besides there being no lookahead: circuits over links that several nodes may take.
    bool circuits_meet() const { return circuits_meet_; }

private:
    enum class Regime : std::uint8_t { dataflow, windows, in_order };

    /// What all partitions do in the next phase.
    struct Plan {
        bool stop = false;
        bool release = false;  // ranks held at their marks
        bool serve = false;
        std::uint64_t window = 0;
        std::int64_t limit = 0;
        bool own_links = true;  // granted on the spot
    };

    /// A moment at which all is to be quiescent and looked at.
    struct Cut {
        std::int64_t time = 0;
        Recurrence* by = nullptr;
        bool keeps = false;
    };

    Simulation(const program::Program& program, const machine::Machine& machine, LayoutAndChannels laid_out,
               const Options& options);
    Regime regime(const Options& options) const;
    void add_cut(Cut cut);
    void observe(Cut cut);
    void divide(unsigned threads);
    void run_in_order();
    void run_phases();
    void phase(std::size_t partition);
    void between_phases();
    bool small() const;
    void prepare_phase();
    void plan();
    bool plan_dataflow();
    bool plan_window();
    void settle();
    std::uint64_t collective_sends() const;
    /// Whether a message of a collective may leave in the window in which it is begun: then it is not known beforehand
    /// that one may leave.
    bool collectives_leave_at_once() const;
    void grant_links();
    void end_iterations();
    bool sent() const;
    void collect_tile_probes();
    void poll(std::int64_t now);
    Progress progress(std::int64_t now) const;
    void stop_if_deadlocked() const;
    [[noreturn]] void stop_for_memory();

    const program::Program& program_;
    const Options options_;
    const Messages all_messages_;  // of the whole run and those that will be stepped; for the watch
    const Messages expected_;
    Layout layout_;
    State state_;
    std::optional<ComputeTime> compute_time_;
    Iterations iterations_;
    const bool circuits_meet_;
    Regime regime_;
    const Time lookahead_;                     // of the layout, at most kWidestWindow
    unsigned window_shift_ = 0;                // a window is 2^shift picoseconds
    std::vector<std::uint16_t> partition_of_;  // by node
    std::vector<std::unique_ptr<Partition>> partitions_;
    Skipped skipped_;
    std::optional<Recurrence> iteration_recurrence_;
    std::optional<Recurrence> tile_recurrence_;
    std::optional<Rests> rests_;
    Plan plan_;
    std::int64_t granted_until_ = 0;  // all requests before are granted
    std::deque<Cut> cuts_;            // where the machine is to be observed, ascending
    std::vector<LinkRequest> link_requests_;
    std::vector<machine::LinkId> route_;
    std::chrono::nanoseconds cpu_of_others_{0};
};

}  // namespace warpfront::engine
