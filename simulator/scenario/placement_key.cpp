#include "simulator/scenario/placement_key.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"

namespace warpfront::scenario {

using input::NumberRange;
using machine::CoreRequest;
using machine::Distribution;
using machine::ListedRanks;
using machine::NodeFill;
using machine::NodeOrder;
using machine::PlacementRequest;
using machine::PlacementRule;

namespace {

constexpr std::int64_t kMostRanks = std::int64_t{1} << 24;
constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kRandom = "random(";
const std::vector<std::string> kRules{"block", "linear", "random"};
const std::vector<std::string> kWords{"block", "linear", "random(SEED)", "{file: PATH}", "RANKS:HOST, ..."};
const std::vector<std::string> kFills{"pack", "spread"};
constexpr std::string_view kPlane = "plane=";
constexpr std::string_view kDistributions =
    "expected `block`, `cyclic` or `plane=RANKS` for nodes and, after a colon, `block` or `cyclic` for the cores of a "
    "node, such as `cyclic:block`";

// Ranks and their hosts as a scenario lists them.
//
//   0..3:12, 4..7:13:0..6..2     entries RANKS:HOST or RANKS:HOST:CORES, joined by commas; RANKS and CORES are numbers
//                                or ranges `A..B` or `A..B..STEP` with as many items each
//   rank 0=12 slot=3             a line of a rankfile of Open MPI, rank RANKS=HOST slot=CORES; HOST may be written
//                                `+n12` as there; `slot` may be left out; `#` begins a comment
//
// Hosts have their numbers in the order of the platform, from 0.

/// A piece of a text, and its place.
struct Piece {
    std::string_view text;
    SourceRange range;

    /// Returns the piece from `begin` to before `end`, without blanks around it.
    Piece part(std::size_t begin, std::size_t end) const {
        const std::string_view whole = text.substr(begin, end - begin);
        const std::string_view bare = input::trimmed(whole, " \t\r");
        return {bare, {range.source, range.offset + static_cast<std::size_t>(bare.data() - text.data()), bare.size()}};
    }
};

std::vector<Piece> split(const Piece& whole, char separator) {
    std::vector<Piece> pieces;
    for (std::size_t start = 0; start <= whole.text.size();) {
        const std::size_t end = std::min(whole.text.find(separator, start), whole.text.size());
        pieces.push_back(whole.part(start, end));
        start = end + 1;
    }
    return pieces;
}

/// Reads `3`, `0..7` or `0..56..8`: numbers of a `kind` of things, up to `most`. Diagnostics: bad_range, out_of_range.
std::optional<NumberRange> read_numbers(std::string_view text, const SourceRange& range, std::string_view kind,
                                        std::int64_t most, Diagnostics& faults) {
    const auto numbers = input::number_range(text);
    if (!numbers) {
        faults.add(DiagnosticKind::bad_range, range,
                   fmt::format("{} is neither a {} nor a range of {}s",
                               text.empty() ? "this" : fmt::format("`{}`", text), kind, kind),
                   fmt::format("expected a {} such as `3`, a range `0..7`, or one with a step, `0..56..8`", kind));
        return std::nullopt;
    }
    if (numbers->first >= 0 && numbers->last <= most) return numbers;
    faults.add(DiagnosticKind::out_of_range, range,
               fmt::format("there is no {} {}", kind, numbers->first < 0 ? numbers->first : numbers->last),
               fmt::format("expected a {} from 0 to {}", kind, most));
    return std::nullopt;
}

/// Adds ranks, their host and their cores, which are written as `whole`.
void read_ranks(const Piece& whole, const Piece& ranks, const Piece& host, const std::optional<Piece>& cores,
                std::vector<ListedRanks>& listed, Diagnostics& faults) {
    constexpr std::uint32_t kMostHosts = std::numeric_limits<std::uint32_t>::max();
    const std::size_t before = faults.count();
    ListedRanks read{};
    read.range = whole.range;
    const auto numbers = read_numbers(ranks.text, ranks.range, "rank", kMostRanks, faults);
    read.host = static_cast<std::uint32_t>(input::parse_integer(host.text, host.range, 0, kMostHosts, faults));
    if (cores) read.cores = read_numbers(cores->text, cores->range, "core", kMostOnNode, faults);
    if (faults.count() != before) return;
    read.ranks = *numbers;
    if (read.cores && read.cores->count() != read.ranks.count()) {
        faults.add(DiagnosticKind::core_list_length, cores->range,
                   fmt::format("{} cannot be assigned to {}",
                               input::counted(static_cast<std::uint64_t>(read.cores->count()), "core"),
                               input::counted(static_cast<std::uint64_t>(read.ranks.count()), "rank")),
                   "expected one core for each rank");
        return;
    }
    listed.push_back(read);
}

void read_entry(const Piece& entry, std::vector<ListedRanks>& listed, Diagnostics& faults) {
    const std::vector<Piece> parts = split(entry, ':');
    if (parts.size() < 2 || parts.size() > 3) {
        faults.add(DiagnosticKind::bad_range, entry.range, fmt::format("`{}` states no host", entry.text),
                   "expected RANKS:HOST or RANKS:HOST:CORES, such as `0..3:12` or `0..3:12:0..6..2`");
        return;
    }
    read_ranks(entry, parts[0], parts[1], parts.size() == 3 ? std::optional(parts[2]) : std::nullopt, listed, faults);
}

/// Returns the value of `KEY=VALUE`; nothing for another key.
std::optional<Piece> value_of(const Piece& word, std::string_view key) {
    if (!word.text.starts_with(key) || word.text.substr(key.size(), 1) != "=") return std::nullopt;
    return word.part(key.size() + 1, word.text.size());
}

/// Reads a line such as `rank 0=12 slot=3`.
void read_line(const Piece& line, std::vector<ListedRanks>& listed, Diagnostics& faults) {
    std::vector<Piece> words = split(line, ' ');
    std::erase_if(words, [](const Piece& word) { return word.text.empty(); });
    const std::size_t equals = words.size() > 1 ? words[1].text.find('=') : std::string_view::npos;
    const auto slot = words.size() == 3 ? value_of(words[2], "slot") : std::nullopt;
    if (words.front().text != "rank" || equals == std::string_view::npos || words.size() > 3 ||
        (words.size() == 3 && !slot)) {
        faults.add(DiagnosticKind::bad_range, line.range, fmt::format("`{}` is not a line of a rankfile", line.text),
                   "expected `rank NUMBER=HOST slot=CORE`, such as `rank 0=12 slot=3`");
        return;
    }
    Piece host = words[1].part(equals + 1, words[1].text.size());
    if (host.text.starts_with("+n")) host = host.part(2, host.text.size());
    read_ranks(line, words[1].part(0, equals), host, slot, listed, faults);
}

/// Reads the entries of `text`, which stands at `range`. Diagnostics: bad_range, bad_number, out_of_range,
/// core_list_length for other than as many cores as ranks.
std::vector<ListedRanks> read_rank_list(std::string_view text, const SourceRange& range, Diagnostics& faults) {
    std::vector<ListedRanks> listed;
    for (const Piece& entry : split({text, range}, ',')) read_entry(entry, listed, faults);
    return listed;
}

/// Reads the lines of a rankfile. Diagnostics: those of `read_rank_list`, missing_key for a file without ranks.
std::vector<ListedRanks> read_rankfile(const SourceFilePtr& source, Diagnostics& faults) {
    std::vector<ListedRanks> listed;
    const std::size_t before = faults.count();
    const Piece whole{source->text(), {source, 0, source->text().size()}};
    for (const Piece& line : split(whole, '\n')) {
        if (faults.count() >= before + Diagnostics::kMostDiagnostics) break;
        const Piece content = line.part(0, std::min(line.text.find('#'), line.text.size()));
        if (!content.text.empty()) read_line(content, listed, faults);
    }
    if (listed.empty() && faults.count() == before) {
        faults.add(DiagnosticKind::missing_key, {source, 0, 0}, "the rankfile lists no ranks",
                   "expected lines such as `rank 0=12 slot=3`");
    }
    return listed;
}

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

/// Reads the cores of one item of the list; a core that occurs in an earlier item is an error.
void read_item(const YamlNode& item, std::map<std::uint32_t, const YamlNode*>& items, CoreRequest& request,
               Diagnostics& faults) {
    const auto range = read_numbers(item.scalar, item.range, "core", kMostOnNode, faults);
    if (!range) return;
    for (std::int64_t k = 0; k < range->count(); ++k) {
        const auto core = static_cast<std::uint32_t>(range->first + k * range->step);
        const auto [before, is_new] = items.emplace(core, &item);
        if (!is_new) {
            faults.add(DiagnosticKind::core_taken_twice, item.range, fmt::format("core {} already has a rank", core),
                       fmt::format("expected a different core for each rank; `{}` already contains this core",
                                   before->second->scalar));
            return;
        }
        request.listed.push_back({core, item.range});
    }
}

void read_list(const YamlNode& node, const machine::Patch& patch, CoreRequest& request, Diagnostics& faults) {
    if (node.kind != YamlNode::Kind::sequence || node.items.empty()) {
        faults.add(DiagnosticKind::wrong_yaml_type, node.range, "`cores` is not a list of cores",
                   "expected the core of each rank of the patch, such as `[0..7, 32..39]`");
        return;
    }
    const std::size_t before = faults.count();
    std::map<std::uint32_t, const YamlNode*> items;
    for (const YamlNode& item : node.items) read_item(item, items, request, faults);
    const std::size_t listed = request.listed.size();
    if (faults.count() != before || listed == patch.count()) return;
    faults.add(DiagnosticKind::core_list_length,
               listed > patch.count() ? request.listed[patch.count()].range : node.range,
               fmt::format("`cores` lists {} for the {} of a patch of {}", input::counted(listed, "core"),
                           input::counted(patch.count(), "rank"), as_text(patch)),
               "expected one core for each rank; `fill: spread` deals any number of ranks over the parts of a node");
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

CoresKey read_cores(MappingReader& node, const machine::Patch& patch, Diagnostics& faults) {
    CoresKey cores;
    cores.request.fill = static_cast<machine::NodeFill>(node.choice("fill", kFills).value_or(0));
    const YamlNode* const list = node.take("cores");
    if (list == nullptr) return cores;
    if (node.has("fill")) {
        faults.add(DiagnosticKind::conflicting_keys, node.range_of("fill"), "both `fill` and `cores` are given",
                   "expected only one of the two: `cores` gives every rank its core");
    }
    cores.as_written = *list;
    read_list(*list, patch, cores.request, faults);
    return cores;
}

const std::string& name_of(machine::NodeFill fill) { return kFills.at(static_cast<std::size_t>(fill)); }

}  // namespace warpfront::scenario
