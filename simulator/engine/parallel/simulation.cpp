#include "simulator/engine/parallel/simulation.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <new>
#include <queue>
#include <tuple>
#include <utility>

#include "simulator/engine/parallel/thread_team.hpp"
#include "simulator/program/mismatches.hpp"

namespace warpfront::engine {

namespace {

/// Below this the windows would be too many and too empty: serve in order instead.
constexpr Time kLeastWindow{1024};
/// A machine of one node has no lookahead to bound its windows, but is to be looked at between them: a millisecond.
constexpr Time kWidestWindow{std::int64_t{1} << 30};
constexpr std::size_t kStripes = 32;           // of each partition
constexpr std::size_t kMostPartitions = 1024;  // one thread each

std::uint64_t peak_rss() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// What skips ahead needs blocks that recur, and messages taken in the order of the program.
Options that_recur(const program::Program& program, Options options) {
    if (!recurs(program, options)) options.replay = Replay::full;
    return options;
}

std::optional<variation::ComputeTime> compute_time(const Options& options, std::uint32_t ranks) {
    if (options.noise.off()) return std::nullopt;
    return variation::ComputeTime(options.noise, options.seed, ranks);
}

}  // namespace

Simulation::Simulation(const program::Program& program, const machine::Machine& machine, const Options& options,
                       ExpectedMessages expected)
    : Simulation(program, lay_out(program, machine), options, expected) {}

Simulation::Simulation(const program::Program& program, LayoutAndChannels laid_out, const Options& options,
                       ExpectedMessages expected)
    : program_(program),
      options_(that_recur(program, options)),
      expected_(expected),
      layout_(std::move(laid_out.layout)),
      state_(layout_, laid_out.channels),
      compute_time_(compute_time(options, layout_.ranks)),
      regime_(regime(options)),
      lookahead_(std::min(layout_.lookahead, kWidestWindow)) {
    const auto widest = static_cast<std::uint64_t>(lookahead_.ps);
    if (regime_ == Regime::windows) window_shift_ = static_cast<unsigned>(std::bit_width(widest)) - 1;
    if (options.path) state_.paths = &paths_.emplace(layout_);
    if (options.timeline) state_.timeline = &timeline_.emplace(layout_, *options.timeline);
    if (options.timeline) state_.records_activity = true;
    holds_ = options_.replay == Replay::auto_ && (regime_ == Regime::dataflow || may_hold_in_windows());
    divide(regime_ == Regime::in_order || options.path ? 1 : options.threads);
    if (options_.replay == Replay::auto_) recurrence_.emplace(observed());
    if (recurrence_ && options.timeline && options.timeline->until) recurrence_->begin_at(*options.timeline->until);
    if (options.queue_memory) state_.budget.limit(static_cast<std::uint64_t>(options.queue_memory->count));
    for (const Rank rank : layout_.all_ranks()) {
        const InstructionId entry = layout_.entry[program.class_of[rank.index]];
        state_.ranks[rank].at = entry;
        partition_of(layout_.node_of[rank]).interpreter.start(rank, entry);
    }
}

/// Without noise the state recurs at cuts as well, even where iterations begin with a send, which ends holding.
bool Simulation::may_hold_in_windows() const {
    return regime_ == Regime::windows && compute_time_ && !paths_ && !layout_.memory.shared &&
           program::has_closed_iterations(program_);
}

Simulation::Regime Simulation::regime(const Options& options) const {
    if (!layout_.shares) return Regime::dataflow;
    const bool in_windows = layout_.lookahead >= kLeastWindow && !options.in_order;
    return in_windows ? Regime::windows : Regime::in_order;
}

/// Where windows are stepped side by side, partitions are stripes that take turns, row by row, so that all have about
/// as much of a wave's front; elsewhere a block of nodes each, which touches at most two others' edges.
void Simulation::divide(unsigned threads) {
    const std::size_t count =
        std::min({std::size_t{std::max(threads, 1U)}, std::size_t{layout_.nodes}, kMostPartitions});
    const std::size_t stripes = regime_ == Regime::windows ? kStripes : 1;
    partition_of_.resize(layout_.nodes);
    for (const Node node : layout_.all_nodes()) {
        partition_of_[node] = static_cast<std::uint16_t>(node.index * count * stripes / layout_.nodes % count);
    }
    for (std::size_t k = 0; k < count; ++k) {
        const variation::ComputeTime* const takes = compute_time_ ? &*compute_time_ : nullptr;
        partitions_.push_back(std::make_unique<Partition>(layout_, state_, takes, window_shift_));
        Partition& partition = *partitions_.back();
        partition.context.remote_events.resize(count);
        partition.context.partition_of = count > 1 ? &partition_of_ : nullptr;
        partition.context.in_order = regime_ == Regime::in_order;
        partition.interpreter.hold_at_iterations = holds_;
    }
    const bool across_nodes = regime_ != Regime::windows;  // what stays in a partition needs no remote event there
    for (const ReceiveEndpointId receive_endpoint : layout_.all_receive_endpoints()) {
        const SendEndpointId send_endpoint = state_.receive_endpoints[receive_endpoint].send_endpoint;
        if (send_endpoint == kNone) continue;
        const Node to = layout_.node_of[layout_.rank_of(receive_endpoint)];
        const Node from = layout_.node_of[layout_.rank_of(send_endpoint)];
        const bool local = from == to || (across_nodes && partition_of_[from] == partition_of_[to]);
        state_.receive_endpoints[receive_endpoint].is_local = state_.send_endpoint(send_endpoint).is_local = local;
    }
}

Observed Simulation::observed() { return {layout_, state_, iterations_, partitions_, partition_of_, skipped_}; }

void Simulation::run() {
    try {
        regime_ == Regime::in_order ? run_in_order() : run_rounds();
    } catch (const QueuesTooLong&) {
        stop_for_memory();
    } catch (const std::bad_alloc&) {  // what the budget does not count, such as address space of threads
        stop_for_memory();
    }
    stop_if_deadlocked();
}

void Simulation::run_in_order() {
    /// A request with its place in the order; a message that arrives at a NIC comes before all others of its time.
    struct Entry {
        network::Order order;
        bool last = false;  // of its time
        ResourceRequest request;
        bool operator>(const Entry& other) const {
            return std::tie(order.time, last, order, request.node, request.kind, request.index) >
                   std::tie(other.order.time, other.last, other.order, other.request.node, other.request.kind,
                            other.request.index);
        }
    };
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    Partition& partition = *partitions_.front();
    const auto enqueue = [&](const ResourceRequest& request) {
        queue.push({partition.interpreter.order_of(request), partition.interpreter.comes_last(request), request});
    };
    const auto run_until_quiescent = [&] {
        partition.interpreter.run_until_quiescent();
        for (const ResourceRequest& request : partition.context.requests) enqueue(request);
        partition.context.requests.clear();
        end_iterations();
    };
    const auto observe_until = [&](std::int64_t time) {
        for (; !cuts_.empty() && cuts_.front() <= time; cuts_.pop_front()) recurrence_->observe(cuts_.front());
    };
    for (run_until_quiescent(); !queue.empty(); run_until_quiescent()) {
        observe_until(queue.top().request.time);
        const Entry next = queue.top();
        queue.pop();
        partition.interpreter.serve_in_order(next.request, next.order);
        poll(next.request.time);
    }
}

void Simulation::poll(std::int64_t now) {
    if (options_.monitor != nullptr) options_.monitor->poll([&] { return progress(now); });
}

Progress Simulation::progress(std::int64_t now) const {
    return {.simulated = skipped_.time + WideTime{Wide{now}},
            .stepped = (regime_ == Regime::in_order ? report() : reported_).messages,
            .skipped = skipped_.messages + skipped_.messages_of_collectives,
            .messages = expected_.all,
            .expected = expected_.stepped};
}

std::array<WideTime, kRankSums> Simulation::sums(Rank rank) const {
    const std::array<std::int64_t, kRankSums> stepped = rank_sums(state_, rank, 0);
    std::array<WideTime, kRankSums> sums;
    const std::size_t first = SumPlaces(layout_).of(rank);
    for (std::size_t k = 0; k < kRankSums; ++k) sums[k] = WideTime{stepped[k] + skipped_.sum(first + k)};
    return sums;
}

WideTime Simulation::phase_time(Rank rank, std::uint32_t phase) const {
    const std::size_t place = SumPlaces(layout_).of_phase(rank, phase);
    return WideTime{phase_sum(layout_, state_, rank, phase, 0) + skipped_.sum(place)};
}

WideTime Simulation::link_wait(LinkServerId link) const {
    return WideTime{state_.link_waits[link] + skipped_.sum(SumPlaces(layout_).of_link(link))};
}

std::optional<record::Timeline> Simulation::take_timeline() {
    if (!timeline_) return std::nullopt;
    return timeline_->take(program_);
}

Simulation::Work Simulation::work(std::chrono::nanoseconds cpu_before) const {
    Work sum;
    for (const auto& partition : partitions_) {
        sum.messages += partition->interpreter.messages();
        sum.messages_of_collectives += partition->interpreter.messages_of_collectives();
        sum.events += partition->context.events;
    }
    sum.bytes = bytes();
    sum.peak_rss = peak_rss();
    sum.cpu = cpu_time_of_thread() - cpu_before + cpu_of_others_;
    return sum;
}

std::uint64_t Simulation::bytes() const {
    std::uint64_t sum = layout_.bytes() + state_.bytes() + skipped_.sums.capacity() * sizeof(Wide);
    sum += recurrence_ ? recurrence_->bytes() : 0;
    sum += compute_time_ ? compute_time_->bytes() : 0;
    sum += partition_of_.capacity() * sizeof(std::uint16_t) + link_requests_.capacity() * sizeof(LinkRequest);
    for (const auto& partition : partitions_) sum += partition->bytes();
    return sum;
}

}  // namespace warpfront::engine
