// Rounds, in each of which all partitions are stepped side by side, and what one thread alone does between two of them.
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

}  // namespace warpfront::engine
