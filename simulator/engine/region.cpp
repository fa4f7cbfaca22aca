#include "simulator/engine/region.hpp"

#include <algorithm>

namespace warpfront::engine {

Region::Region(const Layout& layout, State& state, const ComputeTime* compute_time, unsigned window_shift)
    : stepper(layout, state, compute_time), state_(state), layout_(layout), window_shift_(window_shift) {}

void Region::settle(std::uint64_t most) {
    stepper.settle(most);
    schedule();
}

void Region::schedule() {
    for (const Timed& timed : stepper.timed()) wheel_.push(window_of(timed.time), timed.node);
    stepper.timed().clear();
}

void Region::serve(std::uint64_t window, std::int64_t limit) {
    stepper.know_until(limit);
    nodes_.clear();
    wheel_.take(window, nodes_);
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        prefetch(index, limit);
        stepper.attend(nodes_[index], limit);
        for (const Timed& timed : stepper.timed()) {
            const std::uint64_t later = window_of(timed.time);
            if (later != window) {
                wheel_.push(later, timed.node);
            } else if (timed.node != nodes_[index]) {
                nodes_.push_back(timed.node);  // has woken with this one
            }  // else granted already, or beyond `limit`
        }
        stepper.timed().clear();
    }
    if (window_of(limit - 1) == window_of(limit)) {  // the rest of the window is still to come
        for (const std::uint32_t node : nodes_) wheel_.push(window, node);
    }
}

// --- into the cache ahead of use -------------------------------------------------------------------------------------

/// Brings what the nodes that come next are made of into the cache, so many nodes ahead. Where many have something to
/// do all ranks are at work, and do not fit into the cache together: then fetching what is not used takes longer than
/// it saves, so first the desks are fetched, then who asks there, then that rank's channels.
void Region::prefetch(std::size_t index, std::int64_t limit) const {
    constexpr std::size_t kDesk = 12;
    constexpr std::size_t kRank = 8;
    constexpr std::size_t kAll = 6;
    constexpr std::size_t kChannels = 4;
    constexpr std::size_t kMany = 100;
    const bool many = nodes_.size() >= kMany;
    if (index + kDesk < nodes_.size()) {
        const std::uint32_t node = nodes_[index + kDesk];
        __builtin_prefetch(&layout_.ranks_on[std::size_t{node} * layout_.cores]);
        __builtin_prefetch(&state_.servers[layout_.desk_of(node)]);
    }
    if (!many && index + kAll < nodes_.size()) prefetch_all(nodes_[index + kAll]);
    if (many && index + kRank < nodes_.size()) prefetch_who_asks(nodes_[index + kRank], limit);
    if (!many || index + kChannels >= nodes_.size()) return;
    const std::uint32_t rank = stepper.first_to_ask(nodes_[index + kChannels], limit);
    if (rank != kNone) prefetch_channels(rank);
}

void Region::prefetch_all(std::uint32_t node) const {
    __builtin_prefetch(&state_.servers[layout_.desk_of(node) + layout_.desk.used - 1]);
    for (std::uint32_t core = 0; core < layout_.cores; ++core) {
        const std::uint32_t rank = layout_.ranks_on[std::size_t{node} * layout_.cores + core];
        if (rank == kNone) continue;
        __builtin_prefetch(&state_.ranks[rank]);
        prefetch_channels(rank);
    }
}

void Region::prefetch_who_asks(std::uint32_t node, std::int64_t limit) const {
    if (layout_.ejects && state_.arrival(layout_, node) < limit) {
        const std::uint32_t inlet = state_.first_flight(layout_, node).inlet;
        __builtin_prefetch(&state_.inlets[inlet]);
        __builtin_prefetch(&state_.ranks[layout_.rank_of_inlet(inlet)]);
    }
    const std::uint32_t rank = stepper.first_to_ask(node, limit);
    if (rank == kNone) return;
    __builtin_prefetch(&state_.ranks[rank]);
    __builtin_prefetch(&state_.servers[layout_.desk_of(node) + layout_.desk.used - 1]);
}

void Region::prefetch_channels(std::uint32_t rank) const {
    __builtin_prefetch(&state_.inlets[std::size_t{rank} << layout_.inlet_shift]);
    __builtin_prefetch(&state_.outlets[std::size_t{rank} << layout_.outlet_shift]);
}

std::uint64_t Region::next_window() {
    const std::int64_t effect = stepper.soonest_effect();
    return std::min(wheel_.first(), effect < kHorizon.ps ? window_of(effect) : kNoWindow);
}

void Region::close_phase() {
    sent_.resize(stepper.signals().size());
    for (auto& box : sent_) box.clear();
    sent_.swap(stepper.signals());
}

bool Region::has_sent() const {
    return std::any_of(sent_.begin(), sent_.end(), [](const auto& box) { return !box.empty(); });
}

std::size_t Region::work(std::uint64_t window) const {
    std::size_t sum = wheel_.count(window);
    for (const auto& box : sent_) sum += box.size();
    return sum;
}

std::uint64_t Region::bytes() const {
    std::uint64_t sum = stepper.bytes() + wheel_.bytes() + nodes_.capacity() * sizeof(std::uint32_t);
    for (const auto& box : sent_) sum += box.capacity() * sizeof(Signal);
    return sum;
}

}  // namespace warpfront::engine
