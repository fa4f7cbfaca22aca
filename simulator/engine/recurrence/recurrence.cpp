#include "simulator/engine/recurrence/recurrence.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace warpfront::engine {

Recurrence::Recurrence(const Observed& machine)
    : machine_(machine),
      depth_(program::loop_depths(machine.layout.code.values(), program::LoopKind::of_iterations)),
      iterations_in_(program::iterations_per_loop_iteration(machine.layout.code.values())) {}

bool Recurrence::observe_paused(std::int64_t cut) {
    paused_ = true;
    const bool skipped = observe(cut);
    paused_ = false;
    return skipped;
}

bool Recurrence::observe(std::int64_t cut) {
    if (cut < begins_ || too_long_to_describe() || !all_in_loops()) return false;
    const std::uint64_t since_kept = machine_.iterations.ended() - kept_ended_;
    if (!kept_.empty() && since_kept % static_cast<std::uint64_t>(machine_.draws_repeat_after) != 0) return false;
    const bool keeps = std::has_single_bit(++observations_);
    if (describe(cut, keeps) && skip(cut)) {
        observations_ = 0;
        kept_.clear();
        return true;
    }
    if (keeps) keep(cut);
    return false;
}

/// Returns true if the queues are long. Long queues hardly ever recur, and their description would need more memory
/// than the queues.
bool Recurrence::too_long_to_describe() const {
    constexpr std::uint64_t kMostQueued = std::uint64_t{1} << 17;
    std::uint64_t queued = 0;
    for (const auto& partition : machine_.partitions) queued += partition->context.backlog.count();
    return queued > kMostQueued + 8 * std::uint64_t{machine_.layout.ranks};
}

/// Returns true if all ranks are in loops. If some rank is in no loop, nothing recurs any more.
bool Recurrence::all_in_loops() const {
    for (const Rank rank : machine_.layout.all_ranks()) {
        const RankLine& line = machine_.state.ranks[rank];
        if (line.state == RankState::done || depth_[line.at] == program::kNoLoop) return false;
    }
    return true;
}

/// Describes the state. Returns true if it equals the kept state. The description ends at the first difference, unless
/// `whole` is true.
bool Recurrence::describe(std::int64_t cut, bool whole) {
    now_.clear();
    const Layout& layout = machine_.layout;
    const StateSignature describer{layout, machine_.state, depth_};
    /// waves are compared relative to the number of ended iterations
    StateWriter words(now_, cut, machine_.iterations.ended() << kWaveBits);
    std::size_t compared = 0;
    bool same = !kept_.empty();
    const auto goes_on = [&] {
        same = same && now_.size() <= kept_.size() &&
               std::equal(now_.begin() + static_cast<std::ptrdiff_t>(compared), now_.end(),
                          kept_.begin() + static_cast<std::ptrdiff_t>(compared));
        compared = now_.size();
        return same || whole;
    };
    for (const Node node : layout.all_nodes()) {
        if (!goes_on()) break;
        describer.add_node(node, machine_.partition(node).context.backlog, words);
    }
    if (!goes_on()) return false;
    describer.add_servers(layout.first_shared_link(), {layout.server_count}, {}, words);
    words.begin(StateWriter::Kind::other);
    describe_begun(words);
    describe_link_requests(words);
    describe_progress(words);
    describe_open_iterations(words);
    return goes_on() && same && now_.size() == kept_.size();
}

/// Describes nonblocking messages by send endpoint. Their times are described exactly, since a request meets its post
/// one latency later.
void Recurrence::describe_begun(StateWriter& words) const {
    std::map<SendEndpointId, BegunMessage> all;
    for (const auto& partition : machine_.partitions) {
        const auto& begun = partition->context.begun.all();
        all.insert(begun.begin(), begun.end());
    }
    words.put(all.size());
    for (const auto& [send_endpoint, message] : all) {
        words.put(send_endpoint.index, 32);
        words.put(message.request_cost.index, 32);
        words.put_time(message.clock);
        words.put_wave(message.age.wave);
        words.put(message.age.site, 16);
        words.put(static_cast<std::uint64_t>(message.state), 8);
        words.put_duration(message.server_wait);
        words.put_duration(message.nic_wait);
        if (machine_.layout.senders_wait) words.put_time_since(message.until);
    }
}

/// Describes messages that have left their nodes, and request links at the cut or later.
void Recurrence::describe_link_requests(StateWriter& words) const {
    std::vector<LinkRequest> all;
    for (const auto& partition : machine_.partitions) {
        partition->context.link_requests.for_each([&](const LinkRequest& request) {
            if (!request.transmitted) all.push_back(request);
        });
    }
    std::sort(all.begin(), all.end());
    words.put(all.size());
    for (const LinkRequest& request : all) {
        words.put(request.send_endpoint.index, 32);
        words.put(request.cost.index, 32);
        words.put_time(request.order.time.ps);
        words.put_wave(request.order.age.wave);
        words.put(request.order.age.site);
        words.put_time(request.leaves.ps);
        words.put(request.next);
        words.put(!request.detours ? 0 : *request.detours ? 1 : 2);
        words.put(request.granted ? 1 : 0);
        if (request.granted) words.put_time(request.arrives.ps);
        words.put_duration(request.delay.ps);
        if (request.train == kNone || request.granted) continue;
        describe_train(machine_.partitions.front()->context.packets.train(request.train), words);
    }
}

/// Appends the packets that have passed, including those granted ahead. If there are packets granted ahead, also
/// appends the state to which the train returns when they are taken back.
void Recurrence::describe_train(const PacketTrain& train, StateWriter& words) {
    words.put(static_cast<std::uint64_t>(train.packet));
    words.put(static_cast<std::uint64_t>(train.certain));
    words.put(train.link);
    const auto put_clocks = [&](const network::PacketClocks& clocks) {
        for (const Time time : {clocks.in, clocks.wire, clocks.out}) words.put_time(time.ps);
    };
    put_clocks(train.clocks);
    for (const machine::LinkId link : train.route) words.put(link.index);
    if (train.packet == train.certain) return;
    put_clocks(train.clocks_then);
    for (const Time time : train.free_then) words.put_time(time.ps);
}

namespace {

void put_step(const ProgressStep& step, StateWriter& words) {
    words.put(step.endpoint_index, 32);
    words.put(static_cast<std::uint64_t>(step.kind), 1);
    words.put_time(step.time);
}

}  // namespace

/// Describes ranks that make progress in calls: their requested and postponed actions, and since when each rank has
/// been in blocks, if this affects times at the cut or later. Describes the posts and the request of each channel.
void Recurrence::describe_progress(StateWriter& words) const {
    const Layout& layout = machine_.layout;
    if (!layout.progress_in_calls) return;
    std::set<ProgressStep> requested;
    for (const auto& partition : machine_.partitions) {
        const std::set<ProgressStep>& steps = partition->context.progress.steps();
        requested.insert(steps.begin(), steps.end());
    }
    words.put(requested.size());
    for (const ProgressStep& step : requested) put_step(step, words);
    for (const Node node : layout.all_nodes()) {
        const CallProgress& progress = machine_.partition(node).context.progress;
        for (const Rank rank : layout.ranks_of(node)) {
            if (rank == kNone) continue;
            const std::int64_t since = progress.outside_since(rank);
            words.put(since < kHorizon.ps ? 1 : 0);
            // a block that began before the cut differs from one that begins at the cut
            if (since < kHorizon.ps) words.put_time(std::max(since, words.cut() - 1));
            words.put(progress.postponed(rank).size());
            for (const ProgressStep& step : progress.postponed(rank)) put_step(step, words);
        }
    }
    for (const ReceiveEndpointId endpoint : layout.acknowledged_in_calls.ids()) {
        if (layout.acknowledged_in_calls[endpoint]) describe_acknowledged(endpoint, words);
    }
}

void Recurrence::describe_acknowledged(ReceiveEndpointId endpoint, StateWriter& words) const {
    const Layout& layout = machine_.layout;
    const SendEndpointId from = machine_.state.receive_endpoints[endpoint].send_endpoint;
    const auto context_of = [&](Rank rank) -> const PartitionContext& {
        return machine_.partition(layout.node_of[rank]).context;
    };
    const AcknowledgedChannel channel = context_of(layout.rank_of(endpoint)).progress.channel(endpoint);
    const std::uint32_t sent = context_of(layout.rank_of(from)).choices.sent(from);
    words.put_time_since(channel.posted);
    words.put(RemoteEvent::number_of(sent - channel.posts), 32);
    words.put(channel.request.has_value() ? 1 : 0, 1);
    if (!channel.request) return;
    words.put_time_since(channel.request->time);
    words.put(RemoteEvent::number_of(channel.request->number - channel.posts), 32);
    words.put(channel.request->in_calls ? 1 : 0, 1);
}

/// Describes the iterations that only some ranks have ended. Ranks may have run ahead of the cut and ended an iteration
/// after it. The duration of the next iteration counts from this end.
void Recurrence::describe_open_iterations(StateWriter& words) const {
    words.put_time(machine_.iterations.last_end());
    std::size_t open = 0;
    for (const auto& partition : machine_.partitions) open = std::max(open, partition->context.tracker.size());
    for (std::size_t k = 0; k < open; ++k) {
        IterationTracker::Open sum;
        for (const auto& partition : machine_.partitions) sum.add(partition->context.tracker.at(k));
        words.put_time(sum.latest);
        words.put(sum.passed);
    }
}

void Recurrence::keep(std::int64_t cut) {
    kept_.swap(now_);
    kept_cut_ = cut;
    kept_ended_ = machine_.iterations.ended();
    kept_messages_ = messages();
    if (machine_.state.paths != nullptr) machine_.state.paths->keep();
    kept_left_.clear();
    for (RankLine& line : machine_.state.ranks) kept_left_.push_back(iterations_left(line));
    kept_sums_.clear();
    for_each_sum(machine_.layout, machine_.state, cut, [&](std::size_t, Wide sum) { kept_sums_.push_back(sum); });
}

Recurrence::LoopIterations Recurrence::made(Rank rank) const {
    const RankLine& line = machine_.state.ranks[rank];
    const std::int64_t of_loop = std::int64_t{kept_left_[rank]} - std::int64_t{line.iterations_left[depth_[line.at]]};
    return {of_loop, of_loop * iterations_in_[line.at]};
}

/// Returns how many loop iterations a period has: those that every rank has executed since the state was kept. Returns
/// zero iterations if ranks have executed different numbers.
Recurrence::LoopIterations Recurrence::made_by_all() const {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
    LoopIterations least{kMost, kMost};
    LoopIterations most{-kMost, -kMost};
    for (const Rank rank : machine_.layout.all_ranks()) {
        const LoopIterations here = made(rank);
        least = {std::min(least.of_loop, here.of_loop), std::min(least.of_code, here.of_code)};
        most = {std::max(most.of_loop, here.of_loop), std::max(most.of_code, here.of_code)};
    }
    return least == most ? least : LoopIterations{};
}

/// Returns how many messages have been simulated.
std::uint64_t Recurrence::messages() const {
    std::uint64_t sum = 0;
    for (const auto& partition : machine_.partitions) sum += partition->context.all_messages();
    return sum;
}

/// Returns true at the beginning of an iteration of the recurring loop, which is an outermost loop.
bool Recurrence::begins_loop_iteration(const RankLine& line) const {
    const program::Instruction& before = machine_.layout.code[line.at - 1];
    return before.op == program::Op::loop && before.depth == 0;
}

/// Returns how many loop iterations may be skipped so that the rank remains in its loop. The loop may be skipped to its
/// end on two conditions: the rank is paused at the beginning of an iteration, and its next action after the loop does
/// not precede events that have been granted.
std::int64_t Recurrence::skippable(Rank rank) const {
    const RankLine& line = machine_.state.ranks[rank];
    const std::int64_t left = line.iterations_left[depth_[line.at]];
    if (!paused_ || !begins_loop_iteration(line)) return left - 1;
    RankLine beyond = line;
    beyond.at = machine_.layout.behind_loop(line.at - 1);
    const Partition& partition = machine_.partition(line.node);
    return partition.acts_at(rank, beyond) >= machine_.granted_until ? left : left - 1;
}

/// Skips as many periods as all ranks allow. Returns false if no period can be skipped.
bool Recurrence::skip(std::int64_t cut) {
    const auto [each, iterations] = made_by_all();
    if (each <= 0 || iterations > Iterations::kLongestPeriod) return false;
    if (iterations % machine_.draws_repeat_after != 0) return false;
    std::int64_t times = std::numeric_limits<std::int64_t>::max();
    for (const Rank rank : machine_.layout.all_ranks()) {
        times = std::min(times, skippable(rank) / each);
    }
    if (times <= 0) return false;
    if (machine_.state.paths != nullptr) machine_.state.paths->skip(times);
    Skipped& skipped = machine_.skipped;
    skipped.sums.resize(kept_sums_.size());
    for_each_sum(machine_.layout, machine_.state, cut,
                 [&](std::size_t place, Wide sum) { skipped.sums[place] += (sum - kept_sums_[place]) * times; });
    skipped.time += WideTime{Wide{cut - kept_cut_} * times};
    skipped.messages += (messages() - kept_messages_) * static_cast<std::uint64_t>(times);
    skipped.iterations += times * iterations;
    machine_.iterations.repeat(static_cast<std::size_t>(iterations), times);
    for (const Rank rank : machine_.layout.all_ranks()) skip_loop_iterations(rank, times * each);
    for (const auto& partition : machine_.partitions) partition->context.collectives_left.forget_next();
    return true;
}

/// Skips iterations of the rank's loop. Exits the loop when no iterations remain.
void Recurrence::skip_loop_iterations(Rank rank, std::int64_t count) {
    RankLine& line = machine_.state.ranks[rank];
    iterations_left(line) -= static_cast<std::uint32_t>(count);
    if (iterations_left(line) == 0) line.at = machine_.layout.behind_loop(line.at - 1);
}

std::uint64_t Recurrence::bytes() const {
    return (now_.capacity() + kept_.capacity()) * sizeof(std::uint64_t) +
           kept_left_.capacity() * sizeof(std::uint32_t) + kept_sums_.capacity() * sizeof(Wide);
}

}  // namespace warpfront::engine
