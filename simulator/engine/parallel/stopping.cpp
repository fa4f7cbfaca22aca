// What ends a run before its ranks are done: a deadlock, or queues that take more memory than they may.
#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "simulator/engine/blocked.hpp"
#include "simulator/engine/parallel/simulation.hpp"

namespace warpfront::engine {

void Simulation::stop_if_deadlocked() const {
    std::uint32_t done = 0;
    for (const auto& region : regions_) done += region->stepper.done();
    if (done < layout_.ranks) throw Deadlock(blocked_ranks(program_, layout_, state_, skipped_.time));
}

/// No thread steps any more.
void Simulation::stop_for_memory() {
    std::unordered_map<std::uint32_t, std::uint64_t> between_nodes;
    for (const auto& region : regions_) region->count_messages(between_nodes);
    MemoryExhausted::Found found{};
    found.limit = options_.queue_memory;
    std::uint32_t most = 0;
    for (std::uint32_t inlet = 0; inlet < layout_.inlets(); ++inlet) {
        Backlog& backlog = regions_[region_of_[layout_.node_of[layout_.rank_of_inlet(inlet)]]]->stepper.backlog();
        const auto sent = between_nodes.find(inlet);
        const std::uint64_t queued = backlog.count(inlet) + (sent == between_nodes.end() ? 0 : sent->second);
        if (queued > found.queued) std::tie(found.queued, most) = std::pair(queued, inlet);
    }
    const std::uint32_t outlet = state_.inlets[most].outlet;
    found.from = {layout_.rank_of_outlet(outlet)};
    found.to = {layout_.rank_of_inlet(most)};
    if (outlet < layout_.first_collective_outlet) {
        const std::uint32_t place = layout_.outlet_numbers.place_of(outlet);
        found.tag = program_.of(found.from).outlets[place].tag;
        found.site = layout_.first_send(program_.class_of[found.from.index], place).site;
    }
    found.simulated = skipped_.time + WideTime{Wide{std::max(granted_until_, iterations_.last_end())}};
    found.iterations = iterations_.durations();
    throw MemoryExhausted(std::move(found));
}

}  // namespace warpfront::engine
