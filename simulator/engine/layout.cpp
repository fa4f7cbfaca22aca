#include "simulator/engine/layout.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <utility>

namespace warpfront::engine {

namespace {

using program::Op;

constexpr std::uint64_t kMostCosts = std::uint64_t{1} << 24;  // state.hpp: bits of Message::cost

/// Numbers the distinct paths between ranks as they are met: in rank order, so the same for every run.
class PathTable {
public:
    explicit PathTable(const machine::Machine& machine) : machine_(machine) {}

    std::uint32_t between(Rank a, Rank b) {
        const machine::Layer layer = machine_.layer(a, b);
        const Time beyond = layer == machine::Layer::network ? machine_.beyond_L(a, b) : Time{};
        const auto [at, fresh] = numbers_.try_emplace({layer, beyond.ps}, static_cast<std::uint32_t>(paths_.size()));
        if (fresh) paths_.push_back({layer, beyond});
        return at->second;
    }

    struct Path {
        machine::Layer layer;
        Time beyond;
    };
    const std::vector<Path>& paths() const { return paths_; }

private:
    const machine::Machine& machine_;
    std::map<std::pair<machine::Layer, std::int64_t>, std::uint32_t> numbers_;
    std::vector<Path> paths_;
};

/// Copies the classes' code one after another; sizes become indices into the returned list.
std::vector<Bytes> lay_out_code(const program::Program& program, Layout& layout) {
    std::vector<Bytes> sizes;
    const auto size_index = [&](std::int64_t bytes) {
        const std::ptrdiff_t index = std::find(sizes.begin(), sizes.end(), Bytes{bytes}) - sizes.begin();
        if (index == std::ssize(sizes)) sizes.push_back({bytes});
        return std::int64_t{index};
    };
    for (const program::RankClass& rank_class : program.classes) {
        const auto base = static_cast<std::uint32_t>(layout.code.size());
        layout.entry.push_back(base);
        for (program::Instruction step : rank_class.code) {
            if (step.op == Op::loop || step.op == Op::end_loop) step.place += base;
            if (step.op == Op::send || step.op == Op::allreduce) step.amount = size_index(step.amount);
            layout.code.push_back(step);
        }
    }
    return sizes;
}

void lay_out_channels(const program::Program& program, Layout& layout, PathTable& paths) {
    std::uint64_t inlets = 0;
    std::uint64_t outlets = 0;
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const program::RankClass& rank_class = program.of({rank});
        layout.first_inlet.push_back(static_cast<std::uint32_t>(inlets));
        layout.first_outlet.push_back(static_cast<std::uint32_t>(outlets));
        inlets += rank_class.inlets.size();
        outlets += rank_class.outlets.size();
    }
    if (inlets >= kNone || outlets >= kNone) throw std::length_error("the ranks have more channels than the engine can number (2^32)");
    layout.source.reserve(inlets);
    layout.outlets.reserve(outlets);
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        for (const program::Channel& inlet : program.of({rank}).inlets) {
            layout.source.push_back(static_cast<std::uint32_t>(std::int64_t{rank} + inlet.delta));
        }
        for (const program::Channel& outlet : program.of({rank}).outlets) {
            const auto peer = static_cast<std::uint32_t>(std::int64_t{rank} + outlet.delta);
            const auto& at_peer = program.of({peer}).inlets;
            const auto match = std::find(at_peer.begin(), at_peer.end(), program::Channel{-outlet.delta, outlet.tag});
            if (match == at_peer.end()) throw std::logic_error("a send without a receive reached the engine");
            const auto place = static_cast<std::uint32_t>(match - at_peer.begin());
            layout.outlets.push_back({layout.first_inlet[peer] + place, peer, paths.between({rank}, {peer})});
        }
    }
    layout.channels = static_cast<std::uint32_t>(inlets);
}

void lay_out_collectives(Layout& layout, PathTable& paths) {
    const bool any = std::any_of(layout.code.begin(), layout.code.end(),
                                 [](const program::Instruction& step) { return step.op == Op::allreduce; });
    if (!any) return;
    layout.doubling = network::RecursiveDoubling(layout.ranks);
    layout.collective_steps = layout.doubling.steps();
    layout.first_collective = layout.channels;
    const std::uint64_t channels = layout.channels + std::uint64_t{layout.ranks} * layout.collective_steps;
    if (channels >= kNone) throw std::length_error("the ranks have more channels than the engine can number (2^32)");
    layout.channels = static_cast<std::uint32_t>(channels);
    layout.collective_path.reserve(std::size_t{layout.ranks} * layout.collective_steps);
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        for (std::uint32_t step = 0; step < layout.collective_steps; ++step) {
            const auto to = layout.doubling.step({rank}, step).send_to;
            const std::uint32_t path = to ? paths.between({rank}, *to) : 0;
            if (path > std::numeric_limits<std::uint16_t>::max()) throw std::length_error("the routes between ranks differ in more lengths than the engine can number (2^16)");
            layout.collective_path.push_back(static_cast<std::uint16_t>(path));
        }
    }
}

void fold_costs(const machine::Machine& machine, const std::vector<Bytes>& sizes, const PathTable& paths, Layout& layout) {
    layout.paths = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(paths.paths().size()));
    layout.lookahead = kHorizon;
    if (std::uint64_t{sizes.size()} * layout.paths > kMostCosts) {
        throw std::length_error("message sizes and route lengths make more different costs than the engine can number (2^24)");
    }
    for (const Bytes size : sizes) {
        for (const PathTable::Path& path : paths.paths()) {
            const machine::ProfileRow& row = machine::row_for(machine.profile(path.layer), size);
            layout.costs.push_back(network::fold(row, size, path.beyond, machine.bus ? &*machine.bus : nullptr));
            const network::MessageCost& cost = layout.costs.back();
            layout.shares = layout.shares || cost.holds_bus;
            if (path.layer == machine::Layer::network) {
                layout.lookahead = std::min(layout.lookahead, cost.handshake ? cost.request : cost.flight);
            }
        }
    }
}

void lay_out_nodes(const machine::Placement& placement, Layout& layout) {
    layout.cores = placement.patch.ranks();
    layout.ranks_on.assign(std::size_t{placement.nodes()} * layout.cores, kNone);
    for (std::uint32_t rank = 0; rank < layout.ranks; ++rank) {
        const Node node = placement.node_of({rank});
        layout.node_of.push_back(node.index);
        layout.ranks_on[std::size_t{node.index} * layout.cores + placement.core_of({rank})] = rank;
    }
}

template <typename T>
std::uint64_t held(const std::vector<T>& values) {
    return values.capacity() * sizeof(T);
}

}  // namespace

std::uint64_t Layout::bytes() const {
    return held(code) + held(entry) + held(first_outlet) + held(outlets) + held(first_inlet) + held(source) +
           held(collective_path) + held(costs) + held(node_of) + held(ranks_on);
}

Layout lay_out(const program::Program& program, const machine::Machine& machine) {
    Layout layout;
    layout.ranks = static_cast<std::uint32_t>(program.grid.ranks());
    PathTable paths(machine);
    const std::vector<Bytes> sizes = lay_out_code(program, layout);
    lay_out_channels(program, layout, paths);
    lay_out_collectives(layout, paths);
    fold_costs(machine, sizes, paths, layout);
    lay_out_nodes(machine.placement, layout);
    return layout;
}

}  // namespace warpfront::engine
