// Rounds, in each of which all partitions are stepped side by side, and what one thread alone does between two of them:
// links granted, iterations ended, the next window chosen.
#include <algorithm>

#include "simulator/engine/parallel/simulation.hpp"
#include "simulator/engine/parallel/thread_team.hpp"

namespace warpfront::engine {

namespace {

/// Requests and events that one thread handles in the time that threads take to meet: while each has a core of its own,
/// and where some have to be woken.
constexpr std::size_t kAlone = 20;
constexpr std::size_t kAloneAmongMany = 1000;
/// Where no window ends a round, this does: milliseconds, so that the watch is not kept waiting.
constexpr std::uint64_t kRanksPerRound = 4096;

}  // namespace

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

/// What one partition does while the others do the same.
void Simulation::step_round(std::size_t index) {
    Partition& partition = *partitions_[index];
    partition.context.soonest_effect = kHorizon.ps;  // what was sent is taken now
    partition.context.own_links_at_once = plan_.own_links;
    partition.interpreter.served_until = regime_ == Regime::windows ? granted_until_ : 0;
    if (plan_.serve) partition.know_until(static_cast<std::int64_t>(plan_.window << window_shift_));
    for (const auto& other : partitions_) {
        if (const auto& sent = other->sent(); !sent.empty()) partition.protocol.take(sent[index]);
    }
    if (plan_.release) partition.interpreter.release_held();
    partition.run_until_quiescent(regime_ == Regime::dataflow ? kRanksPerRound : ProgramInterpreter::kAll);
    if (plan_.serve) partition.serve(plan_.window, plan_.limit);
}

/// One thread alone: what concerns all partitions. Where that is faster it does the next round all by itself.
void Simulation::between_rounds() {
    for (prepare_round(); !plan_.stop && steps_alone(); prepare_round()) {
        for (std::size_t partition = 0; partition < partitions_.size(); ++partition) step_round(partition);
    }
}

bool Simulation::steps_alone() {
    if (partitions_.size() == 1) return false;
    faster_way_.note(FasterWay::Clock::now(), reported_.messages);
    return faster_way_.way() == FasterWay::Way::alone || small();
}

/// Whether the next round has so little to do that meeting the others would take longer.
bool Simulation::small() const {
    if (regime_ != Regime::windows) return false;
    std::size_t work = 0;
    for (const auto& partition : partitions_) work += partition->work(plan_.window);
    return work < (ThreadTeam::each_has_a_core(partitions_.size()) ? kAlone : kAloneAmongMany);
}

void Simulation::prepare_round() {
    plan_.release = plan_.serve = false;
    collect_link_requests();
    grant_links();
    close_round();
    reported_ = report();
    end_iterations();
    end_timeline();
    plan();
    poll(regime_ == Regime::windows ? granted_until_ : iterations_.last_end());
}

/// Recording costs time, so it ends with the window of the timeline; where windows are stepped, since there it is known
/// that what is still to come is later.
void Simulation::end_timeline() {
    if (state_.timeline == nullptr || regime_ != Regime::windows || reported_.sent) return;
    if (!timeline_->over_at(granted_until_)) return;
    drain_nics(granted_until_);
    state_.timeline = nullptr;
    state_.records_activity = !state_.overheads.empty();
}

void Simulation::plan() {
    while (!(regime_ == Regime::dataflow ? plan_dataflow() : plan_window())) reported_ = report();
}

Simulation::RoundReport Simulation::report() const {
    RoundReport here;
    for (const auto& partition : partitions_) {
        const ProgramInterpreter& interpreter = partition->interpreter;
        here.add({.next_window = partition->next_window(),
                  .messages = interpreter.messages() + interpreter.messages_of_collectives(),
                  .collective_sends = partition->context.collective_sends,
                  .held = interpreter.held().size(),
                  .sent = partition->has_sent(),
                  .quiescent = interpreter.quiescent()});
    }
    return here;
}

void Simulation::RoundReport::add(const RoundReport& other) {
    next_window = std::min(next_window, other.next_window);
    messages += other.messages;
    collective_sends += other.collective_sends;
    held += other.held;
    sent = sent || other.sent;
    quiescent = quiescent && other.quiescent;
}

/// Ranks are held at their marks, where the state is observed; if some never get there the holding was in the way.
bool Simulation::plan_dataflow() {
    if (reported_.sent || !reported_.quiescent) return true;
    if (reported_.held == 0) {
        plan_.stop = true;
        return true;
    }
    release_held();
    return true;
}

/// Where all ranks are held and no request is left the state is observed, at the earliest of their clocks, and again
/// where it is the one that the next loop begins with.
void Simulation::release_held() {
    plan_.release = true;
    if (reported_.held < layout_.ranks || reported_.next_window != kNoWindow) {
        for (const auto& partition : partitions_) partition->interpreter.hold_at_iterations = false;
        holds_ = false;
        return;
    }
    std::int64_t cut = kHorizon.ps;
    for (const auto& partition : partitions_) {
        for (const Rank rank : partition->interpreter.held()) cut = std::min(cut, state_.ranks[rank].clock);
    }
    while (recurrence_->observe_held(cut)) {
        for (const auto& partition : partitions_) partition->interpreter.enter_loops();
    }
}

/// Whether held ranks have to go on before this window is served.
bool Simulation::holds_no_longer(std::uint64_t window) const {
    if (!holds_) return false;
    const auto limit = static_cast<std::int64_t>((window + 1) << window_shift_);
    const auto lets_go = [&](const auto& partition) {
        return !partition->interpreter.hold_at_iterations || partition->interpreter.held_until() < limit;
    };
    return std::any_of(partitions_.begin(), partitions_.end(), lets_go) || (reported_.held > 0 && window == kNoWindow);
}

/// Chooses the next window, or the part of it before a cut; false where a cut was observed and there is more to choose.
bool Simulation::plan_window() {
    // Ranks that were held post receives of earlier times, which have no effect before their senders act.
    const std::uint64_t next =
        std::max(reported_.next_window, static_cast<std::uint64_t>(granted_until_) >> window_shift_);
    if (holds_no_longer(next)) {
        if (!reported_.sent) release_held();
        return true;
    }
    const auto start = next == kNoWindow ? kHorizon.ps : static_cast<std::int64_t>(next << window_shift_);
    if (!cuts_.empty() && cuts_.front() <= std::max(granted_until_, start)) {
        if (reported_.sent) return true;  // to be taken in first
        observe(cuts_.front());
        return false;
    }
    if (next == kNoWindow) {
        plan_.stop = !reported_.sent;
        return true;
    }
    plan_.serve = true;
    plan_.window = next;
    plan_.limit = static_cast<std::int64_t>((next + 1) << window_shift_);
    if (!cuts_.empty()) plan_.limit = std::min(plan_.limit, cuts_.front());
    granted_until_ = plan_.limit;
    plan_.own_links = reported_.collective_sends == 0 && !collectives_leave_at_once();
    return true;
}

bool Simulation::collectives_leave_at_once() const {
    return layout_.collective_steps > 0 && layout_.soonest_collective.ps < (std::int64_t{1} << window_shift_);
}

/// The machine is quiescent.
void Simulation::observe(std::int64_t cut) {
    granted_until_ = std::max(granted_until_, cut);
    drain_nics(cut);
    recurrence_->observe(cut);
    cuts_.pop_front();
}

/// NICs take in messages only when that is asked for.
void Simulation::drain_nics(std::int64_t until) {
    if (!layout_.ejects) return;
    for (const Node node : layout_.all_nodes()) partition_of(node).protocol.drain_nics(node, until);
}

/// Messages that left their nodes in the round and want links that others use too.
void Simulation::collect_link_requests() {
    link_requests_.clear();
    for (const auto& partition : partitions_) {
        std::vector<LinkRequest>& own = partition->context.link_requests;
        link_requests_.insert(link_requests_.end(), own.begin(), own.end());
        own.clear();
    }
}

void Simulation::grant_links() {
    std::stable_sort(link_requests_.begin(), link_requests_.end(),
                     [](const LinkRequest& a, const LinkRequest& b) { return a.order < b.order; });
    for (const LinkRequest& request : link_requests_) {
        const std::int64_t leaves = request.order.time.ps;
        if (state_.paths != nullptr) state_.paths->begin_leaving(request.send_endpoint);
        const RouteGrant granted = grant_route(layout_, state_, request, route_);
        partition_of(layout_.node_of[request.order.rank])
            .protocol.transmit(state_.send_endpoint(request.send_endpoint), leaves, granted.time - leaves, request.cost,
                               granted.detour);
    }
}

void Simulation::close_round() {
    for (const auto& partition : partitions_) partition->close_round();
}

IterationTracker::Open Simulation::open_iteration() const {
    IterationTracker::Open mark;
    for (const auto& partition : partitions_) mark.add(partition->interpreter.iteration_tracker().at(0));
    return mark;
}

void Simulation::end_iterations() {
    for (IterationTracker::Open mark = open_iteration(); mark.passed == layout_.ranks; mark = open_iteration()) {
        for (const auto& partition : partitions_) partition->interpreter.iteration_tracker().end();
        iterations_.end(mark.latest);
        if (regime_ != Regime::dataflow && !holds_ && recurrence_) cuts_.push_back(cut_after(mark.latest));
    }
}

}  // namespace warpfront::engine
