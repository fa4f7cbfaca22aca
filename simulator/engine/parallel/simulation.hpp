// One run: partitions are simulated in parallel, round by round, with work for one thread between rounds.
//
// README.md proves that the result has the same bits for any number of partitions. If no message uses a resource, there
// are no events at all: ranks run until they have to wait for a message.
//
// A round receives the remote events of the previous round, and serves all events before a limit. The limit is the end
// of a window; with one partition, it is the next time at which the state is observed. Between rounds one thread grants
// those links that several partitions may use, in the order (leaving time, age, rank). It determines which iterations
// have ended, calls the recurrence, and chooses the next limit. The state is observed only between windows, so
// observations do not depend on the number of partitions.
//
// Pausing. If nothing is shared, or if work varies but repeats in every iteration, ranks that have ended an iteration
// are paused at the beginning of the next. When all ranks have ended the iteration, the recurrence observes the state.
// recurrence/README.md proves that pausing has no effect on the result.
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

/// The number of messages in the whole run, and in the iterations that will be simulated (estimate.hpp). The monitor
/// reports them.
struct ExpectedMessages {
    std::uint64_t all = 0;
    std::uint64_t stepped = 0;
};

class Simulation {
public:
    Simulation(const program::Program& program, const machine::Machine& machine, const Options& options,
               ExpectedMessages expected);

    /// Runs to the end. Throws Deadlock, TimeOverflow, MemoryExhausted, Interrupted.
    void run();

    const Layout& layout() const { return layout_; }
    const State& state() const { return state_; }
    const Iterations& iterations() const { return iterations_; }
    const Skipped& skipped() const { return skipped_; }
    /// Returns the critical paths; null if they are not requested.
    const CriticalPaths* paths() const { return paths_ ? &*paths_ : nullptr; }
    /// Returns the timeline after the run; nothing if it is not requested. May be called once.
    std::optional<record::Timeline> take_timeline();
    /// Returns a sum of a rank over the whole run, including skipped iterations. The unit is the picosecond, or a
    /// message.
    Wide sum(Rank rank, RankSum which) const;
    WideTime phase_time(Rank rank, std::uint32_t phase) const;
    /// Returns how long messages have waited for a link.
    WideTime link_wait(LinkServerId link) const;
    struct Work {
        std::uint64_t messages = 0;
        std::uint64_t messages_of_collectives = 0;
        std::uint64_t events = 0;
        std::uint64_t bytes = 0;
        std::uint64_t peak_rss = 0;  // largest memory of the whole process
        /// Processor time of the simulation's threads. For the calling thread it is counted from `cpu_before` on.
        std::chrono::nanoseconds cpu{0};
    };
    Work work(std::chrono::nanoseconds cpu_before) const;
    unsigned threads() const { return static_cast<unsigned>(partitions_.size()); }
    /// Returns true if the machine has no lookahead, so that one thread must simulate it.
    bool lacks_lookahead() const;
    /// Returns true if messages have several packets, so that one thread simulates them.
    bool cuts_packets() const { return layout_.cuts_packets; }

private:
    /// The tasks of all partitions in the next round.
    struct Plan {
        bool stop = false;
        bool resume = false;  // true if paused ranks continue
        bool serve = false;
        std::int64_t limit = 0;
        std::int64_t window_begin = -1;  // beginning of the window; -1 before the first window
        /// number of messages of collectives that had no links yet at the beginning of the window
        std::uint64_t astray = 0;
        CollectivesLeft collectives_left;
    };

    /// A report on the round that has ended, over all partitions.
    struct RoundReport {
        std::int64_t next_time = kHorizon.ps;
        std::uint64_t events = 0;
        std::uint64_t new_events = 0;  // number of events in this round
        std::uint64_t astray = 0;
        CollectivesLeft collectives_left;
        std::uint64_t paused = 0;          // number of paused ranks
        std::uint64_t in_collectives = 0;  // number of ranks in a collective
        bool sent = false;
        bool quiescent = true;
    };

    Simulation(const program::Program& program, LayoutAndChannels laid_out, const Options& options,
               ExpectedMessages expected);
    Observed observed();
    /// Returns when the state is observed after an iteration that ends at `end`: one window length later. This is after
    /// the window of `end`, whose requests have already been granted. The distance is constant, so that states of
    /// different iterations can be compared.
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
    void begin_window(std::int64_t begin);
    bool may_pause() const;
    bool may_end_iterations_unserved() const;
    bool must_resume(std::int64_t next) const;
    void resume_paused();
    void end_timeline(std::int64_t now);
    void grant_links();
    void close_round();
    void end_iterations();
    IterationTracker::Open open_iteration() const;
    RoundReport report();
    std::uint64_t messages() const;
    Partition& partition_of(Node node) { return *partitions_[partition_of_[node]]; }

    /// A request for links that several partitions may use.
    struct WantedLinks {
        Partition* partition = nullptr;  // the sender's
        LinkRequestId id;

        const LinkRequest& request() const { return partition->context.link_requests[id.index]; }
    };

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
    const Time window_;  // length of a window: the lookahead of the layout, at most kWidestWindow
    IndexedVector<Node, std::uint16_t> partition_of_;
    std::vector<std::unique_ptr<Partition>> partitions_;
    Skipped skipped_;
    std::optional<Recurrence> recurrence_;
    std::optional<CriticalPaths> paths_;
    std::optional<TimelineRecorder> timeline_;
    Plan plan_;
    FasterWay faster_way_{FasterWay::Clock::now()};
    RoundReport reported_;
    bool pauses_ = false;             // true if ranks are paused between iterations until the state is observed
    std::int64_t granted_until_ = 0;  // all events before this time have taken place
    std::deque<std::int64_t> cuts_;   // times at which the state is observed, ascending
    std::vector<WantedLinks> wanted_links_;
    std::chrono::nanoseconds cpu_of_others_{0};
};

}  // namespace warpfront::engine
