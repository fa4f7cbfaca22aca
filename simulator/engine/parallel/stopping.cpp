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
    for (const auto& partition : partitions_) done += partition->interpreter.done();
    if (done < layout_.ranks) throw Deadlock(blocked_ranks(program_, layout_, state_, skipped_.time));
}

/// No thread steps any more.
void Simulation::stop_for_memory() {
    std::unordered_map<std::uint32_t, std::uint64_t> between_nodes;
    for (const auto& partition : partitions_) partition->count_messages(between_nodes);
    MemoryExhausted::Found found{};
    found.limit = options_.queue_memory;
    std::uint32_t most = 0;
    for (std::uint32_t receive_endpoint = 0; receive_endpoint < layout_.receive_endpoints(); ++receive_endpoint) {
        Backlog& backlog =
            partitions_[partition_of_[layout_.node_of[layout_.rank_of_receive_endpoint(receive_endpoint)]]]
                ->context.backlog;
        const auto sent = between_nodes.find(receive_endpoint);
        const std::uint64_t queued = backlog.count(receive_endpoint) + (sent == between_nodes.end() ? 0 : sent->second);
        if (queued > found.queued) std::tie(found.queued, most) = std::pair(queued, receive_endpoint);
    }
    const std::uint32_t send_endpoint = state_.receive_endpoints[most].send_endpoint;
    found.from = {layout_.rank_of_send_endpoint(send_endpoint)};
    found.to = {layout_.rank_of_receive_endpoint(most)};
    if (send_endpoint < layout_.first_collective_send_endpoint) {
        const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
        found.tag = program_.of(found.from).send_endpoints[place].tag;
        found.site = layout_.first_send(program_.class_of[found.from.index], place).site;
    }
    found.simulated = skipped_.time + WideTime{Wide{std::max(granted_until_, iterations_.last_end())}};
    found.iterations = iterations_.durations();
    throw MemoryExhausted(std::move(found));
}

}  // namespace warpfront::engine
