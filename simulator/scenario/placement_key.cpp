#include "simulator/scenario/placement_key.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"

namespace warpfront::scenario {

using machine::Distribution;
using machine::NodeFill;
using machine::NodeOrder;
using machine::PlacementRequest;
using machine::PlacementRule;

namespace {

constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kRandom = "random(";
const std::vector<std::string> kRules{"block", "linear", "random"};
const std::vector<std::string> kWords{"block", "linear", "random(SEED)", "{file: PATH}", "RANKS:HOST, ..."};
constexpr std::string_view kPlane = "plane=";
constexpr std::string_view kDistributions =
    "expected `block`, `cyclic` or `plane=RANKS` for nodes and, after a colon, `block` or `cyclic` for the cores of a "
    "node, such as `cyclic:block`";

void read_word(const YamlNode& node, PlacementRequest& request, Diagnostics& faults) {
    const std::string_view word = node.scalar;
    if (word.starts_with(kRandom) && word.ends_with(')')) {
        const std::string_view seed = word.substr(kRandom.size(), word.size() - kRandom.size() - 1);
        const SourceRange range{node.range.source, node.range.offset + kRandom.size(), seed.size()};
        request.rule = PlacementRule::random;
        request.seed = {static_cast<std::uint64_t>(input::parse_integer(seed, range, 0, kLargestSeed, faults))};
        return;
    }
    if (word.starts_with("block:") || word.starts_with("cyclic") || word.starts_with(kPlane)) {
        faults.add(DiagnosticKind::missing_key, node.range,
                   fmt::format("`placement: {}` has no `ranks_per_node`", word),
                   fmt::format("expected {{ranks_per_node: 8, distribution: {}}}", word));
        return;
    }
    if (word.find(':') != std::string_view::npos) {
        request.listed = read_rank_list(word, node.range, faults);
        return;
    }
    const auto rule = std::ranges::find(kRules, word);
    if (rule == kRules.end()) {
        faults.add(DiagnosticKind::bad_choice, node.range, fmt::format("`placement` cannot be `{}`", word),
                   input::suggestion(word, kWords));
        return;
    }
    request.rule = static_cast<PlacementRule>(rule - kRules.begin());
}

/// Returns the file of a key that excludes all other keys of `placement`; `reason` completes the message about another
/// key.
std::filesystem::path read_lone_file(MappingReader& keys, std::string_view key, std::string_view reason,
                                     const std::filesystem::path& scenario, PlacementKey& placement,
                                     Diagnostics& faults) {
    placement.file_as_written = keys.text(key).value_or("");
    placement.request.range = keys.range_of(key);
    for (const char* other : {"rule", "seed", "fragmentation", "file", "distribution", "ranks_per_node"}) {
        if (other == key || keys.take(other) == nullptr) continue;
        faults.add(DiagnosticKind::conflicting_keys, keys.range_of(other),
                   fmt::format("both `{}` and `{}` are given", other, key),
                   fmt::format("expected only `{}`, which {}", key, reason));
    }
    return (input::folder_of(scenario) / placement.file_as_written).lexically_normal();
}

void read_rankfile_at(const std::filesystem::path& file, PlacementKey& placement, Diagnostics& faults) {
    faults.collect([&] {
        placement.rankfile = input::read_file(file, placement.request.range);
        placement.request.listed = read_rankfile(*placement.rankfile, faults);
    });
}

/// Reads `block`, `cyclic` or `plane=4` and, after a colon, `block` or `cyclic`.
void read_orders(std::string_view text, const SourceRange& range, Distribution& distribution, Diagnostics& faults) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view nodes = text.substr(0, colon);
    const std::string_view cores = colon < text.size() ? text.substr(colon + 1) : "block";
    const bool is_plane = nodes.starts_with(kPlane);
    if ((nodes != "block" && nodes != "cyclic" && !is_plane) || (cores != "block" && cores != "cyclic")) {
        faults.add(DiagnosticKind::bad_choice, range, fmt::format("`distribution` cannot be `{}`", text),
                   std::string(kDistributions));
        return;
    }
    distribution.nodes = is_plane ? NodeOrder::plane : nodes == "cyclic" ? NodeOrder::cyclic : NodeOrder::block;
    distribution.cores = cores == "cyclic" ? NodeFill::spread : NodeFill::pack;
    if (!is_plane) return;
    const std::string_view plane = nodes.substr(kPlane.size());
    const SourceRange number{range.source, range.offset + kPlane.size(), plane.size()};
    const std::size_t before = faults.count();
    distribution.plane = static_cast<std::uint32_t>(input::parse_integer(plane, number, 1, kMostOnNode, faults));
    if (faults.count() != before || distribution.ranks_per_node % distribution.plane == 0) return;
    faults.add(
        DiagnosticKind::out_of_range, number,
        fmt::format("the {} ranks of a node cannot be divided into blocks of {}", distribution.ranks_per_node, plane),
        "expected a divisor of `ranks_per_node`");
}

void read_distribution(MappingReader& keys, PlacementRequest& request, Diagnostics& faults) {
    const bool has_number = keys.require("ranks_per_node") != nullptr;
    Distribution distribution{.range = keys.range_of("ranks_per_node")};
    if (has_number) {
        distribution.ranks_per_node =
            static_cast<std::uint32_t>(keys.integer("ranks_per_node", 1, kMostOnNode).value_or(1));
    }
    if (const auto text = keys.text("distribution")) {
        read_orders(*text, keys.range_of("distribution"), distribution, faults);
    }
    request.distribution = distribution;
}

void read_rule(MappingReader& keys, PlacementRequest& request, Diagnostics& faults) {
    request.rule = static_cast<PlacementRule>(keys.choice("rule", kRules).value_or(0));
    request.seed = {static_cast<std::uint64_t>(keys.integer("seed", 0, kLargestSeed).value_or(0))};
    const double share = keys.real("fragmentation").value_or(0.0);
    request.range = keys.range_of("fragmentation");
    if (share >= 0.0 && share < 1.0) {
        request.fragmentation = {share};
    } else {
        faults.add(DiagnosticKind::out_of_range, request.range, fmt::format("`fragmentation` cannot be {}", share),
                   "expected a share of at least 0 and less than 1");
    }
}

}  // namespace

PlacementKey read_placement(MappingReader& scenario, const std::filesystem::path& file, Diagnostics& faults) {
    PlacementKey placement;
    const YamlNode* node = scenario.take("placement");
    if (node == nullptr) return placement;
    placement.range = node->range;
    if (node->kind == YamlNode::Kind::scalar) {
        read_word(*node, placement.request, faults);
        if (!placement.request.listed.empty()) placement.list_as_written = node->scalar;
        return placement;
    }
    MappingReader keys(*node, "`placement`", faults);
    const bool lists_ranks = keys.take("rankfile") != nullptr;
    const bool lists_hosts = keys.take("file") != nullptr;
    const bool has_orders = keys.take("distribution") != nullptr;
    const bool deals_ranks = keys.take("ranks_per_node") != nullptr || has_orders;
    if (lists_ranks) {
        read_rankfile_at(read_lone_file(keys, "rankfile", "places every rank", file, placement, faults), placement,
                         faults);
    } else if (lists_hosts) {
        placement.request.rule = PlacementRule::file;
        placement.request.rank_file =
            read_lone_file(keys, "file", "names the host of every node", file, placement, faults);
    } else {
        if (deals_ranks) read_distribution(keys, placement.request, faults);
        read_rule(keys, placement.request, faults);
    }
    keys.finish();
    return placement;
}

bool places_ranks(const YamlNode& placement) {
    if (placement.kind == YamlNode::Kind::scalar) return placement.scalar.find(':') != std::string::npos;
    return std::ranges::any_of(kRankKeys, [&](std::string_view key) { return placement.find(key) != nullptr; });
}

void make_mapping(YamlNode& placement, std::string_view key) {
    if (placement.kind != YamlNode::Kind::scalar) return;
    Diagnostics faults;
    PlacementRequest request;
    const bool lists_ranks = places_ranks(placement);
    if (!lists_ranks) read_word(placement, request, faults);
    if (!faults.empty()) return;
    YamlNode mapping;
    mapping.kind = YamlNode::Kind::mapping;
    mapping.range = placement.range;
    const auto add = [&](const char* name, std::string text) {
        YamlNode value;
        value.range = placement.range;
        value.scalar = std::move(text);
        mapping.entries.push_back({name, placement.range, std::move(value)});
    };
    if (!lists_ranks && key != "file" && key != "rankfile") {
        add("rule", name_of(request.rule));
        if (request.rule == PlacementRule::random) add("seed", fmt::format("{}", request.seed.value));
    }
    placement = std::move(mapping);
}

std::string text_of(const Distribution& distribution) {
    const std::string nodes = distribution.nodes == NodeOrder::plane    ? fmt::format("plane={}", distribution.plane)
                              : distribution.nodes == NodeOrder::cyclic ? "cyclic"
                                                                        : "block";
    return fmt::format("{}:{}", nodes, distribution.cores == NodeFill::spread ? "cyclic" : "block");
}

const std::string& name_of(PlacementRule rule) { return kRules.at(static_cast<std::size_t>(rule)); }

}  // namespace warpfront::scenario
