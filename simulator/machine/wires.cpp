#include "simulator/machine/wires.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpfront::machine {

namespace {

constexpr double kRounding = 1e-9;  // tolerance for a bandwidth that is computed as the inverse of a time per byte
constexpr std::size_t kMostNamed = 3;

/// Returns the time per byte of a row without its slowest wire.
Gap table_gap(const ProfileRow& row) {
    return row.packet.size ? std::max({row.G_send, row.G, row.G_recv})
                           : Gap{row.G_send.seconds_per_byte + row.G.seconds_per_byte + row.G_recv.seconds_per_byte};
}

std::string rate_of(Gap gap) { return as_text(Bandwidth{1.0 / gap.seconds_per_byte}); }

Wire slower(const Wire& wire, const Wire& other) { return other.gap > wire.gap ? other : wire; }

Wire wire_of(const Machine& machine, LinkId link) { return {Wire::Kind::link, link, machine.routes.gap(link)}; }

Wire wire_of(const LinksOfKind& links) {
    constexpr Wire::Kind kKinds[] = {Wire::Kind::all_links, Wire::Kind::limiters, Wire::Kind::backbone};
    return {kKinds[static_cast<std::size_t>(links.kind)], {}, links.gap};
}

/// Returns the slowest wire of a route: its slowest link or one of the NICs.
Wire with_nics(const Machine& machine, const std::optional<Wire>& of_links) {
    const NicWires nics = nic_wires(machine);
    Wire slowest{Wire::Kind::injection, {}, nics.injection};
    if (of_links) slowest = slower(slowest, *of_links);
    return slower(slowest, {Wire::Kind::ejection, {}, nics.ejection});
}

using WireVisitor = std::function<void(const Wire&)>;

/// Calls `visit` with the slowest wire of each pair of ranks on different nodes. If all pairs have the same wire, calls
/// it once.
void visit_wires(const PairVisitor& pairs, const Machine& machine, const WireVisitor& visit) {
    std::optional<Wire> same;
    if (const auto links = machine.routes.slowest_of_every_route()) same = with_nics(machine, wire_of(*links));
    bool some = false;
    pairs([&](Rank from, Rank to) {
        if ((same && some) || machine.locality(from, to) != machine.network()) return;
        some = true;
        visit(same ? *same : slowest_wire(machine, from, to));
    });
}

void visit_links(const DragonflyRoutes& it, const WireVisitor& visit) {
    visit({Wire::Kind::local, {}, it.local});
    if (it.blades > 1) visit({Wire::Kind::green, {}, it.green});
    if (it.chassis > 1) visit({Wire::Kind::black, {}, it.black});
    if (it.groups > 1) visit({Wire::Kind::blue, {}, it.blue});
    if (it.limiter) visit({Wire::Kind::limiters, {}, *it.limiter});
}

void visit_all_wires(const Machine& machine, const WireVisitor& visit) {
    if (const auto links = machine.routes.slowest_of_every_route()) return visit(with_nics(machine, wire_of(*links)));
    visit(with_nics(machine, std::nullopt));
    if (const auto* dragonfly = std::get_if<DragonflyRoutes>(&machine.routes.zone)) {
        return visit_links(*dragonfly, visit);
    }
    for (std::uint32_t link = 0; link < machine.routes.link_count(); ++link) visit(wire_of(machine, {link}));
}

/// Returns the fastest row of the network for messages of `sizes`, or of all its rows if there are no sizes.
const ProfileRow* fastest_row(const Machine& machine, const std::vector<Bytes>& sizes) {
    const Profile& rows = machine.profile(machine.network());
    const ProfileRow* fastest = nullptr;
    const auto take = [&](const ProfileRow& row) {
        if (row.up_to == Bytes{0}) return;
        if (fastest == nullptr || table_gap(row) < table_gap(*fastest)) fastest = &row;
    };
    if (rows.empty()) return nullptr;
    if (sizes.empty()) std::ranges::for_each(rows, take);
    for (const Bytes size : sizes) take(row_for(rows, size));
    return fastest;
}

/// Formats a note such as "link `a`, link `b` and 7 more carry 500 MB/s each, less than THAN: they limit the messages
/// that cross them".
std::string note_on(const Machine& machine, const std::vector<Wire>& equal, const std::string& than) {
    const std::string rate = rate_of(equal.front().gap);
    if (equal.size() == 1) {
        return fmt::format("{} carries {}, less than {}: it limits the messages that cross it",
                           wire_name(machine, equal.front()), rate, than);
    }
    std::vector<std::string> names;
    for (const Wire& wire : equal) {
        if (names.size() < kMostNamed) names.push_back(wire_name(machine, wire));
    }
    const std::size_t others = equal.size() - names.size();
    return fmt::format("{}{} carry {} each, less than {}: they limit the messages that cross them",
                       fmt::join(names, ", "), others > 0 ? fmt::format(" and {} more", others) : "", rate, than);
}

void note_slow_wires(const std::set<Wire>& slow, const ProfileRow& row, Machine& machine) {
    std::map<Gap, std::vector<Wire>, std::greater<>> by_gap;
    for (const Wire& wire : slow) by_gap[wire.gap].push_back(wire);
    const std::string than = table_gap(row) == Gap{}
                                 ? "`layers.network`, whose bytes take no time"
                                 : fmt::format("the {} of `layers.network`", rate_of(table_gap(row)));
    for (const auto& [gap, equal] : by_gap) machine.notes.push_back(note_on(machine, equal, than));
}

}  // namespace

NicWires nic_wires(const Machine& machine) {
    return machine.nic ? NicWires{machine.nic->injection, machine.nic->ejection} : machine.nic_wires;
}

Wire slowest_wire(const Machine& machine, Rank from, Rank to) {
    if (const auto links = machine.routes.slowest_of_every_route()) return with_nics(machine, wire_of(*links));
    const auto link = machine.routes.slowest_link(machine.nic_of(from), machine.nic_of(to));
    return with_nics(machine, link ? std::optional(wire_of(machine, *link)) : std::nullopt);
}

std::string wire_name(const Machine& machine, const Wire& wire) {
    switch (wire.kind) {
        case Wire::Kind::injection: return "injection at each NIC";
        case Wire::Kind::ejection: return "ejection at each NIC";
        case Wire::Kind::link: return fmt::format("link `{}`", link_name(machine.routes, wire.link));
        case Wire::Kind::all_links: return "each link of the network";
        case Wire::Kind::limiters: return "each limiter";
        case Wire::Kind::backbone: return "the backbone";
        case Wire::Kind::local: return "each link of a host";
        case Wire::Kind::green: return "each green link";
        case Wire::Kind::black: return "each black link";
        case Wire::Kind::blue: return "each blue link";
    }
    return {};
}

std::string as_text(Bandwidth bandwidth) {
    constexpr std::array<std::string_view, 6> kUnits{"B/s", "kB/s", "MB/s", "GB/s", "TB/s", "PB/s"};
    double value = bandwidth.bytes_per_second;
    std::size_t unit = 0;
    for (; value >= 999.9995 && unit + 1 < kUnits.size(); ++unit) value /= 1000.0;  // six digits would be `1000`
    return fmt::format("{:.6g} {}", value, kUnits[unit]);
}

bool limits(const Wire& wire, const ProfileRow& row) {
    return wire.gap.seconds_per_byte > table_gap(row).seconds_per_byte * (1.0 + kRounding);
}

void limit_by_wires(const PairVisitor& pairs, const std::vector<Bytes>& sizes, Machine& machine) {
    const ProfileRow* const row = fastest_row(machine, sizes);
    std::set<Wire> slow;
    std::optional<Gap> fastest;
    const auto take = [&](const Wire& wire) {
        fastest = std::min(fastest.value_or(wire.gap), wire.gap);
        machine.slowest_wire = slower(machine.slowest_wire, wire);
        if (row != nullptr && limits(wire, *row)) slow.insert(wire);
    };
    const auto links = machine.routes.slowest_of_every_route();
    if (links && (row == nullptr || !limits(with_nics(machine, wire_of(*links)), *row))) {
        take(with_nics(machine, wire_of(*links)));  // all pairs have this wire, so they are not visited
    } else if (pairs) {
        visit_wires(pairs, machine, take);
    } else {
        visit_all_wires(machine, take);
    }
    machine.wires_differ = fastest && *fastest < machine.slowest_wire.gap;
    if (!slow.empty()) note_slow_wires(slow, *row, machine);
    for (ProfileRow& each : machine.profiles[machine.network().index]) each.wire = machine.slowest_wire.gap;
}

}  // namespace warpfront::machine
