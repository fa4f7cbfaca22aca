#include "simulator/engine/parallel/partition.hpp"

#include <algorithm>

namespace warpfront::engine {

Region::Region(const Layout& layout, State& state, const ComputeTime* compute_time, unsigned window_shift)
    : stepper(layout, state, compute_time), ahead_(layout, state), window_shift_(window_shift) {}

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
    ahead_.begin(nodes_, limit);
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        ahead_.fetch(index);
        stepper.serve_node(nodes_[index], limit);
        for (const Timed& timed : stepper.timed()) {
            const std::uint64_t later = window_of(timed.time);
            if (later != window) wheel_.push(later, timed.node);  // else granted already, or beyond `limit`
        }
        stepper.timed().clear();
    }
    if (window_of(limit - 1) == window_of(limit)) {  // the rest of the window is still to come
        for (const std::uint32_t node : nodes_) wheel_.push(window, node);
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

void Region::count_messages(std::unordered_map<std::uint32_t, std::uint64_t>& sum) {
    for (const auto* const boxes : {&sent_, &stepper.signals()}) {
        for (const std::vector<Signal>& box : *boxes) {
            for (const Signal& signal : box) sum[signal.target] += signal.kind == Signal::data ? 1 : 0;
        }
    }
}

std::uint64_t Region::bytes() const {
    std::uint64_t sum = stepper.bytes() + wheel_.bytes() + nodes_.capacity() * sizeof(std::uint32_t);
    for (const auto& box : sent_) sum += box.capacity() * sizeof(Signal);
    return sum;
}

}  // namespace warpfront::engine
