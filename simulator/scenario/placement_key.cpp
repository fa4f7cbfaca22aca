#include "simulator/scenario/placement_key.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"

namespace warpfront::scenario {

using input::DiagnosticKind;
using input::Diagnostics;
using input::MappingReader;
using input::SourceRange;
using input::YamlNode;
using machine::PlacementRequest;
using machine::PlacementRule;

namespace {

constexpr std::int64_t kLargestSeed = std::numeric_limits<std::int64_t>::max();
constexpr std::string_view kRandom = "random(";
const std::vector<std::string> kRules{"block", "linear", "random"};
const std::vector<std::string> kWords{"block", "linear", "random(SEED)", "{file: PATH}"};

void read_word(const YamlNode& node, PlacementRequest& request, Diagnostics& faults) {
    const std::string_view word = node.scalar;
    if (word.starts_with(kRandom) && word.ends_with(')')) {
        const std::string_view seed = word.substr(kRandom.size(), word.size() - kRandom.size() - 1);
        const SourceRange range{node.range.source, node.range.offset + kRandom.size(), seed.size()};
        request.rule = PlacementRule::random;
        request.seed = {static_cast<std::uint64_t>(input::parse_integer(seed, range, 0, kLargestSeed, faults))};
        return;
    }
    const auto rule = std::find(kRules.begin(), kRules.end(), word);
    if (rule == kRules.end()) {
        faults.add(DiagnosticKind::bad_choice, node.range, fmt::format("`placement` cannot be `{}`", word),
                   input::suggestion(word, kWords));
        return;
    }
    request.rule = static_cast<PlacementRule>(rule - kRules.begin());
}

void read_file_name(MappingReader& keys, const std::filesystem::path& scenario, PlacementKey& placement,
                    Diagnostics& faults) {
    placement.file_as_written = keys.text("file").value_or("");
    placement.request.rule = PlacementRule::file;
    placement.request.rank_file = (scenario.parent_path() / placement.file_as_written).lexically_normal();
    placement.request.range = keys.range_of("file");
    for (const char* key : {"rule", "seed", "fragmentation"}) {
        if (keys.take(key) == nullptr) continue;
        faults.add(DiagnosticKind::conflicting_keys, keys.range_of(key), fmt::format("`{}` beside `file`", key),
                   "expected `file` alone, since it names every host");
    }
}

void read_rule(MappingReader& keys, PlacementRequest& request, Diagnostics& faults) {
    request.rule = static_cast<PlacementRule>(keys.choice("rule", kRules).value_or(0));
    request.seed = {static_cast<std::uint64_t>(keys.integer("seed", 0, kLargestSeed).value_or(0))};
    const double share = keys.real("fragmentation").value_or(0.0);
    request.range = keys.range_of("fragmentation");
    if (share >= 0.0 && share < 1.0) {
        request.fragmentation = {share};
    } else {
        faults.add(DiagnosticKind::out_of_range, request.range, fmt::format("a share of {}", share),
                   "expected at least 0 and less than 1");
    }
}

}  // namespace

PlacementKey read_placement(MappingReader& scenario, const std::filesystem::path& file, Diagnostics& faults) {
    PlacementKey placement;
    const YamlNode* node = scenario.take("placement");
    if (node == nullptr) return placement;
    if (node->kind == YamlNode::Kind::scalar) {
        read_word(*node, placement.request, faults);
        return placement;
    }
    MappingReader keys(*node, "`placement`", faults);
    if (keys.take("file") != nullptr) {
        read_file_name(keys, file, placement, faults);
    } else {
        read_rule(keys, placement.request, faults);
    }
    keys.finish();
    return placement;
}

const std::string& name_of(PlacementRule rule) { return kRules.at(static_cast<std::size_t>(rule)); }

}  // namespace warpfront::scenario
