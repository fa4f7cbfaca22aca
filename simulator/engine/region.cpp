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
            if (later != window) wheel_.push(later, timed.node);  // of this window: granted already, or beyond `limit`
        }
        stepper.timed().clear();
    }
    if (window_of(limit - 1) == window_of(limit)) {  // the rest of the window is still to come
        for (const std::uint32_t node : nodes_) wheel_.push(window, node);
    }
}

/// Brings the nodes that come next into the cache: first their desks, then who asks there, then what that rank is made
/// of. More would take longer to fetch than it saves.
void Region::prefetch(std::size_t index, std::int64_t limit) const {
    constexpr std::size_t kDesk = 12;
    constexpr std::size_t kLine = 8;
    constexpr std::size_t kChannels = 4;
    if (index + kDesk < nodes_.size()) {
        const std::uint32_t node = nodes_[index + kDesk];
        __builtin_prefetch(&layout_.ranks_on[std::size_t{node} * layout_.cores]);
        __builtin_prefetch(&state_.servers[layout_.desk_of(node)]);
    }
    if (index + kLine < nodes_.size()) prefetch_lines(nodes_[index + kLine], limit);
    if (index + kChannels >= nodes_.size()) return;
    const std::uint32_t rank = stepper.first_to_ask(nodes_[index + kChannels], limit);
    if (rank == kNone) return;
    __builtin_prefetch(&state_.inlets[std::size_t{rank} << layout_.inlet_shift]);
    __builtin_prefetch(&state_.outlets[std::size_t{rank} << layout_.outlet_shift]);
}

void Region::prefetch_lines(std::uint32_t node, std::int64_t limit) const {
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
