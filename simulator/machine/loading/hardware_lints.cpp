#include "simulator/machine/loading/steps.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include "simulator/machine/loading/hardware_file.hpp"
#include "simulator/machine/topology_metrics.hpp"

namespace warpfront::machine {

namespace {

constexpr double kRounding = 1e-9;  // tolerance for a bandwidth that is computed as the inverse of a time per byte

class HardwareLints {
public:
    HardwareLints(const YamlNode& root, const HardwareFile& file, const IsExamined& is_examined)
        : root_(root), file_(file), is_examined_(is_examined) {}

    std::vector<std::string> run(const Machine& machine) {
        const std::uint32_t cores = machine.cores;
        layers(cores);
        groups();
        if (const YamlNode* links = root_.find("links")) link_keys(*links);
        idle_resources();
        memory(cores);
        processing();
        slow_bus();
        cables(machine);
        cabling();
        if (!machine.like_smpi) link_latency(machine.routes);
        return std::move(notes_);
    }

private:
    /// Notes a layer that no message uses, since each of its units contains one unit of the next inner kind.
    void layers(std::uint32_t cores) {
        const YamlNode& layers = *root_.find("layers");
        NodeParts inner{"core", cores};
        const auto check = [&](const NodeParts& outer) {
            if (inner.count != outer.count) return;
            note(layers.find(outer.name),
                 fmt::format("no message uses this layer: a {} has one {}", outer.name, inner.name));
        };
        for (const Located<NodeParts>& kind : file_.parts) {
            check(kind.value);
            inner = kind.value;
        }
        check({"node", 1});
    }

    /// Notes `groups` if no number of buses, NICs or memories uses it as its default.
    void groups() {
        if (file_.groups.value == 1) {
            note(root_.find("core_order"), "`core_order` has no effect: all cores are one group");
            return;
        }
        for (const std::string_view resource : {"bus", "nic", "memory"}) {
            const YamlNode* described = root_.find(resource);
            if (described != nullptr && described->find("count") == nullptr) return;
        }
        note(root_.find("groups"),
             "`groups` has no effect: none of `bus`, `nic` and `memory` takes its `count` from `groups`");
    }

    void link_keys(const YamlNode& links) {
        if (!file_.links) {
            for (const std::string_view key : {"parallel", "choice", "arbitration"}) {
                note(links.find(key), fmt::format("`{}` has no effect: `links` are not enabled", key));
            }
            if (!some_row_holds("links")) {
                for (const std::string_view key : {"packet", "overhead", "buffers"}) {
                    note(links.find(key),
                         fmt::format("`{}` has no effect: no row of `layers.network` holds `links`", key));
                }
            }
            return;
        }
        if (file_.links->parallel == 1) note(links.find("choice"), "`choice` has no effect: there is no parallel link");
        if (file_.links->arbitration && file_.links->arbitration->overhead == Time{}) {
            note(links.find("arbitration"), "`arbitration` has no effect: its overhead is zero");
        }
        for (const ProfileRow& row : network()) {
            if (!row.packet.buffers || row.packet.full != Time{}) continue;
            return note(links.find("buffers"), "`buffers` have no effect: their overhead is zero");
        }
    }

    /// Notes a bus or a NIC whose service time is zero.
    void idle_resources() {
        if (file_.bus && file_.bus->o_dma == Time{} && file_.bus->G_dma == Gap{}) {
            note(root_.find("bus"), "`bus` delays no message: its service times are zero");
        }
        if (file_.nic && file_.nic->injection == Gap{} && file_.nic->ejection == Gap{} && file_.nic->g == Time{}) {
            note(root_.find("nic"), "`nic` delays no message: its service times are zero");
        }
    }

    /// Notes memory that all its cores together cannot saturate, or that a single core saturates.
    void memory(std::uint32_t cores) {
        if (!file_.memory) return;
        const double one = file_.memory->per_core.bytes_per_second / file_.memory->bandwidth.bytes_per_second;
        if (one > 1.0 + kRounding) {
            note(root_.find("memory"),
                 fmt::format("`per_core` exceeds `bandwidth`: even a core that computes alone takes {:.3g} times as "
                             "long as without `memory`",
                             one));
        }
        const double drawn = file_.memory->per_core.bytes_per_second * (cores / file_.memory->count);
        if (drawn > file_.memory->bandwidth.bytes_per_second) return;
        note(root_.find("memory"),
             "`memory` slows no core: the cores that share the memory cannot exceed its bandwidth, even together");
    }

    /// Notes rows in which `processing` is longer than o_send or o_recv. These contain the processing.
    void processing() {
        for (const Layer& layer : file_.layers) {
            const YamlNode* const rows = root_.find("layers")->find(layer.name);
            for (std::size_t k = 0; rows != nullptr && k < std::min(rows->items.size(), layer.profile.size()); ++k) {
                const ProfileRow& row = layer.profile[k];
                if (!row.processing || *row.processing <= std::min(row.o_send, row.o_recv)) continue;
                note(rows->items[k].find("processing"),
                     "`processing` is longer than `o_send` or `o_recv`, although both contain the time of processing");
            }
        }
    }

    /// Notes rows of the network that occupy a bus that is slower than they are. Their times per byte contain that of
    /// the bus.
    void slow_bus() {
        const YamlNode* const rows = root_.find("layers")->find(file_.layers.back().name);
        if (!file_.bus || rows == nullptr) return;
        for (std::size_t k = 0; k < std::min(rows->items.size(), network().size()); ++k) {
            const ProfileRow& row = network()[k];
            const double whole = row.G.seconds_per_byte + row.G_send.seconds_per_byte + row.G_recv.seconds_per_byte;
            const double of_bus = file_.bus->G_dma.seconds_per_byte;
            if (!row.holds_bus || row.processing || of_bus <= whole * (1 + kRounding)) continue;
            note(rows->items[k].find("G"),
                 "`bus` is slower than this row, whose times per byte contain it: only messages that wait for the bus "
                 "take its time");
        }
    }

    /// Notes NICs that together inject more than the cables of their node can carry.
    void cables(const Machine& machine) {
        const auto holds_both = [](const ProfileRow& row) { return row.holds_nic && row.holds_links; };
        if (!machine.nic || !machine.links || machine.nic->injection == Gap{}) return;
        if (std::ranges::none_of(network(), holds_both)) return;
        const std::optional<HostCables> host = host_cables(machine);
        const double injected = machine.nic->count / machine.nic->injection.seconds_per_byte;
        if (!host || injected <= host->together.bytes_per_second * (1 + kRounding)) return;
        const std::string text =
            fmt::format("the NICs of a node inject {:.6g} GB/s, but its cables carry only {:.6g} GB/s", injected / 1e9,
                        host->together.bytes_per_second / 1e9);
        for (const std::string_view key : {"nic", "topology", "platform", "links"}) {
            const YamlNode* described = root_.find(key);
            if (described != nullptr && is_examined_(described->range.source)) return note(described, text);
        }
    }

    void cabling() {
        const YamlNode* topology = root_.find("topology");
        if (topology == nullptr || file_.nics > 1) return;
        note(topology->find("cabling"), "`cabling` has no effect: a node has one NIC");
    }

    /// Notes a latency of links that has no effect, because L contains the latency of every route. This includes routes
    /// of a network that grows by `size: fit`.
    void link_latency(const Routes& routes) {
        const auto is_covered = [&]<class ZoneRoutes>(const ZoneRoutes& zone) {
            if constexpr (std::is_same_v<ZoneRoutes, StarRoutes>) {
                return zone.latency({}, {}) > Time{} && routes.extra_latency(Host{0}, Host{1}) == Time{};
            } else if constexpr (std::is_same_v<ZoneRoutes, TableRoutes>) {
                const auto some = [](const auto& each) { return each.second.latency > Time{}; };
                const auto adds = [&](const auto& each) {
                    return routes.extra_latency(TableRoutes::from(each.first), TableRoutes::to(each.first)) > Time{};
                };
                return std::ranges::any_of(zone.entries, some) && std::ranges::none_of(zone.entries, adds);
            } else {
                return !file_.fit.value && covers(longest_route(routes.zone));
            }
        };
        if (!std::visit(is_covered, routes.zone)) return;
        const YamlNode* const links_in_L = root_.find("links_in_L");
        const YamlNode* const network =
            root_.find("topology") != nullptr ? root_.find("topology") : root_.find("platform");
        note(links_in_L != nullptr ? links_in_L : network,
             "the latency of links has no effect: no route has more links than `links_in_L`, so `L` contains all their "
             "latency");
    }

    bool covers(const LongestRoute& longest) const {
        return longest.link_latency > Time{} && longest.links <= file_.links_in_L;
    }

    const Profile& network() const { return file_.layers.back().profile; }

    /// Returns true if a row lists the resource, even if the resource is disabled.
    bool some_row_holds(std::string_view resource) const {
        const auto lists_it = [&](const YamlNode& row) {
            const YamlNode* holds = row.find("holds");
            return holds != nullptr &&
                   std::ranges::any_of(holds->items, [&](const YamlNode& item) { return item.scalar == resource; });
        };
        const std::vector<YamlNode>& rows = root_.find("layers")->find("network")->items;
        return std::ranges::any_of(rows, lists_it);
    }

    /// Adds a note on a value. Does nothing if the key is absent or its source is not examined.
    void note(const YamlNode* value, std::string_view text) {
        if (value == nullptr || !is_examined_(value->range.source)) return;
        notes_.push_back(fmt::format("{}: {}", input::text_of(value->range), text));
    }

    const YamlNode& root_;
    const HardwareFile& file_;
    const IsExamined& is_examined_;
    std::vector<std::string> notes_;
};

}  // namespace

std::vector<std::string> lints(HardwareTree hardware, const HardwareOverrides& overrides, const Machine& machine,
                               const IsExamined& is_examined) {
    Diagnostics none;
    const HardwareFile file = read_hardware_file(hardware, none, overrides);
    apply_overrides(overrides.tree, hardware.root, none);
    return HardwareLints(hardware.root, file, is_examined).run(machine);
}

}  // namespace warpfront::machine
