#include "tools/program/checking/checking.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/machine/placement/cores.hpp"
#include "simulator/machine/wires.hpp"

namespace warpfront::tools {

namespace {

using machine::Bisection;

void add(std::string& text, std::string_view name, const std::string& what) {
    text += fmt::format("{:<16}{}\n", name, what);
}

std::string as_text(const machine::Processor& processor) {
    const std::string name = processor.name.empty() ? "" : processor.name + ", ";
    return fmt::format("{}{:.6g} Mflop/s", name, processor.speed.per_second / 1e6);
}

std::string as_text(const Bisection& bisection) {
    constexpr std::array<std::string_view, 3> kinds{"", "at least ", "at most "};
    return fmt::format("{}{}{}", kinds[static_cast<std::size_t>(bisection.kind)], machine::as_text(bisection.bandwidth),
                       bisection.both_ways ? ", both ways together" : " each way");
}

std::string as_text_of_links(const machine::TopologyMetrics& metrics) {
    if (metrics.parallel == 1) return fmt::format("{}", metrics.links);
    return fmt::format("{}: {} in parallel for each of {}", metrics.links, metrics.parallel,
                       metrics.links / metrics.parallel);
}

/// Adds the parts of a node, if there are several, and the resources that its cores share.
void add_node(std::string& text, const machine::Machine& machine) {
    std::vector<std::string> parts;
    const auto some = [&](std::uint32_t count, std::string_view what) {
        if (count > 1) parts.push_back(fmt::format("{} of `{}`", count, what));
    };
    for (const machine::NodeParts& kind : machine.parts) some(kind.count, kind.name);
    if (machine.bus) some(machine.bus->count, "bus");
    if (machine.nic) some(machine.nic->count, "nic");
    if (machine.memory) some(machine.memory->count, "memory");
    if (!parts.empty()) add(text, "node", fmt::format("{}", fmt::join(parts, ", ")));
}

/// Formats numbers in the notation of `node.cores`: consecutive numbers as a range and, with `with_steps`, equidistant
/// numbers as a range with a step. Shows at most `most` items, followed by `...` if there are more.
std::string list_of(const std::vector<std::uint32_t>& cores, std::size_t most, bool with_steps = false) {
    std::vector<std::string> items;
    for (std::size_t at = 0; at < cores.size();) {
        const bool grows = with_steps && at + 1 < cores.size() && cores[at + 1] > cores[at];
        const std::uint32_t step = grows ? cores[at + 1] - cores[at] : 1;
        std::size_t end = at + 1;
        while (end < cores.size() && cores[end] == cores[end - 1] + step) ++end;
        if (end - at < 3) end = at + 1;
        items.push_back(end == at + 1 ? fmt::format("{}", cores[at])
                                      : fmt::format("{}..{}", cores[at], cores[end - 1]));
        if (end > at + 1 && step > 1) items.back() += fmt::format("..{}", step);
        at = end;
    }
    if (items.size() > most) {
        items.resize(most);
        items.emplace_back("...");
    }
    return fmt::format("[{}]", fmt::join(items, ", "));
}

/// Adds the order in which `node.fill: spread` gives cores to the ranks of a node, if it differs from that of `pack`.
void add_spread(std::string& text, const machine::Machine& machine) {
    constexpr std::uint32_t kShown = 16;
    const std::uint32_t ranks = std::min(machine.cores, kShown + 1);
    const std::vector<std::uint32_t> order = machine::spread_order(node_cores(machine), ranks);
    if (std::ranges::is_sorted(order)) return;
    add(text, "spread", fmt::format("ranks use cores in the order {}", list_of(order, kShown)));
}

/// Adds the ranks of each node, with its host and their cores, if the ranks have no patch.
void add_seats(std::string& text, const machine::Placement& placement) {
    constexpr std::uint32_t kShown = 16;
    constexpr std::size_t kItems = 16;
    std::vector<std::vector<std::uint32_t>> ranks(placement.nodes()), cores(placement.nodes());
    for (std::uint32_t rank = 0; rank < placement.seats.size(); ++rank) {
        const machine::Seat& seat = placement.seats[rank];
        if (seat.node.index >= kShown) continue;
        ranks[seat.node.index].push_back(rank);
        cores[seat.node.index].push_back(seat.core);
    }
    for (std::uint32_t node = 0; node < std::min(placement.nodes(), kShown); ++node) {
        add(text, fmt::format("host {}", placement.host_of[node].index),
            fmt::format("ranks {} on cores {}", list_of(ranks[node], kItems, true),
                        list_of(cores[node], kItems, true)));
    }
    if (placement.nodes() > kShown) add(text, "...", fmt::format("{} more nodes", placement.nodes() - kShown));
}

/// Adds the cores of the ranks of a node.
void add_cores(std::string& text, const machine::Placement& placement) {
    constexpr std::size_t kShown = 64;
    std::vector<std::uint32_t> cores;
    for (std::uint32_t place = 0; place < placement.patch.ranks(); ++place) {
        cores.push_back(placement.core_of_place(place));
    }
    add(text, "cores", fmt::format("of the {} ranks of a node: {}", as_text(placement.patch), list_of(cores, kShown)));
}

/// Adds the number of links from a node into its network, and the cabling of its NICs.
void add_cables(std::string& text, const machine::Machine& machine) {
    const std::optional<machine::HostCables> cables = machine::host_cables(machine);
    if (!cables) return;
    const machine::Cabling& cabling = machine.routes.cabling;
    std::string nics = machine.nics() > 1 ? fmt::format(", shared by {} NICs", machine.nics()) : "";
    if (cabling.cables > 1) nics = cabling.rails ? ", a plane for each NIC" : ", one plane for all NICs";
    add(text, "cables",
        fmt::format("{} per node{}, {} together", cables->count, nics, machine::as_text(cables->together)));
}

/// Formats a row as in a hardware file.
std::string as_text(const machine::ProfileRow& row) {
    const bool eager = row.protocol == machine::Protocol::eager;
    std::string text = row.up_to ? fmt::format("up_to: {}B, ", row.up_to->count) : "";
    text += fmt::format("protocol: {}", eager ? "eager" : "rendezvous");
    const auto time = [&](std::string_view key, Time cost) {
        text += fmt::format(", {}: {:.12g}us", key, static_cast<double>(cost.ps) / 1e6);
    };
    const auto gap = [&](std::string_view key, Gap cost) {
        if (!(cost == Gap{})) text += fmt::format(", {}: {:.9g}ns/B", key, cost.seconds_per_byte * 1e9);
    };
    time("o_send", row.o_send);
    gap("G_send", row.G_send);
    time("o_recv", row.o_recv);
    gap("G_recv", row.G_recv);
    time("L", row.L);
    if (row.o_ack > Time{}) time("o_ack", row.o_ack);
    gap("G", row.G);
    if (row.sender_goes_on == machine::SenderGoesOn::received) text += ", sender_goes_on: received";
    if (row.holds_links) text += ", holds: [links]";
    text = fmt::format("- {{{}}}", text);
    if (row.latency_factor)
        text += fmt::format("  # plus {:.6g} times the latency of each further link", *row.latency_factor);
    return text;
}

/// Adds the costs between nodes, if they are not in the hardware file.
void add_costs(std::string& text, const machine::Machine& machine) {
    if (!machine.like_smpi) return;
    add(text, "costs", fmt::format("as SMPI's: links_in_L: {}, layers: network:", machine.routes.links_in_L));
    for (const machine::ProfileRow& row : machine.profile(machine.network())) text += as_text(row) + "\n";
}

void add_ranks(std::string& text, const machine::Machine& machine, const machine::Distances& distances) {
    add(text, "ranks", fmt::format("{} on {} nodes", machine.placement.grid.ranks(), machine.placement.nodes()));
    if (!machine.placement.seats.empty()) {
        add_seats(text, machine.placement);
    } else if (machine.cores > 1) {
        add_cores(text, machine.placement);
    }
    if (distances.pairs == 0) return;
    const double apart = static_cast<double>(distances.links) / static_cast<double>(distances.pairs);
    add(text, "neighbours",
        fmt::format("{:.2f} links apart on average, {} at most, of {} pairs on other nodes", apart, distances.longest,
                    distances.pairs));
}

}  // namespace

std::string description(const machine::Machine& machine, const std::optional<machine::Distances>& distances,
                        const std::vector<std::string>& notes) {
    const machine::TopologyMetrics metrics = machine::topology_metrics(machine);
    std::string text;
    add(text, "machine", machine.name);
    constexpr std::array<std::string_view, 3> routings{"", ", Valiant routing", ", adaptive routing"};
    add(text, "network", metrics.shape + std::string(routings[static_cast<std::size_t>(machine.routes.routing)]));
    add(text, "nodes", fmt::format("{} of {} cores", machine.hosts, machine.cores));
    add_node(text, machine);
    if (!distances) add_spread(text, machine);
    if (machine.processor) add(text, "processor", as_text(*machine.processor));
    add_cables(text, machine);
    add(text, "links", as_text_of_links(metrics));
    if (metrics.diameter) add(text, "diameter", fmt::format("{} links", *metrics.diameter));
    if (metrics.bisection) add(text, "bisection", as_text(*metrics.bisection));
    add_costs(text, machine);
    if (distances) add_ranks(text, machine, *distances);
    for (const std::string& note : notes) add(text, "note", note);
    return text;
}

}  // namespace warpfront::tools
