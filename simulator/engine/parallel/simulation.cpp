#include "simulator/engine/parallel/simulation.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include <sys/resource.h>

#include "simulator/engine/parallel/division.hpp"
#include "simulator/engine/parallel/thread_team.hpp"
#include "simulator/program/mismatches.hpp"

namespace warpfront::engine {

namespace {

/// The width of windows for a machine of one node, which has no lookahead: a millisecond.
constexpr Time kWidestWindow{std::int64_t{1} << 30};
constexpr std::size_t kMostPartitions = 1024;  // one thread each
/// The time that threads need to meet, as the number of events that one thread handles in the same time. The first
/// value applies if each thread has its own core, the second if some threads have to be woken.
constexpr std::uint64_t kAlone = 20;
constexpr std::uint64_t kAloneAmongMany = 1000;
/// The largest number of ranks simulated in a round without events. It ensures that progress is polled every few
/// milliseconds.
constexpr std::uint64_t kRanksPerRound = 4096;

std::uint64_t peak_rss() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

/// Switches off skipping if blocks do not recur, or if messages are taken in the order of arrival.
Options that_recur(const program::Program& program, Options options) {
    if (!recurs(program, options)) options.replay = Replay::full;
    return options;
}

std::optional<variation::ComputeTime> compute_time(const program::Program& program, const Options& options) {
    if (noise_off(options)) return std::nullopt;
    if (program.jobs.empty()) {
        return variation::ComputeTime(options.noise, options.seed, static_cast<std::uint32_t>(program.class_of.size()));
    }
    std::vector<variation::ComputeTime::OfJob> jobs;
    for (std::size_t k = 0; k < program.jobs.size(); ++k) {
        const program::Job& job = program.jobs[k];
        jobs.push_back({options.noise_of_jobs[k], job.first_rank, job.ranks, job.start});
    }
    return variation::ComputeTime(jobs);
}

}  // namespace

Simulation::Simulation(const program::Program& program, const machine::Machine& machine, const Options& options,
                       ExpectedMessages expected)
    : Simulation(program, lay_out(program, machine, options.path), options, expected) {}

Simulation::Simulation(const program::Program& program, LayoutAndChannels laid_out, const Options& options,
                       ExpectedMessages expected)
    : program_(program),
      options_(that_recur(program, options)),
      expected_(expected),
      layout_(std::move(laid_out.layout)),
      state_(layout_, laid_out.channels),
      compute_time_(compute_time(program, options)),
      window_{std::clamp(layout_.lookahead, Time{1}, kWidestWindow)} {
    if (options.path) state_.paths = &paths_.emplace(layout_);
    if (options.timeline) state_.timeline = &timeline_.emplace(layout_, *options.timeline);
    if (options.timeline) state_.records_activity = true;
    pauses_ = options_.replay == Replay::auto_ && (!layout_.shares || may_pause());
    divide(lacks_lookahead() || cuts_packets() || options.path ? 1 : options.threads);
    if (options_.replay == Replay::auto_) recurrence_.emplace(observed());
    if (recurrence_ && options.timeline && options.timeline->until) recurrence_->begin_at(*options.timeline->until);
    if (options.queue_memory) state_.budget.limit(static_cast<std::uint64_t>(options.queue_memory->count));
    for (const Rank rank : layout_.all_ranks()) {
        const InstructionId entry = layout_.entry[program.class_of[rank.index]];
        state_.ranks[rank].at = entry;
        partition_of(layout_.node_of[rank]).context.ready.push_back(rank);
    }
    for (const program::Job& job : program.jobs) {
        for (std::uint32_t rank = 0; rank < job.ranks; ++rank) {
            state_.ranks[{job.first_rank + rank}].clock = job.start.ps;
        }
    }
}

/// Returns true if pausing ranks between iterations is useful. Without noise the state also recurs at cuts of virtual
/// time. So pausing is not needed if iterations begin with a send, which ends pausing.
bool Simulation::may_pause() const {
    return !lacks_lookahead() && compute_time_ && !paths_ && !layout_.memory.shared && !layout_.progress_in_calls &&
           program::has_closed_iterations(program_);
}

bool Simulation::lacks_lookahead() const { return layout_.shares && !layout_.has_lookahead; }

/// Divides the nodes among partitions.
void Simulation::divide(unsigned threads) {
    const std::size_t count =
        std::min({std::size_t{std::max(threads, 1U)}, std::size_t{layout_.nodes}, kMostPartitions});
    Division division = engine::divide(layout_, count);
    partition_of_ = std::move(division.partition_of);
    const variation::ComputeTime* const takes = compute_time_ ? &*compute_time_ : nullptr;
    const bool all_in_each = layout_.groups.size() == 1;  // the collectives of different jobs are unrelated
    if (layout_.collective_steps > 0 && layout_.own_links_ahead && all_in_each) intervals_.emplace(layout_, takes);
    for (std::size_t k = 0; k < count; ++k) {
        partitions_.push_back(std::make_unique<Partition>(layout_, state_, takes));
        Partition& partition = *partitions_.back();
        partition.context.window = window_;
        partition.context.window_begin = -window_.ps;
        partition.context.remote_events.resize(count);
        partition.context.partition_of = count > 1 ? &partition_of_ : nullptr;
        partition.context.keeps_groups = division.keeps_groups;
        partition.context.pauses_at_iterations = pauses_;
        if (intervals_) partition.context.intervals = &*intervals_;
        if (intervals_) partition.context.collectives_left.soonest_next = intervals_->before_first().ps;
        partition.context.ranks = 0;
    }
    for (const Rank rank : layout_.all_ranks()) ++partition_of(layout_.node_of[rank]).context.ranks;
    for (const ReceiveEndpointId receive_endpoint : layout_.all_receive_endpoints()) {
        const SendEndpointId send_endpoint = state_.receive_endpoints[receive_endpoint].send_endpoint;
        if (send_endpoint == kNone) continue;
        const Node to = layout_.node_of[layout_.rank_of(receive_endpoint)];
        const Node from = layout_.node_of[layout_.rank_of(send_endpoint)];
        const bool local = partition_of_[from] == partition_of_[to];
        state_.receive_endpoints[receive_endpoint].is_local = state_.send_endpoint(send_endpoint).is_local = local;
    }
}

Observed Simulation::observed() {
    return {layout_,       state_,   iterations_,    partitions_,
            partition_of_, skipped_, granted_until_, options_.draws_repeat_after()};
}

void Simulation::run() {
    try {
        run_rounds();
    } catch (const QueuesTooLong&) {
        stop_for_memory();
    } catch (const std::bad_alloc&) {  // memory outside the budget, such as the address space of threads
        stop_for_memory();
    }
    stop_if_deadlocked();
}

void Simulation::poll(std::int64_t now) {
    if (options_.monitor != nullptr) options_.monitor->poll([&] { return progress(now); });
}

Progress Simulation::progress(std::int64_t now) const {
    return {.simulated = skipped_.time + WideTime{Wide{now}},
            .stepped = messages(),
            .skipped = skipped_.messages,
            .all = expected_.all,
            .expected = expected_.stepped};
}

std::uint64_t Simulation::messages() const {
    std::uint64_t sum = 0;
    for (const auto& partition : partitions_) sum += partition->context.all_messages();
    return sum;
}

// --- rounds: all partitions are simulated in parallel; between two rounds one thread works alone ---------------------

void Simulation::run_rounds() {
    plan_ = {};
    ThreadTeam team(partitions_.size());
    team.work([this](std::size_t member) { step_round(member); },
              [this] {
                  between_rounds();
                  return !plan_.stop;
              });
    cpu_of_others_ = team.cpu_of_others();
}

/// Performs one partition's share of a round.
void Simulation::step_round(std::size_t index) {
    Partition& partition = *partitions_[index];
    partition.context.soonest_effect = kHorizon.ps;  // remote events that were sent before are received now
    if (plan_.serve && partitions_.size() > 1) {
        if (partition.context.window_begin != plan_.window_begin) {
            partition.context.window_begin = plan_.window_begin;
            partition.context.note_astray(plan_.astray, plan_.collectives_left);
        }
    }
    for (const auto& other : partitions_) {
        if (const auto& sent = other->sent(); !sent.empty()) partition.take(sent[index]);
    }
    if (plan_.resume) partition.resume_paused();
    partition.run_until_quiescent(layout_.shares ? Partition::kAll : kRanksPerRound);
    if (!plan_.serve) return;
    const bool alone = partitions_.size() == 1;
    partition.serve(plan_.limit, [&] {
        if (alone) look_at(partition.context.now);
    });
    if (alone) granted_until_ = std::max(granted_until_, partition.context.granted_until());
}

/// Performs the work that concerns all partitions, on one thread. If it is faster, this thread also performs the next
/// round alone.
void Simulation::between_rounds() {
    for (prepare_round(); !plan_.stop && steps_alone(); prepare_round()) {
        for (std::size_t partition = 0; partition < partitions_.size(); ++partition) step_round(partition);
    }
}

bool Simulation::steps_alone() {
    if (partitions_.size() == 1) return false;
    faster_way_.note(FasterWay::Clock::now(), messages());
    const std::uint64_t few = ThreadTeam::each_has_a_core(partitions_.size()) ? kAlone : kAloneAmongMany;
    return faster_way_.way() == FasterWay::Way::alone || reported_.new_events < few;
}

void Simulation::prepare_round() {
    plan_.resume = plan_.serve = false;
    grant_links();
    close_round();
    const std::uint64_t events = reported_.events;
    reported_ = report();
    reported_.new_events = reported_.events - events;
    end_iterations();
    look_at(layout_.shares ? granted_until_ : iterations_.last_end());
    while (!plan()) reported_ = report();
}

/// Observes the state at `now`, when all earlier events have taken place.
void Simulation::look_at(std::int64_t now) {
    end_timeline(now);
    poll(now);
}

/// Ends the timeline when all events of its window have taken place, since recording takes time. If there are no events
/// in the calendar, it does not end early, since later simulation may still concern the window.
void Simulation::end_timeline(std::int64_t now) {
    if (state_.timeline == nullptr || !layout_.shares || reported_.sent || !timeline_->over_at(now)) return;
    state_.timeline = nullptr;
    state_.records_activity = !state_.overheads.empty();
}

Simulation::RoundReport Simulation::report() {
    RoundReport all;
    for (const auto& partition : partitions_) {
        const PartitionContext& context = partition->context;
        if (layout_.shares) all.next_time = std::min(all.next_time, partition->next_time());
        all.events += context.events;
        all.astray += context.astray;
        all.collectives_left.add(context.collectives_left);
        all.paused += context.paused.size();
        all.in_collectives += context.in_collectives;
        all.sent = all.sent || partition->has_sent();
        all.quiescent = all.quiescent && context.ready.empty();
    }
    return all;
}

/// Releases paused ranks. If some rank is not paused or an event is left, pausing ends for the rest of the run.
/// Otherwise the state is observed first, at the earliest clock of a rank. If iterations are skipped, it is observed
/// again at the beginning of the next loop.
void Simulation::resume_paused() {
    plan_.resume = true;
    if (reported_.paused < layout_.ranks || reported_.next_time < kHorizon.ps) {
        for (const auto& partition : partitions_) partition->context.pauses_at_iterations = false;
        pauses_ = false;
        return;
    }
    std::int64_t cut = kHorizon.ps;
    for (const auto& partition : partitions_) {
        for (const Rank rank : partition->context.paused) cut = std::min(cut, state_.ranks[rank].clock);
    }
    while (recurrence_->observe_paused(cut)) {
        for (const auto& partition : partitions_) partition->enter_loops();
    }
}

/// Returns true if paused ranks must be released before the events in the window of `next`.
bool Simulation::must_resume(std::int64_t next) const {
    if (!pauses_) return false;
    const bool over = reported_.next_time == kHorizon.ps;
    const auto lets_go = [&](const auto& partition) {
        return !partition->context.pauses_at_iterations ||
               (!over && partition->context.paused_until < window_end(next));
    };
    return std::any_of(partitions_.begin(), partitions_.end(), lets_go) || (over && reported_.paused > 0);
}

/// Returns true if a remote event may end an iteration of a rank before any event of the next window takes place. Then
/// a separate round receives the remote events. The reason is that pausing depends on the window of the last event, and
/// with one partition the next window has not begun either. A rank that ends such an iteration leaves a collective. No
/// rank leaves a collective before all ranks have entered it, so at least one rank is in a collective now.
bool Simulation::may_end_iterations_unserved() const {
    return pauses_ && layout_.continues_unserved && reported_.sent && reported_.in_collectives > 0;
}

/// Chooses the time limit of the next round. Returns false if the state was observed instead, so that the choice must
/// be repeated.
bool Simulation::plan() {
    if (!reported_.quiescent) return true;
    if (may_end_iterations_unserved()) return true;
    // Ranks that were paused may post receives of earlier times, but these have no effect before their senders act.
    const std::int64_t next = std::max(reported_.next_time, granted_until_);
    if (must_resume(next)) {
        if (!reported_.sent) resume_paused();
        return true;
    }
    if (!cuts_.empty() && cuts_.front() <= next) {
        if (reported_.sent) return true;  // remote events are received first
        granted_until_ = std::max(granted_until_, cuts_.front());
        recurrence_->observe(cuts_.front());
        cuts_.pop_front();
        return false;
    }
    if (reported_.next_time == kHorizon.ps) {
        plan_.stop = !reported_.sent;
        return true;
    }
    plan_.serve = true;
    plan_.limit = partitions_.size() > 1 ? window_end(next) : kHorizon.ps;
    for (const auto& partition : partitions_)
        plan_.limit = std::min(plan_.limit, window_begin(partition->context.paused_until));
    if (!cuts_.empty()) plan_.limit = std::min(plan_.limit, cuts_.front());
    if (partitions_.size() > 1) begin_window(window_begin(next));
    return true;
}

/// Begins the window of the next round, unless the window has already begun.
void Simulation::begin_window(std::int64_t begin) {
    granted_until_ = plan_.limit;
    if (plan_.window_begin == begin) return;
    plan_.window_begin = begin;
    plan_.astray = reported_.astray;
    plan_.collectives_left = reported_.collectives_left;
}

/// Grants links that several partitions may use, to the messages that left their nodes in the round.
void Simulation::grant_links() {
    const auto comes_after = [](const WantedLinks& a, const WantedLinks& b) { return b.request() < a.request(); };
    wanted_links_.clear();
    for (const auto& partition : partitions_) {
        for (const LinkRequestId id : partition->context.links_wanted) wanted_links_.push_back({partition.get(), id});
        partition->context.links_wanted.clear();
    }
    std::make_heap(wanted_links_.begin(), wanted_links_.end(), comes_after);
    while (!wanted_links_.empty()) {
        std::pop_heap(wanted_links_.begin(), wanted_links_.end(), comes_after);
        const WantedLinks wanted = wanted_links_.back();
        if (wanted.partition->grant_links(wanted.id)) {
            wanted_links_.pop_back();
        } else if (const std::int64_t next = wanted.request().order.time.ps; next < granted_until_) {
            std::push_heap(wanted_links_.begin(), wanted_links_.end(), comes_after);
        } else {
            wanted_links_.pop_back();
            wanted.partition->context.calendar.add(next, {EventKind::links, wanted.id});
        }
    }
}

void Simulation::close_round() {
    for (const auto& partition : partitions_) partition->close_round();
}

IterationTracker::Open Simulation::open_iteration() const {
    IterationTracker::Open mark;
    for (const auto& partition : partitions_) mark.add(partition->context.tracker.at(0));
    return mark;
}

void Simulation::end_iterations() {
    for (IterationTracker::Open mark = open_iteration(); mark.passed == layout_.ranks; mark = open_iteration()) {
        for (const auto& partition : partitions_) partition->context.tracker.end();
        iterations_.end(mark.latest);
        if (layout_.shares && !pauses_ && recurrence_) cuts_.push_back(cut_after(mark.latest));
    }
}

// --- a run that ends early: by a deadlock, or since queues need too much memory --------------------------------------

namespace {

record::Blocked in_collective(record::Blocked blocked, const Layout& layout, const RankLine& line) {
    blocked.what = record::Blocked::What::collective;
    const auto step = layout.collective_step(blocked.rank, (line.collective_position - 1U) / 3);
    blocked.peer = line.state == RankState::sending ? *step.send_to : *step.recv_from;
    return blocked;
}

bool is_blocked(const RankLine& line) {
    return line.state == RankState::sending || line.state == RankState::receiving || line.state == RankState::choosing;
}

record::Blocked outside_collective(record::Blocked blocked, const program::Program& program, const State& state,
                                   const Partners& partners) {
    const program::RankClass& rank_class = program.of(blocked.rank);
    const std::vector<program::Channel>& channels =
        partners.sends ? rank_class.send_endpoints : rank_class.receive_endpoints;
    const auto peer_of = [&](std::uint32_t place) { return program::peer_of(blocked.rank, channels[place]); };
    const auto end = partners.places.end();
    const auto waits_too = std::find_if(partners.places.begin(), end,
                                        [&](std::uint32_t place) { return is_blocked(state.ranks[peer_of(place)]); });
    const std::uint32_t place = waits_too == end ? partners.places.front() : *waits_too;
    blocked.what = partners.sends ? record::Blocked::What::send : record::Blocked::What::recv;
    blocked.peer = peer_of(place);
    blocked.tag = channels[place].tag;
    blocked.partners = static_cast<std::uint32_t>(partners.places.size());
    return blocked;
}

}  // namespace

void Simulation::stop_if_deadlocked() {
    std::int64_t done = 0;
    for (const auto& partition : partitions_) done += partition->context.done;
    if (done == layout_.ranks) return;
    throw Deadlock(blocked_ranks());
}

/// Returns every blocked rank, in order, and since when it has been waiting.
std::vector<record::Blocked> Simulation::blocked_ranks() {
    std::vector<record::Blocked> all;
    for (const Rank rank : layout_.all_ranks()) {
        const RankLine& line = state_.ranks[rank];
        if (!is_blocked(line)) continue;
        const record::Blocked blocked{.rank = rank,
                                      .peer = {},
                                      .site = layout_.code[line.at].site,
                                      .since = {skipped_.time + WideTime{Wide{line.clock}}}};
        all.push_back(line.collective_position > 0
                          ? in_collective(blocked, layout_, line)
                          : outside_collective(blocked, program_, state_, partition_of(line.node).partners_of(rank)));
    }
    return all;
}

/// Ends the run because memory is exhausted. All threads must have stopped.
void Simulation::stop_for_memory() {
    MemoryExhausted::Found found{};
    found.limit = options_.queue_memory;
    const ReceiveEndpointId longest = longest_queue(found.queued);
    const SendEndpointId send_endpoint = state_.receive_endpoints[longest].send_endpoint;
    found.from = layout_.rank_of(send_endpoint);
    found.to = layout_.rank_of(longest);
    if (!layout_.is_of_collective(send_endpoint)) {
        const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
        found.tag = program_.of(found.from).send_endpoints[place].tag;
        found.site = layout_.first_send(program_.class_of[found.from.index], place).site;
    }
    if (partitions_.size() == 1) granted_until_ = std::max(granted_until_, partitions_.front()->context.now);
    found.simulated = skipped_.time + WideTime{Wide{std::max(granted_until_, iterations_.last_end())}};
    found.iterations = iterations_.durations();
    throw MemoryExhausted(std::move(found));
}

/// Returns the receive endpoint with the most queued messages, the first of several. Sets `queued` to their number.
ReceiveEndpointId Simulation::longest_queue(std::uint64_t& queued) {
    std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash> between_nodes;
    for (const auto& partition : partitions_) partition->count_messages(between_nodes);
    ReceiveEndpointId longest;
    queued = 0;
    for (const ReceiveEndpointId receive_endpoint : layout_.all_receive_endpoints()) {
        const Node node = layout_.node_of[layout_.rank_of(receive_endpoint)];
        Backlog& backlog = partition_of(node).context.backlog;
        const auto sent = between_nodes.find(receive_endpoint);
        const std::uint64_t here = backlog.count(receive_endpoint) + (sent == between_nodes.end() ? 0 : sent->second);
        if (here > queued) std::tie(queued, longest) = std::pair(here, receive_endpoint);
    }
    return longest;
}

// --- sums over the run -----------------------------------------------------------------------------------------------

Wide Simulation::sum(Rank rank, RankSum which) const {
    const auto place = static_cast<std::size_t>(which);
    const Wide stepped = rank_sums(state_, rank, 0)[place];
    return stepped + skipped_.sum(SumPlaces(layout_).of(rank) + place);
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
        sum.messages += partition->context.messages;
        sum.messages_of_collectives += partition->context.messages_of_collectives;
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
    sum += partition_of_.capacity() * sizeof(std::uint16_t) + wanted_links_.capacity() * sizeof(WantedLinks);
    for (const auto& partition : partitions_) sum += partition->bytes();
    return sum;
}

}  // namespace warpfront::engine
