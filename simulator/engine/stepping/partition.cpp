#include "simulator/engine/stepping/partition.hpp"

#include <algorithm>

namespace warpfront::engine {

Partition::Partition(const Layout& layout, State& state, const variation::ComputeTime* compute_time,
                     unsigned window_shift)
    : context(layout, state),
      protocol(context),
      interpreter(context, protocol, compute_time),
      ahead_(layout, state),
      window_shift_(window_shift) {}

void Partition::run_until_quiescent(std::uint64_t most) {
    interpreter.run_until_quiescent(most);
    schedule();
}

void Partition::schedule() {
    for (const ResourceRequest& timed : context.requests) wheel_.push(window_of(timed.time), timed.node);
    context.requests.clear();
}

void Partition::serve(std::uint64_t window, std::int64_t limit) {
    know_until(limit);
    nodes_.clear();
    wheel_.take(window, nodes_);
    ahead_.begin(nodes_, limit);
    for (std::size_t index = 0; index < nodes_.size(); ++index) {
        ahead_.fetch(index);
        interpreter.serve_node(nodes_[index], limit);
        for (const ResourceRequest& timed : context.requests) {
            const std::uint64_t later = window_of(timed.time);
            if (later != window) wheel_.push(later, timed.node);  // else granted already, or beyond `limit`
        }
        context.requests.clear();
    }
    const bool goes_on = window_of(limit - 1) == window_of(limit);  // the rest of the window is still to come
    for (std::size_t k = 0; goes_on && k < nodes_.size(); ++k) wheel_.push(window, nodes_[k]);
}

std::uint64_t Partition::next_window() const {
    const std::int64_t effect = context.soonest_effect;
    return std::min(wheel_.first(), effect < kHorizon.ps ? window_of(effect) : kNoWindow);
}

void Partition::close_round() {
    sent_.resize(context.remote_events.size());
    for (auto& box : sent_) box.clear();
    sent_.swap(context.remote_events);
}

bool Partition::has_sent() const {
    return std::any_of(sent_.begin(), sent_.end(), [](const auto& box) { return !box.empty(); });
}

std::size_t Partition::work(std::uint64_t window) const {
    std::size_t sum = wheel_.count(window);
    for (const auto& box : sent_) sum += box.size();
    return sum;
}

void Partition::count_messages(std::unordered_map<ReceiveEndpointId, std::uint64_t, IdHash>& sum) {
    for (const auto* const boxes : {&sent_, &context.remote_events}) {
        for (const std::vector<RemoteEvent>& box : *boxes) {
            for (const RemoteEvent& event : box) {
                if (event.kind == RemoteEvent::data) ++sum[event.receive_endpoint()];
            }
        }
    }
}

std::uint64_t Partition::bytes() const {
    std::uint64_t sum =
        context.bytes() + protocol.bytes() + interpreter.bytes() + wheel_.bytes() + nodes_.capacity() * sizeof(Node);
    for (const auto& box : sent_) sum += box.capacity() * sizeof(RemoteEvent);
    return sum;
}

}  // namespace warpfront::engine
