#include "simulator/reference/simulate.hpp"

#include <utility>

#include <fmt/format.h>

#include "simulator/simgrid/s4u.hpp"
#include "simulator/reference/actors.hpp"

namespace warpfront::reference {

namespace s4u = simgrid::s4u;

Played play(const program::Program& program, const machine::Machine& machine, const Wiring& wiring) {
    char name[] = "warpfront";
    char* arguments[] = {name, nullptr};
    int count = 1;
    s4u::Engine engine(&count, arguments);
    for (const char* setting : {"network/model:CM02", "network/crosstraffic:0", "network/weight-S:0",
                                "network/TCP-gamma:1e15", "surf/precision:1e-13", "contexts/stack-size:64",
                                "contexts/guard-size:0"}) {
        s4u::Engine::set_config(setting);
    }
    Stage stage(program, machine, wiring);
    std::vector<RankActor> actors;
    actors.reserve(wiring.ranks());
    std::vector<s4u::ActorPtr> by_rank;
    for (std::uint32_t rank = 0; rank < wiring.ranks(); ++rank) {
        RankActor& actor = actors.emplace_back(stage, Rank{rank});
        s4u::Host* host = stage.flows.host(wiring.port_of({rank}));
        by_rank.push_back(s4u::Actor::create(fmt::format("rank-{}", rank), host, [&actor] { actor.walk(); }));
    }
    for (std::uint32_t inlet = 0; inlet < wiring.inlets(); ++inlet) {
        // or a message would not set out before it is received
        s4u::Mailbox* mailbox = stage.inlets[inlet].mailbox;
        if (mailbox != nullptr) mailbox->set_receiver(by_rank[wiring.receiver(inlet).index]);
    }
    engine.run();
    return {std::move(stage.fates), std::move(stage.iteration_ends), stage.overflow};
}

}  // namespace warpfront::reference
