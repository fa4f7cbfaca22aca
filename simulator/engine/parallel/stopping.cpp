// What ends a run before its ranks are done: a deadlock, or queues that take more memory than they may.
#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "simulator/engine/blocked.hpp"
#include "simulator/engine/parallel/simulation.hpp"

namespace warpfront::engine {

void Simulation::stop_if_deadlocked() {
    std::int64_t done = 0;
    for (const auto& partition : partitions_) done += partition->interpreter.done();
    if (done == layout_.ranks) return;
    const auto partners_of = [this](std::uint32_t rank) {
        return partition_of(layout_.node_of[rank]).protocol.partners_of(rank);
    };
    throw Deadlock(blocked_ranks(program_, layout_, state_, skipped_.time, partners_of));
}

/// No thread steps any more.
void Simulation::stop_for_memory() {
    MemoryExhausted::Found found{};
    found.limit = options_.queue_memory;
    const std::uint32_t longest = longest_queue(found.queued);
    const std::uint32_t send_endpoint = state_.receive_endpoints[longest].send_endpoint;
    found.from = {layout_.rank_of_send_endpoint(send_endpoint)};
    found.to = {layout_.rank_of_receive_endpoint(longest)};
    if (send_endpoint < layout_.first_collective_send_endpoint) {
        const std::uint32_t place = layout_.send_endpoint_numbers.place_of(send_endpoint);
        found.tag = program_.of(found.from).send_endpoints[place].tag;
        found.site = layout_.first_send(program_.class_of[found.from.index], place).site;
    }
    found.simulated = skipped_.time + WideTime{Wide{std::max(granted_until_, iterations_.last_end())}};
    found.iterations = iterations_.durations();
    throw MemoryExhausted(std::move(found));
}

/// The receive endpoint with most messages, the first where several have as many; `queued` receives their number.
std::uint32_t Simulation::longest_queue(std::uint64_t& queued) {
    std::unordered_map<std::uint32_t, std::uint64_t> between_nodes;
    for (const auto& partition : partitions_) partition->count_messages(between_nodes);
    std::uint32_t longest = 0;
    queued = 0;
    for (std::uint32_t receive_endpoint = 0; receive_endpoint < layout_.receive_endpoints(); ++receive_endpoint) {
        const std::uint32_t node = layout_.node_of[layout_.rank_of_receive_endpoint(receive_endpoint)];
        Backlog& backlog = partition_of(node).context.backlog;
        const auto sent = between_nodes.find(receive_endpoint);
        const std::uint64_t here = backlog.count(receive_endpoint) + (sent == between_nodes.end() ? 0 : sent->second);
        if (here > queued) std::tie(queued, longest) = std::pair(here, receive_endpoint);
    }
    return longest;
}

}  // namespace warpfront::engine
