#include "simulator/machine/loading/hardware_collectives.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace warpfront::machine {

namespace {

using collectives::Offer;
using collectives::Rule;

const std::vector<std::string> kBases{"smpi"};

std::vector<std::string> names_of(const Offer& offer) {
    std::vector<std::string> names;
    for (const collectives::Algorithm algorithm : offer.algorithms) names.emplace_back(name_of(algorithm));
    return names;
}

Rule read_rule(const Offer& offer, const input::YamlNode& node, bool last, input::Diagnostics& faults) {
    constexpr std::int64_t kMostRanks = std::numeric_limits<std::uint32_t>::max();
    input::MappingReader reader(node, "a rule of `" + std::string(name_of(offer.kind)) + "`", faults);
    Rule rule;
    rule.up_to = reader.bytes("up_to");
    if (const auto ranks = reader.integer("ranks", 1, kMostRanks)) rule.ranks = static_cast<std::uint32_t>(*ranks);
    reader.require("algorithm");
    if (const auto at = reader.choice("algorithm", names_of(offer))) rule.algorithm = offer.algorithms[*at];
    reader.finish();
    const bool limited = reader.has("up_to") || reader.has("ranks");
    if (limited && last) {
        faults.add(input::DiagnosticKind::rule_order, node.range, "the last rule does not apply to all sizes and ranks",
                   "expected `{algorithm: NAME}` behind it");
    }
    if (!limited && !last) {
        faults.add(input::DiagnosticKind::rule_order, node.range, "this rule applies always: those below it never do",
                   "expected it last, or `up_to` or `ranks`");
    }
    return rule;
}

void read_choice(const Offer& offer, input::MappingReader& reader, input::Diagnostics& faults,
                 collectives::Algorithms& algorithms) {
    const std::string key(name_of(offer.kind));
    const input::YamlNode* const node = reader.take(key);
    if (node == nullptr) return;
    if (node->kind != input::YamlNode::Kind::sequence || node->items.empty()) {
        if (const auto at = reader.choice(key, names_of(offer))) algorithms.set(offer.kind, offer.algorithms[*at]);
        return;
    }
    std::vector<Rule> rules;
    for (const input::YamlNode& item : node->items) {
        rules.push_back(read_rule(offer, item, &item == &node->items.back(), faults));
    }
    algorithms.set(offer.kind, std::move(rules));
}

}  // namespace

collectives::Algorithms read_collectives(const input::YamlNode* node, input::Diagnostics& faults) {
    using collectives::Algorithms;
    if (node == nullptr) return {};
    input::MappingReader reader(*node, "`collectives`", faults);
    Algorithms algorithms = reader.choice("like", kBases) ? Algorithms::of_smpi() : Algorithms{};
    for (const Offer& offer : collectives::offers()) read_choice(offer, reader, faults, algorithms);
    reader.finish();
    return algorithms;
}

}  // namespace warpfront::machine
