#include "simulator/reference/simulate.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/simgrid/actors.hpp"
#include "simulator/simgrid/s4u.hpp"

namespace warpfront::reference {

namespace {

namespace s4u = simgrid::s4u;

Simulated simulate(const program::Program& program, const machine::Machine& machine, const ChannelMap& channel_map,
                   const variation::ComputeTime& compute_time) {
    std::optional<SimulationContext> context;  // outlives the engine, which ends actors that still wait
    std::vector<RankActor> actors;
    char name[] = "warpfront";
    char* arguments[] = {name, nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments);
    for (const char* setting :
         {"network/model:CM02", "network/crosstraffic:0", "network/weight-S:0", "network/TCP-gamma:1e15",
          "surf/precision:1e-13", "contexts/stack-size:64", "contexts/guard-size:0"}) {
        s4u::Engine::set_config(setting);
    }
    context.emplace(program, machine, channel_map, compute_time);
    actors.reserve(channel_map.ranks());
    std::vector<s4u::ActorPtr> by_rank;
    for (std::uint32_t rank = 0; rank < channel_map.ranks(); ++rank) {
        RankActor& actor = actors.emplace_back(*context, Rank{rank});
        s4u::Host* host = context->flows.host(channel_map.port_of({rank}));
        by_rank.push_back(s4u::Actor::create(fmt::format("rank-{}", rank), host, [&actor] { actor.run(); }));
    }
    for (std::uint32_t each = 0; each < channel_map.receive_endpoints(); ++each) {
        // otherwise a message would start only when it is received
        s4u::Mailbox* mailbox = context->receive_endpoints[each].mailbox;
        if (mailbox != nullptr) mailbox->set_receiver(by_rank[channel_map.receiver(each).index]);
    }
    engine.run();
    return {std::move(context->results), std::move(context->iteration_ends), context->overflow,
            std::move(context->cost_overflow)};
}

}  // namespace

}  // namespace warpfront::reference

void warpfront_simgrid_simulate(const warpfront::program::Program& program, const warpfront::machine::Machine& machine,
                                const warpfront::reference::ChannelMap& channel_map,
                                const warpfront::variation::ComputeTime& compute_time,
                                warpfront::reference::Simulated& result) {
    result = warpfront::reference::simulate(program, machine, channel_map, compute_time);
}
