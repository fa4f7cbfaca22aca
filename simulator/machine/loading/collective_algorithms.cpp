#include "simulator/machine/loading/hardware_layers.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace warpfront::machine {

namespace {

using collectives::Algorithms;
using collectives::Offer;
using collectives::Rule;

/// The name of an algorithm of alltoall before `like: open_mpi` was introduced.
constexpr std::string_view kFormerRule = "open_mpi";

/// Returns the rules of that algorithm: bruck for less than 200 B on more than 12 ranks, linear for other messages of
/// less than 3,000 B, and pairwise above.
std::vector<Rule> former_rule() {
    using enum collectives::Algorithm;
    return {{.algorithm = linear, .up_to = Bytes{199}, .ranks = 12},
            {.algorithm = bruck, .up_to = Bytes{199}},
            {.algorithm = linear, .up_to = Bytes{2999}},
            {pairwise}};
}

std::vector<std::string> names_of(const Offer& offer) {
    std::vector<std::string> names;
    for (const collectives::Algorithm algorithm : offer.algorithms) names.emplace_back(name_of(algorithm));
    return names;
}

class CollectiveReader {
public:
    CollectiveReader(const YamlNode& node, Diagnostics& faults, std::vector<std::string>& notes)
        : reader_(node, "`collectives`", faults), faults_(faults), notes_(notes) {}

    Algorithms read() {
        const std::vector<std::string> libraries(collectives::kLibraries.begin(), collectives::kLibraries.end());
        if (const auto at = reader_.choice("like", libraries)) {
            algorithms_ = Algorithms::like(static_cast<collectives::Library>(*at));
        }
        for (const Offer& offer : collectives::offers()) read_choice(offer);
        reader_.finish();
        return std::move(algorithms_);
    }

private:
    void note(const YamlNode& node, const std::string& text) {
        notes_.push_back(fmt::format("{}: {}", input::text_of(node.range), text));
    }

    void read_choice(const Offer& offer) {
        const std::string key(name_of(offer.kind));
        const YamlNode* const node = reader_.take(key);
        if (node == nullptr) return;
        if (offer.kind == collectives::Kind::alltoall && node->scalar == kFormerRule) {
            note(*node,
                 fmt::format("`{}` is the rule of Open MPI before 4.1, which the next version refuses: write `like: "
                             "open_mpi` for the rules of 4.1, or a list of rules",
                             kFormerRule));
            return algorithms_.set(offer.kind, former_rule());
        }
        if (node->kind != YamlNode::Kind::sequence || node->items.empty()) {
            if (const auto at = reader_.choice(key, names_of(offer))) {
                algorithms_.set(offer.kind, offer.algorithms[*at]);
            }
            return;
        }
        std::vector<Rule> rules;
        for (const YamlNode& item : node->items) rules.push_back(read_rule(offer, item, &item == &node->items.back()));
        algorithms_.set(offer.kind, std::move(rules));
    }

    Rule read_rule(const Offer& offer, const YamlNode& node, bool last) {
        constexpr std::int64_t kMostRanks = std::numeric_limits<std::uint32_t>::max();
        const std::string name(name_of(offer.kind));
        MappingReader reader(node, fmt::format("a rule of `{}`", name), faults_);
        Rule rule;
        rule.up_to = reader.bytes("up_to");
        if (const auto ranks = reader.integer("ranks", 1, kMostRanks)) rule.ranks = static_cast<std::uint32_t>(*ranks);
        reader.require("algorithm");
        if (const auto at = reader.choice("algorithm", names_of(offer))) rule.algorithm = offer.algorithms[*at];
        reader.finish();
        const bool limited = reader.has("up_to") || reader.has("ranks");
        if (limited && last) {
            faults_.add(DiagnosticKind::rule_order, node.range, "the last rule does not apply to all sizes and ranks",
                        "expected one more rule after it, `{algorithm: NAME}`");
        }
        if (!limited && !last) {
            faults_.add(DiagnosticKind::rule_order, node.range,
                        "this rule always applies, so the rules below it never do",
                        "expected this rule last, or with `up_to` or `ranks`");
        }
        if (rule.up_to && !collectives::sizes_of({offer.kind}, 1)) {
            note(node, fmt::format("this rule never applies: the sizes of `{}` differ from rank to rank", name));
        }
        return rule;
    }

    MappingReader reader_;
    Diagnostics& faults_;
    std::vector<std::string>& notes_;
    Algorithms algorithms_;
};

}  // namespace

Algorithms read_collectives(const YamlNode* node, Diagnostics& faults, std::vector<std::string>& notes) {
    return node == nullptr ? Algorithms() : CollectiveReader(*node, faults, notes).read();
}

}  // namespace warpfront::machine
