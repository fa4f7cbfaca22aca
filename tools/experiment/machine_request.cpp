#include "tools/experiment/machine_request.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "simulator/collectives/recursive_doubling.hpp"

namespace warpfront::tools {

namespace {

/// Every pair of ranks that a channel of the program or a step of its allreduce joins.
void visit_pairs(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    visit_channels(program, visit);
    if (!program::has_allreduce(program)) return;
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    const collectives::RecursiveDoubling butterfly(ranks);
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t step = 0; step < butterfly.steps(); ++step) {
            if (const std::optional<Rank> partner = butterfly.step({rank}, step).send_to) visit({rank}, *partner);
        }
    }
}

/// The sizes of all messages, each once, descending.
std::vector<Bytes> sizes_of(const program::Program& program) {
    std::set<std::int64_t> sizes;
    for (const program::RankClass& rank_class : program.classes) {
        for (const program::Instruction& step : rank_class.code) {
            if (program::is_send(step.op) || step.op == program::Op::allreduce) sizes.insert(step.amount);
        }
    }
    std::vector<Bytes> descending;
    for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) descending.push_back({*size});
    return descending;
}

}  // namespace

machine::MachineRequest machine_request(const scenario::Scenario& scenario, const program::Program* program) {
    machine::MachineRequest request;
    request.hardware_file = scenario.platform;
    request.mentioned_at = scenario.platform_range;
    request.overrides = scenario.overrides;
    request.grid = scenario.bindings.grid;
    request.grid_range = scenario.grid_range;
    request.patch = scenario.patch;
    request.patch_range = scenario.patch_range;
    request.placement = scenario.placement.request;
    request.pairs = [program](const std::function<void(Rank, Rank)>& visit) {
        if (program != nullptr) visit_pairs(*program, visit);
    };
    if (program != nullptr) request.sizes = sizes_of(*program);
    return request;
}

void visit_channels(const program::Program& program, const std::function<void(Rank, Rank)>& visit) {
    const auto ranks = static_cast<std::uint32_t>(program.class_of.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        for (const program::Channel& send_endpoint : program.of({rank}).send_endpoints) {
            visit({rank}, {static_cast<std::uint32_t>(std::int64_t{rank} + send_endpoint.delta)});
        }
    }
}

}  // namespace warpfront::tools
