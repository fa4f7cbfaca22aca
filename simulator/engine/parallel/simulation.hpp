// One run: partitions stepped side by side, round by round, and what happens between two rounds.
//
// Order. What needs an order is an event of a calendar (stepping/event.hpp). One thread lets all events of the machine
// take place in their order. Several threads step a partition of the nodes each, window by window: nothing that happens
// in one partition in a window can be felt in another before the next, since windows are no wider than the lookahead,
// the least latency of a network message. So the order in which partitions run does not matter, and any number of them
// gives the same bits. Where no message holds a resource there are no events at all: ranks run as far as their messages
// let them.
//
// A round takes the remote events of the round before and lets take place what comes before a limit: the end of a
// window; with one partition the next time at which someone has to look at the state. Between rounds one thread grants
// links that several partitions use, in the order (leaving time, age, rank); sees which iterations ended; lets the
// recurrence look; and chooses the next limit. What is looked at, is looked at between windows, so that the number of
// partitions decides nothing there either.
//
// Held. Where nothing is shared, and where work varies but repeats in every iteration, ranks that have ended an
// iteration are held where the next begins until all have, and the recurrence looks then. Why that changes nothing
// stands in recurrence/README.md.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "simulator/engine/parallel/faster_way.hpp"
#include "simulator/engine/parallel/options.hpp"
#include "simulator/engine/recording/critical_paths.hpp"
#include "simulator/engine/recording/timeline_recorder.hpp"
#include "simulator/engine/recurrence/recurrence.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/partition.hpp"

namespace warpfront::engine {

/// Messages of a whole run, and those of the iterations that will be stepped (estimate.hpp), which the monitor is to
/// report.
struct ExpectedMessages {
    std::uint64_t all = 0;
    std::uint64_t stepped = 0;
};

class Simulation {
public:
    Simulation(const program::Program& program, const machine::Machine& machine, const Options& options,
               ExpectedMessages expected);

    /// Steps to the end; throws Deadlock, TimeOverflow, MemoryExhausted, Interrupted.
    void run();

    const Layout& layout() const { return layout_; }
    const State& state() const { return state_; }
    const Iterations& iterations() const { return iterations_; }
    const Skipped& skipped() const { return skipped_; }
    /// Null where they are not wanted.
    const CriticalPaths* paths() const { return paths_ ? &*paths_ : nullptr; }
    /// After the run, once; nothing where it is not wanted.
    std::optional<record::Timeline> take_timeline();
    /// What a rank has added up over the whole run, what was skipped included.
    struct RankTimes {
        WideTime compute, server_wait, nic_wait, link_wait, collective;
        std::uint64_t unexpected_messages = 0;
        WideTime unexpected;  // spent on them outside collectives
    };
    RankTimes sums(Rank rank) const;
    WideTime phase_time(Rank rank, std::uint32_t phase) const;
    /// What messages waited for a link.
    WideTime link_wait(LinkServerId link) const;
    struct Work {
        std::uint64_t messages = 0;
        std::uint64_t messages_of_collectives = 0;
        std::uint64_t events = 0;
        std::uint64_t bytes = 0;
        std::uint64_t peak_rss = 0;       // of the whole process
        std::chrono::nanoseconds cpu{0};  // of threads that stepped, the calling one included since `cpu_before`
    };
    Work work(std::chrono::nanoseconds cpu_before) const;
    unsigned threads() const { return static_cast<unsigned>(partitions_.size()); }
    /// True where one thread has to step the whole machine.
    bool lacks_lookahead() const;
    /// Messages have several packets, so that one thread steps them.
    bool cuts_packets() const { return layout_.cuts_packets; }

private:
    /// What all partitions do in the next round.
    struct Plan {
        bool stop = false;
        bool release = false;  // ranks held at their marks
        bool serve = false;
        std::int64_t limit = 0;
        std::int64_t window_begin = 0;
        std::uint64_t astray = 0;  // when the window begins
        CollectivesLeft collectives_left;
    };

    /// What the partitions report together at the end of a round.
    struct RoundReport {
        std::int64_t next_time = kHorizon.ps;
        std::uint64_t events = 0;
        std::uint64_t new_events = 0;  // in this round
        std::uint64_t astray = 0;
        CollectivesLeft collectives_left;
        std::uint64_t held = 0;
        bool sent = false;
        bool quiescent = true;

        void add(const RoundReport& other);
    };

    Simulation(const program::Program& program, LayoutAndChannels laid_out, const Options& options,
               ExpectedMessages expected);
    Observed observed();
    /// One lookahead after an iteration has ended: that is beyond the window, whose requests are granted already, and
    /// the same distance each time, so that states compare.
    std::int64_t cut_after(std::int64_t end) const { return end + window_.ps; }
    std::int64_t window_begin(std::int64_t time) const { return time / window_.ps * window_.ps; }
    std::int64_t window_end(std::int64_t time) const { return window_begin(time) + window_.ps; }
    void divide(unsigned threads);
    void run_rounds();
    void step_round(std::size_t partition);
    void between_rounds();
    bool steps_alone();
    void prepare_round();
    void look_at(std::int64_t now);
    bool plan();
    bool may_hold() const;
    bool holds_no_longer(std::int64_t next) const;
    void release_held();
    void end_timeline(std::int64_t now);
    void grant_links();
    void close_round();
    void end_iterations();
    IterationTracker::Open open_iteration() const;
    RoundReport report();
    std::uint64_t messages() const;
    Partition& partition_of(Node node) { return *partitions_[partition_of_[node]]; }

    std::uint64_t bytes() const;
    void poll(std::int64_t now);
    Progress progress(std::int64_t now) const;
    void stop_if_deadlocked();
    std::vector<record::Blocked> blocked_ranks();
    [[noreturn]] void stop_for_memory();
    ReceiveEndpointId longest_queue(std::uint64_t& queued);

    const program::Program& program_;
    const Options options_;
    const ExpectedMessages expected_;
    Layout layout_;
    State state_;
    std::optional<variation::ComputeTime> compute_time_;
    std::optional<CollectiveIntervals> intervals_;
    Iterations iterations_;
    const Time window_;  // its length: the lookahead of the layout, at most kWidestWindow
    IndexedVector<Node, std::uint16_t> partition_of_;
    std::vector<std::unique_ptr<Partition>> partitions_;
    Skipped skipped_;
    std::optional<Recurrence> recurrence_;
    std::optional<CriticalPaths> paths_;
    std::optional<TimelineRecorder> timeline_;
    Plan plan_;
    FasterWay faster_way_{FasterWay::Clock::now()};
    RoundReport reported_;
    bool holds_ = false;              // ranks between iterations, until the state is observed
    std::int64_t granted_until_ = 0;  // all events before have taken place
    std::deque<std::int64_t> cuts_;   // where the machine is to be observed, ascending
    std::vector<LinkRequest> link_requests_;
    std::chrono::nanoseconds cpu_of_others_{0};
};

}  // namespace warpfront::engine
