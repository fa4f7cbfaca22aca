// What one thread alone does between two phases: links granted, iterations ended, the next window chosen.
#include <algorithm>
#include <tuple>

#include "simulator/engine/parallel/simulation.hpp"

namespace warpfront::engine {

void Simulation::plan() {
    while (!(regime_ == Regime::dataflow ? plan_dataflow() : plan_window())) continue;
}

/// Iterations end; nodes come to rest and are woken. None rests where the state of the whole machine is to be compared.
/// Nodes that are woken may end iterations.
void Simulation::settle() {
    for (bool woken = true; woken;) {
        end_iterations();
        woken = rests_ && rests_->settle(granted_until_, !cuts_.empty());
    }
}

/// Messages of collectives that have been begun and have not left their nodes.
std::uint64_t Simulation::collective_sends() const {
    std::uint64_t sum = 0;
    for (const auto& partition : partitions_) sum += partition->context.collective_sends;
    return sum;
}

/// Ranks are held at their marks, where the state is observed; if some never get there the holding was in the way.
bool Simulation::plan_dataflow() {
    const auto quiescent = [](const auto& partition) { return partition->interpreter.quiescent(); };
    if (sent() || !std::all_of(partitions_.begin(), partitions_.end(), quiescent)) return true;
    std::size_t held = 0;
    for (const auto& partition : partitions_) held += partition->interpreter.held().size();
    if (held == 0) {
        plan_.stop = true;
        return true;
    }
    if (held == layout_.ranks) {
        std::int64_t cut = kHorizon.ps;
        for (const RankLine& line : state_.ranks) cut = std::min(cut, line.clock);
        iteration_recurrence_->observe(cut);
    } else {
        for (const auto& partition : partitions_) partition->interpreter.hold_at_iterations = false;
    }
    plan_.release = true;
    return true;
}

/// Chooses the next window, or the part of it before a cut; false where a cut was observed and there is more to choose.
bool Simulation::plan_window() {
    std::uint64_t next = kNoWindow;
    for (const auto& partition : partitions_) next = std::min(next, partition->next_window());
    const auto start = next == kNoWindow ? kHorizon.ps : static_cast<std::int64_t>(next << window_shift_);
    if (!cuts_.empty() && cuts_.front().time <= std::max(granted_until_, start)) {
        if (sent()) return true;  // to be taken in first
        observe(cuts_.front());
        return false;
    }
    if (next == kNoWindow) {
        plan_.stop = !sent();
        return true;
    }
    plan_.serve = true;
    plan_.window = next;
    plan_.limit = static_cast<std::int64_t>((next + 1) << window_shift_);
    if (!cuts_.empty()) plan_.limit = std::min(plan_.limit, cuts_.front().time);
    granted_until_ = plan_.limit;
    plan_.own_links = collective_sends() == 0 && !collectives_leave_at_once();
    return true;
}

bool Simulation::collectives_leave_at_once() const {
    return layout_.collective_steps > 0 && layout_.soonest_collective.ps < (std::int64_t{1} << window_shift_);
}

/// The machine is quiescent.
void Simulation::observe(Cut cut) {
    granted_until_ = std::max(granted_until_, cut.time);
    for (std::uint32_t node = 0; layout_.ejects && node < layout_.nodes; ++node) {
        partitions_[partition_of_[node]]->protocol.drain_nics(node, cut.time);
    }
    cut.by->observe(cut.time, cut.keeps);
    cuts_.pop_front();
}

/// Messages that left their nodes in the phase and want links that others use too.
void Simulation::grant_links() {
    link_requests_.clear();
    for (const auto& partition : partitions_) {
        std::vector<LinkRequest>& own = partition->context.link_requests;
        link_requests_.insert(link_requests_.end(), own.begin(), own.end());
        own.clear();
    }
    std::stable_sort(link_requests_.begin(), link_requests_.end(),
                     [](const LinkRequest& a, const LinkRequest& b) { return a.order < b.order; });
    for (const LinkRequest& request : link_requests_) {
        const std::int64_t leaves = request.order.time.ps;
        const RouteGrant granted = grant_route(layout_, state_, request, route_);
        const std::uint32_t node = layout_.node_of[request.order.rank.index];
        partitions_[partition_of_[node]]->protocol.transmit(state_.send_endpoint(request.send_endpoint), leaves,
                                                            granted.time - leaves, request.cost, granted.detour);
    }
}

void Simulation::end_iterations() {
    for (;;) {
        IterationTracker::Open mark;
        for (const auto& partition : partitions_) {
            const IterationTracker::Open here = partition->interpreter.iteration_tracker().at(0);
            mark.passed += here.passed;
            mark.latest = std::max(mark.latest, here.latest);
        }
        if (mark.passed < layout_.ranks) return;
        for (const auto& partition : partitions_) partition->interpreter.iteration_tracker().end();
        iterations_.end(mark.latest);
        if (regime_ != Regime::dataflow && iteration_recurrence_) add_cut({mark.latest, &*iteration_recurrence_, true});
    }
}

void Simulation::collect_tile_probes() {
    for (const auto& partition : partitions_) {
        for (const TileProbe& mark : partition->interpreter.tile_probes())
            add_cut({mark.time, &*tile_recurrence_, mark.keeps});
        partition->interpreter.tile_probes().clear();
    }
}

/// One lookahead after what made it worth looking: that is beyond the window, whose requests are granted already, and
/// the same distance each time, so that states compare.
void Simulation::add_cut(Cut cut) {
    cut.time += std::max<std::int64_t>(lookahead_.ps, 1);
    const auto later =
        std::upper_bound(cuts_.begin(), cuts_.end(), cut, [](const Cut& a, const Cut& b) { return a.time < b.time; });
    cuts_.insert(later, cut);
}

bool Simulation::sent() const {
    return std::any_of(partitions_.begin(), partitions_.end(),
                       [](const auto& partition) { return partition->has_sent(); });
}

}  // namespace warpfront::engine
