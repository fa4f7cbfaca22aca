#include "simulator/engine/parallel/partition.hpp"

#include <algorithm>

namespace warpfront::engine {

std::uint64_t Partition::next_window() const {
    const std::int64_t effect = context.soonest_effect;
    return std::min(context.agenda.first(), effect < kHorizon.ps ? context.agenda.window_of(effect) : kNoWindow);
}

void Partition::close_phase() {
    sent_.resize(context.remote_events.size());
    for (auto& box : sent_) box.clear();
    sent_.swap(context.remote_events);
}

bool Partition::has_sent() const {
    return std::any_of(sent_.begin(), sent_.end(), [](const auto& box) { return !box.empty(); });
}

std::size_t Partition::work(std::uint64_t window) const {
    std::size_t sum = context.agenda.count(window);
    for (const auto& box : sent_) sum += box.size();
    return sum;
}

void Partition::count_messages(std::unordered_map<std::uint32_t, std::uint64_t>& sum) {
    for (const auto* const boxes : {&sent_, &context.remote_events}) {
        for (const std::vector<RemoteEvent>& box : *boxes) {
            for (const RemoteEvent& event : box) sum[event.target] += event.kind == RemoteEvent::data ? 1 : 0;
        }
    }
}

std::uint64_t Partition::bytes() const {
    std::uint64_t sum = context.bytes() + ranks->bytes();
    for (const auto& box : sent_) sum += box.capacity() * sizeof(RemoteEvent);
    return sum;
}

}  // namespace warpfront::engine
