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
        prefetch(index);
        stepper.attend(nodes_[index], limit);
        for (const Timed& timed : stepper.timed()) {
            const std::uint64_t later = window_of(timed.time);
            if (later != window) wheel_.push(later, timed.node);  // of this window: granted already, or beyond `limit`
        }
        stepper.timed().clear();
    }
    if (window_of(limit - 1) == window_of(limit)) {  // the rest of the window is still to come
        for (const std::uint32_t node : nodes_) wheel_.push(window, node);
    }
}

/// Brings the nodes that come next into the cache: first who is on them, then what these ranks are made of.
void Region::prefetch(std::size_t index) const {
    constexpr std::size_t kFar = 12;
    constexpr std::size_t kNear = 6;
    if (index + kFar < nodes_.size()) {
        const std::size_t node = nodes_[index + kFar];
        __builtin_prefetch(&layout_.ranks_on[node * layout_.cores]);
        __builtin_prefetch(&state_.servers[node * layout_.servers.stride]);
        if (layout_.ejects) __builtin_prefetch(&state_.arrivals[node]);
    }
    if (index + kNear >= nodes_.size()) return;
    const std::uint32_t* ranks = &layout_.ranks_on[std::size_t{nodes_[index + kNear]} * layout_.cores];
    for (const std::uint32_t* rank = ranks; rank != ranks + layout_.cores; ++rank) {
        if (*rank == kNone) continue;
        __builtin_prefetch(&state_.ranks[*rank]);
        __builtin_prefetch(&state_.inlets[std::size_t{*rank} << layout_.inlet_shift]);
        __builtin_prefetch(&state_.outlets[std::size_t{*rank} << layout_.outlet_shift]);
    }
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
