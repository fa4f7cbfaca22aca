// One run: partitions simulated side by side, round by round, and the work between rounds.
//
// README.md proves that any number of partitions gives the same bits. If no message uses a resource, there are no
// events at all: ranks run until they have to wait for a message.
//
// A round receives the remote events of the previous round and serves all events before a limit: the end of a window;
// with one partition, the next time at which the state is observed. Between rounds one thread grants links that several
// partitions may use, in the order (leaving time, age, rank); determines which iterations ended; calls the recurrence;
// and chooses the next limit. All observations are made between windows, so they do not depend on the number of
// partitions either.
//
// Pausing. If nothing is shared, or if work varies but repeats in every iteration, ranks that have ended an iteration
// are paused at the beginning of the next one. Once all ranks have ended the iteration, the recurrence observes the
// state. recurrence/README.md proves that pausing has no effect on the result.
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

/// The number of messages of a whole run, and of the iterations that will be simulated (estimate.hpp), for reports by
/// the monitor.
struct ExpectedMessages {
    std::uint64_t all = 0;
    std::uint64_t stepped = 0;
};

class Simulation {
public:
    Simulation(const program::Program& program, const machine::Machine& machine, const Options& options,
               ExpectedMessages expected);

    /// Runs to the end; throws Deadlock, TimeOverflow, MemoryExhausted, Interrupted.
    void run();

    const Layout& layout() const { return layout_; }
    const State& state() const { return state_; }
    const Iterations& iterations() const { return iterations_; }
    const Skipped& skipped() const { return skipped_; }
    /// Returns the paths; null if they are not requested.
    const CriticalPaths* paths() const { return paths_ ? &*paths_ : nullptr; }
    /// Returns the timeline after the run, once; nothing if it is not requested.
    std::optional<record::Timeline> take_timeline();
    /// Returns a sum of a rank over the whole run, including skipped iterations: picoseconds, or a number of messages.
    Wide sum(Rank rank, RankSum which) const;
    WideTime phase_time(Rank rank, std::uint32_t phase) const;
    /// Returns the time that messages waited for a link.
    WideTime link_wait(LinkServerId link) const;
    struct Work {
        std::uint64_t messages = 0;
        std::uint64_t messages_of_collectives = 0;
        std::uint64_t events = 0;
        std::uint64_t bytes = 0;
        std::uint64_t peak_rss = 0;  // largest memory of the whole process
        /// Processor time of the simulation's threads; of the calling thread, the time since `cpu_before`.
        std::chrono::nanoseconds cpu{0};
    };
    Work work(std::chrono::nanoseconds cpu_before) const;
    unsigned threads() const { return static_cast<unsigned>(partitions_.size()); }
    /// Returns true if one thread must simulate the whole machine.
    bool lacks_lookahead() const;
    /// Returns true if messages have several packets, so that one thread simulates them.
    bool cuts_packets() const { return layout_.cuts_packets; }

private:
    /// The plan of all partitions for the next round.
    struct Plan {
        bool stop = false;
        bool resume = false;  // paused ranks continue
        bool serve = false;
        std::int64_t limit = 0;
        std::int64_t window_begin = -1;  // beginning of the window; -1: there was none yet
        std::uint64_t astray = 0;  // messages of collectives without granted links, at the beginning of the window
        CollectivesLeft collectives_left;
    };

    /// The report at the end of a round on all partitions together.
    struct RoundReport {
        std::int64_t next_time = kHorizon.ps;
        std::uint64_t events = 0;
        std::uint64_t new_events = 0;  // events of this round alone
        std::uint64_t astray = 0;
        CollectivesLeft collectives_left;
        std::uint64_t paused = 0;
        std::uint64_t in_collectives = 0;  // ranks that are in a collective
        bool sent = false;
        bool quiescent = true;
    };

    Simulation(const program::Program& program, LayoutAndChannels laid_out, const Options& options,
               ExpectedMessages expected);
    Observed observed();
    /// Returns the time at which the state is observed after the end of an iteration at `end`: one window length later.
    /// This time lies beyond the window of `end`, whose requests are granted already. The distance is always the same,
    /// so that the states of different iterations can be compared.
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
    bool pauses_ = false;             // ranks are paused between iterations until the state is observed
    std::int64_t granted_until_ = 0;  // all events before this time have taken place
    std::deque<std::int64_t> cuts_;   // times at which the machine is observed, ascending
    std::vector<WantedLinks> wanted_links_;
    std::chrono::nanoseconds cpu_of_others_{0};
};

}  // namespace warpfront::engine
