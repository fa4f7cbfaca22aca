#include "tools/from_code/fitting/outputs.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/words.hpp"
#include "simulator/machine/loading/hardware_tree.hpp"
#include "simulator/results/formatting.hpp"

namespace warpfront::tools {

namespace {

constexpr std::size_t kLongestName = 60;
constexpr double kRoundsUp = 0.99995;      // a larger number is 1 if it is rounded to four digits
constexpr double kShortestTime = 0.5e-12;  // shortest time that is rounded to a picosecond

/// The resources that rows occupy in addition to those of the base's rows of a layer.
struct Held {
    bool bus = false;
    bool nic = false;
};

std::string library_of(const BenchmarkTable& table) {
    const std::string_view line = table.source->line_text(1);
    return line.starts_with("# ") && table.format == "benchmark.c"
               ? fmt::format(", {}", input::escaped(line.substr(2), kLongestName))
               : "";
}

std::string file_name(const BenchmarkTable& table) {
    return input::escaped(std::filesystem::path(table.source->name()).filename().string(), kLongestName);
}

/// Formats the text in single quotes of YAML.
std::string yaml_quoted(const std::string& text) {
    std::string quoted = "'";
    for (const char letter : text) quoted += letter == '\'' ? "''" : std::string(1, letter);
    return quoted + "'";
}

void describe_resources(const std::vector<LayerFit>& layers, std::string& text, Held& held) {
    for (const LayerFit& fit : layers) {
        if (!fit.shared) continue;
        const SharedResource& shared = *fit.shared;
        const bool network = fit.layer == "network";
        const std::string pairs = "a stream of " + input::counted(shared.pairs, "pair");
        const std::string fitted = fmt::format("{}, off by {}", pairs, percent_text(shared.deviation));
        if (network) {
            const bool binds = shared.binds_bytes();
            const std::string source = binds ? fitted + "; ejection as injection: assumption"
                                             : "assumption: " + pairs + " does not saturate the NIC; lower bound";
            const bool has_rate = shared.saturated > 0 && shared.hold.intercept >= kShortestTime;
            text += fmt::format(
                "nic: {{enabled: on, count: 1, injection: {0:.5g}GBps, ejection: {0:.5g}GBps{1}}}    # {2}\n",
                (binds ? shared.per_second() : shared.most_per_second) * 1e-9,
                has_rate ? ", g: " + time_text(shared.hold.intercept) : "", source);
            if (has_rate && !binds) text += fmt::format("# g: {}\n", fitted);
            for (const std::string& assumption : assumptions_of(shared)) {
                text += fmt::format("# assumption: {}\n", assumption);
            }
            held.nic = true;
        }
        if (network || shared.saturated == 0 || held.bus) continue;
        text += fmt::format(
            "bus: {{enabled: on, count: 1, o_dma: {}, G_dma: {}}}    # {} within a node; assumption: each message "
            "occupies the bus twice\n",
            time_text(shared.hold.intercept / 2.0), gap_text(shared.hold.slope / 2.0), fitted);
        held.bus = true;
    }
}

/// Returns the resources of the last row of a layer in a hardware file.
std::set<std::string> holds_of(const input::YamlNode* tree, const std::string& layer) {
    std::set<std::string> names;
    const input::YamlNode* const layers = tree == nullptr ? nullptr : tree->find("layers");
    const input::YamlNode* const rows = layers == nullptr ? nullptr : layers->find(layer);
    if (rows == nullptr || rows->items.empty()) return names;
    const input::YamlNode* const holds = rows->items.back().find("holds");
    if (holds == nullptr) return names;
    for (const input::YamlNode& each : holds->items) names.insert(each.scalar);
    return names;
}

std::string holds_text(std::set<std::string> names, const std::string& layer, const Held& held) {
    if (held.bus) names.insert("bus");
    if (held.nic && layer == "network") names.insert("nic");
    if (layer != "network") {
        names.erase("nic");
        names.erase("links");
    }
    std::vector<std::string> ordered;
    for (const char* each : {"bus", "nic", "links"}) {
        if (names.contains(each)) ordered.emplace_back(each);
    }
    return ordered.empty() ? "" : fmt::format(", holds: [{}]", fmt::join(ordered, ", "));
}

std::string row_text(const FittedRow& row, const std::string& holds) {
    std::string text =
        fmt::format("    # {} to {} B: {} sizes, root mean square deviation {}\n", results::grouped(row.from),
                    results::grouped(row.most), row.piece.end - row.piece.first, percent_text(row.piece.deviation));
    for (const std::string& assumption : row.assumptions) text += fmt::format("    # assumption: {}\n", assumption);
    text += "    - {";
    if (row.up_to) text += fmt::format("up_to: {}B, ", *row.up_to);
    text += fmt::format("protocol: {}, o_send: {}, o_recv: {}, L: {},\n      ", row.rendezvous ? "rendezvous" : "eager",
                        time_text(row.o_send), time_text(row.o_recv), time_text(row.L));
    if (row.rendezvous && row.o_request > kShortestTime) {
        text += fmt::format(" o_request: {}, o_ack: {},", time_text(row.o_request), time_text(row.o_ack));
    }
    text += fmt::format(" G: {}", gap_text(row.G));
    if (row.G_send > 0.0) text += fmt::format(", G_send: {}", gap_text(row.G_send));
    if (row.G_recv > 0.0) text += fmt::format(", G_recv: {}", gap_text(row.G_recv));
    return text + holds + "}\n";
}

/// Returns the largest eager size of a fit with a threshold, which may lie outside the measured sizes.
std::uint64_t eager_limit(const LayerFit& fit) {
    std::optional<std::uint64_t> limit;
    for (const FittedRow& row : fit.rows) {
        if (!row.rendezvous) limit = row.up_to;
    }
    return limit.value_or(*fit.threshold);
}

/// Formats the limits of eager messages. A fitted layer takes neither the limit nor the costs of unexpected messages
/// from its base.
std::string eager_text(const std::vector<LayerFit>& layers, const input::YamlNode* tree) {
    const input::YamlNode* const base = tree == nullptr ? nullptr : tree->find("eager");
    std::string text;
    for (const LayerFit& fit : layers) {
        const input::YamlNode* const replaced = base == nullptr ? nullptr : base->find(fit.layer);
        if (!fit.threshold) {
            if (replaced != nullptr) text += fmt::format("  {}: off    # no table shows a limit\n", fit.layer);
            continue;
        }
        text += fmt::format("  {}: {{limit: {}B", fit.layer, eager_limit(fit));
        for (const auto& [key, zero] : {std::pair{"o_unexpected", "0us"}, std::pair{"G_unexpected", "0ns/B"}}) {
            if (replaced != nullptr && replaced->find(key) != nullptr) text += fmt::format(", {}: {}", key, zero);
        }
        text += fmt::format("}}    # {}\n", fit.threshold_given ? "given" : "measured");
    }
    return text.empty() ? text : "eager:\n" + text;
}

bool has(const std::vector<LayerFit>& layers, const char* name) {
    return std::any_of(layers.begin(), layers.end(), [&](const LayerFit& each) { return each.layer == name; });
}

/// Returns two nodes at a switch, with the parts that the layers need.
std::string bare_machine(const std::vector<LayerFit>& layers) {
    const bool node = has(layers, "node"), chip = has(layers, "chip");
    const auto network =
        std::find_if(layers.begin(), layers.end(), [](const LayerFit& each) { return each.layer == "network"; });
    const double slope = network == layers.end() ? 0.0 : network->rows.back().piece.line.slope;
    std::string text = fmt::format(
        "# assumption: all nodes at one switch, and no waiting for its links\n"
        "topology: {{kind: fat_tree, children: [2], bandwidth: {:.5g}GBps, latency: 0ns}}\nsize: fit\n"
        "links_in_L: 2                       # assumption: L is the latency between nodes at one switch\n"
        "cores: {}                            # assumption\n",
        slope > 0.0 ? 1e-9 / slope : 1.0, (node ? 2 : 1) * (chip ? 2 : 1));
    if (node) text += "chips: 2                            # assumption\n";
    return text;
}

}  // namespace

std::string time_text(double seconds) {
    static constexpr std::array<std::pair<double, const char*>, 5> kUnits{
        {{1.0, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}, {1e-12, "ps"}}};
    if (seconds < kShortestTime) return "0us";
    for (const auto& [unit, name] : kUnits) {
        if (seconds >= unit * kRoundsUp) return fmt::format("{:.4g}{}", seconds / unit, name);
    }
    return "1ps";
}

std::vector<std::string> assumptions_of(const SharedResource& shared) {
    std::vector<std::string> found;
    const auto rate = [](double per_second) { return fmt::format("{:.4g} GB/s", per_second * 1e-9); };
    if (shared.saturated > 0 && shared.pairs == 1) {
        found.emplace_back("the NIC has the bandwidth of 1 pair; several pairs may send more");
    }
    if (shared.exceeds_measured()) {
        found.push_back(fmt::format("{} is above every measured bandwidth, which is at most {}",
                                    rate(shared.per_second()), rate(shared.most_per_second)));
    }
    if (shared.faster_ping_pong > 0.0) {
        found.push_back(fmt::format("messages have the {} of the stream, although the ping-pong reaches {}",
                                    rate(shared.per_second()), rate(shared.faster_ping_pong)));
    }
    return found;
}

std::string percent_text(double share) {
    constexpr double kShown = 1e-4;
    return share < kShown ? "less than 0.01 %" : fmt::format("{:.2g} %", 100.0 * share);
}

std::string gap_text(double seconds_per_byte) {
    if (seconds_per_byte <= 0.0) return "0ns/B";
    const double nanoseconds = seconds_per_byte * 1e9;
    return nanoseconds >= 1e-3 ? fmt::format("{:.5g}ns/B", nanoseconds) : fmt::format("{:.5g}ps/B", 1e3 * nanoseconds);
}

std::string hardware_text(const std::vector<LayerFit>& layers, const std::optional<std::filesystem::path>& base,
                          const std::filesystem::path& out) {
    std::string text = "# Written by `warpfront fit`: costs of messages fitted to tables of benchmarks.\n";
    for (const LayerFit& fit : layers) {
        for (const BenchmarkTable& table : fit.tables) {
            const bool unused = fit.unused_streams && table.of_kind(Timed::stream).size() == table.messages.size();
            text += fmt::format("#   {}: {} ({}{}){}\n", fit.layer, file_name(table), table.format, library_of(table),
                                unused ? ", not used: a stream of 1 pair within a node determines no cost" : "");
        }
    }
    text += "# Values that the tables do not determine are marked as assumptions.\n";
    std::optional<input::YamlNode> tree;
    if (base) {
        machine::HardwareTree hardware = machine::read_hardware_tree(*base);
        hardware.faults.raise();
        tree = std::move(hardware.root);
        const std::filesystem::path folder = std::filesystem::absolute(out).parent_path();
        const std::filesystem::path from_there = std::filesystem::proximate(std::filesystem::absolute(*base), folder);
        text += fmt::format("like: {}\n", yaml_quoted(from_there.string()));
    }
    text += fmt::format("name: {}\n", yaml_quoted("fitted to " + file_name(layers.front().tables.front())));
    if (!base) text += bare_machine(layers);
    Held held;
    describe_resources(layers, text, held);
    text += eager_text(layers, tree ? &*tree : nullptr) + "layers:\n";
    for (const LayerFit& fit : layers) {
        text += fmt::format("  {}:\n", fit.layer);
        const std::string holds = holds_text(holds_of(tree ? &*tree : nullptr, fit.layer), fit.layer, held);
        for (const FittedRow& row : fit.rows) text += row_text(row, holds);
    }
    return text;
}

}  // namespace warpfront::tools
