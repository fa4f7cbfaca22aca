#include "simulator/trace/communicators.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::trace {

namespace {

constexpr std::string_view kWorldName = "world";
constexpr std::string_view kRangeForms = "expected a rank such as `3`, a range `0..3`, or one with a step, `0..12..4`";

}  // namespace

/// Fills a NamedCommunicators from its file.
class CommunicatorsReader {
public:
    CommunicatorsReader(NamedCommunicators& result, Diagnostics& faults) : result_(result), faults_(faults) {}

    void read(const YamlNode& tree) {
        MappingReader top(tree, "a file of communicators", faults_);
        if (const YamlNode* const names = top.require("communicators")) read_names(*names);
        if (const YamlNode* const orders = top.take("collectives")) read_orders(*orders);
        top.finish();
    }

private:
    using Runs = std::vector<NamedCommunicators::Run>;

    void read_names(const YamlNode& node) {
        MappingReader(node, "`communicators`", faults_);
        for (const YamlNode::Entry& entry : node.entries) {
            if (entry.key == kWorldName) {
                faults_.add(DiagnosticKind::duplicate_name, entry.key_range,
                            "`world` is already the name of the communicator of all ranks", "expected another name");
            } else if (entry.key.empty() || entry.key.find_first_of(" \t=") != std::string::npos) {
                faults_.add(DiagnosticKind::out_of_range, entry.key_range,
                            fmt::format("`{}` cannot be the name of communicators", entry.key),
                            "expected a word without blanks and `=`");
            } else if (is_list(entry.value, entry.key)) {
                result_.named_.push_back({entry.key, {}, {}});
                read_named(entry, result_.named_.back());
            }
        }
    }

    bool is_list(const YamlNode& node, std::string_view name) {
        if (node.kind == YamlNode::Kind::sequence) return true;
        faults_.add(DiagnosticKind::wrong_yaml_type, node.range, fmt::format("`{}` is not a list", name),
                    name == "over" ? "expected a list, such as `[row x 10, world]`"
                                   : "expected a list of communicators, such as `[0..3, [4, 6], 5..9..2]`");
        return false;
    }

    void read_named(const YamlNode::Entry& entry, NamedCommunicators::Named& named) {
        for (const YamlNode& item : entry.value.items) {
            std::vector<Rank> ranks;
            for (const std::uint32_t rank : ranks_of(item)) {
                ranks.push_back({rank});
                if (named.communicator_of.emplace(rank, named.communicators.size()).second) continue;
                faults_.add(DiagnosticKind::overlapping_communicators, item.range,
                            fmt::format("rank {} is listed twice in `{}`", rank, entry.key),
                            "expected each rank at most once, since the communicators of one name are disjoint");
                break;
            }
            if (!ranks.empty()) named.communicators.push_back(std::move(ranks));
        }
    }

    /// Returns the ranks of a number, a range, or a list of both; empty after an error.
    std::vector<std::uint32_t> ranks_of(const YamlNode& node) {
        std::vector<std::uint32_t> ranks;
        if (node.kind == YamlNode::Kind::sequence && !node.items.empty()) {
            for (const YamlNode& item : node.items) {
                if (!append_range(item, ranks)) return {};
            }
        } else if (!append_range(node, ranks)) {
            return {};
        }
        return ranks;
    }

    bool append_range(const YamlNode& node, std::vector<std::uint32_t>& ranks) {
        const std::optional<input::NumberRange> range =
            node.kind == YamlNode::Kind::scalar ? input::number_range(node.scalar) : std::nullopt;
        if (!range) {
            faults_.add(DiagnosticKind::bad_range, node.range, "this is neither a rank nor a range of ranks",
                        std::string(kRangeForms));
            return false;
        }
        if (range->first < 0 || range->last >= result_.ranks_) {
            faults_.add(DiagnosticKind::peer_outside, node.range,
                        fmt::format("there is no rank {}", range->first < 0 ? range->first : range->last),
                        fmt::format("expected 0 to {}", result_.ranks_ - 1));
            return false;
        }
        for (std::int64_t k = 0; k < range->count(); ++k) {
            ranks.push_back(static_cast<std::uint32_t>(range->first + k * range->step));
        }
        return true;
    }

    void read_orders(const YamlNode& node) {
        if (!is_list(node, "collectives")) return;
        for (const YamlNode& item : node.items) read_order(item);
    }

    void read_order(const YamlNode& node) {
        MappingReader keys(node, "an item of `collectives`", faults_);
        const YamlNode* const over = keys.require("over");
        const YamlNode* const of = keys.take("ranks");
        keys.finish();
        if (over == nullptr) return;
        NamedCommunicators::Order order{read_runs(*over), 0, over->range};
        for (const NamedCommunicators::Run& run : order.runs) order.collectives += run.collectives;
        std::vector<std::uint32_t> ranks;
        if (of != nullptr) {
            ranks = ranks_of(*of);
        } else {
            ranks.resize(result_.ranks_);
            std::iota(ranks.begin(), ranks.end(), 0U);
        }
        for (const std::uint32_t rank : ranks) {
            if (result_.order_of_.emplace(rank, result_.orders_.size()).second) continue;
            faults_.add(DiagnosticKind::conflicting_keys, node.range,
                        fmt::format("the collectives of rank {} are listed here and in an earlier item", rank),
                        "expected each rank in one item of `collectives`");
            break;
        }
        result_.orders_.push_back(std::move(order));
    }

    Runs read_runs(const YamlNode& over) {
        Runs runs;
        if (!is_list(over, "over")) return runs;
        for (const YamlNode& item : over.items) {
            if (item.kind == YamlNode::Kind::mapping) {
                append(read_repeated(item), item, runs);
            } else if (item.kind == YamlNode::Kind::scalar) {
                append(read_run(item), item, runs);
            } else {
                faults_.add(DiagnosticKind::wrong_yaml_type, item.range, "`over` contains another list",
                            "expected `row`, `row x 10`, or `{repeat: 5, over: [row x 10, world]}`");
            }
        }
        return runs;
    }

    /// Reads `NAME` or `NAME x TIMES`.
    Runs read_run(const YamlNode& node) {
        constexpr std::string_view kTimes = " x ";
        const std::string_view text = node.scalar;
        const std::size_t end = text.find(kTimes);
        const auto name = result_.number_of(text.substr(0, end));
        if (!name) {
            faults_.add(DiagnosticKind::unknown_communicator, node.range,
                        fmt::format("no communicator is called `{}`", text.substr(0, end)),
                        input::suggestion(text.substr(0, end), result_.names()));
            return {};
        }
        if (end == std::string_view::npos) return {{*name, 1}};
        const auto times = input::number_of<std::int64_t>(text.substr(end + kTimes.size()));
        if (times && *times >= 1 && *times <= std::int64_t{kMostCollectives}) {
            return {{*name, static_cast<std::uint64_t>(*times)}};
        }
        faults_.add(DiagnosticKind::out_of_range, node.range,
                    fmt::format("`{}` is not a number of collectives", text.substr(end + kTimes.size())),
                    fmt::format("expected 1 to {}", kMostCollectives));
        return {};
    }

    Runs read_repeated(const YamlNode& node) {
        MappingReader keys(node, "an item of `over`", faults_);
        keys.require("repeat");
        const auto times = keys.integer("repeat", 1, std::int64_t{kMostCollectives});
        const YamlNode* const over = keys.require("over");
        keys.finish();
        if (!times || over == nullptr) return {};
        const Runs once = read_runs(*over);
        Runs runs;
        for (std::int64_t k = 0; k < *times && runs.size() <= kMostCollectives; ++k) {
            runs.insert(runs.end(), once.begin(), once.end());
            if (once.empty()) break;
        }
        return runs;
    }

    void append(const Runs& more, const YamlNode& node, Runs& runs) {
        runs.insert(runs.end(), more.begin(), more.end());
        if (runs.size() <= kMostCollectives) return;
        runs.clear();
        faults_.add(DiagnosticKind::trace_too_large, node.range, "`over` names too many collectives",
                    fmt::format("expected at most {}", kMostCollectives));
    }

    NamedCommunicators& result_;
    Diagnostics& faults_;
};

NamedCommunicators::NamedCommunicators(std::uint32_t ranks)
    : ranks_(ranks), named_{{std::string(kWorldName), {}, {}}} {}

NamedCommunicators::NamedCommunicators(const SourceFilePtr& file, std::uint32_t ranks, Diagnostics& faults)
    : NamedCommunicators(ranks) {
    CommunicatorsReader(*this, faults).read(input::parse_yaml(file, faults));
}

std::vector<std::string> NamedCommunicators::names() const {
    std::vector<std::string> names;
    for (const Named& each : named_) names.push_back(each.name);
    return names;
}

std::optional<std::uint32_t> NamedCommunicators::number_of(std::string_view name) const {
    const auto found = std::ranges::find(named_, name, &Named::name);
    if (found == named_.end()) return std::nullopt;
    return static_cast<std::uint32_t>(found - named_.begin());
}

const NamedCommunicators::Order* NamedCommunicators::order_of(std::uint32_t rank) const {
    const auto found = order_of_.find(rank);
    return found == order_of_.end() ? nullptr : &orders_[found->second];
}

}  // namespace warpfront::trace
