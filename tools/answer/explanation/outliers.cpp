#include "tools/answer/explanation/outliers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/placement/cores.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/experiment/lowering.hpp"
#include "tools/answer/explanation/explanation.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/runs.hpp"
#include "tools/study/regression/robust.hpp"

namespace warpfront::tools {

namespace {

constexpr double kLeastExcess = 0.05;  // the excess must be at least this share of the usual value
constexpr double kDeviations = 5.0 * regression::kDeviationOverMedian;
constexpr double kLeastSaved = 0.0005;
constexpr std::size_t kMostNamed = 4;

double lower_median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// The usual value of parts of one kind, and the least value of an outlier.
struct Bounds {
    double usual = 0.0;
    double least = 0.0;
};

Bounds bounds_of(const std::vector<double>& values) {
    const double usual = lower_median(values);
    std::vector<double> deviations;
    for (const double value : values) deviations.push_back(std::abs(value - usual));
    return {usual, usual + std::max(kLeastExcess * usual, kDeviations * lower_median(deviations))};
}

/// Returns true if the slow parts are few: at most a quarter of all, or at most `always`.
bool are_few(std::size_t slow, std::size_t all, std::size_t always) { return slow <= std::max(always, all / 4); }

std::string listed(const std::vector<std::string>& items) {
    if (items.size() == 1) return items.front();
    const std::size_t shown = std::min(items.size(), kMostNamed);
    if (shown < items.size()) {
        return fmt::format("{} and {} more", fmt::join(items.begin(), items.begin() + kMostNamed, ", "),
                           items.size() - shown);
    }
    return fmt::format("{} and {}", fmt::join(items.begin(), items.end() - 1, ", "), items.back());
}

/// Formats ranks as "520..527, 552..559 and 6 more". "more" counts ranges.
std::string ranges_text(const std::vector<Rank>& ranks) {
    std::vector<std::string> ranges;
    for (std::size_t first = 0; first < ranks.size();) {
        std::size_t last = first;
        while (last + 1 < ranks.size() && ranks[last + 1].index == ranks[last].index + 1) ++last;
        ranges.push_back(first == last ? fmt::format("{}", ranks[first].index)
                                       : fmt::format("{}..{}", ranks[first].index, ranks[last].index));
        first = last + 1;
    }
    return listed(ranges);
}

std::string ranks_text(const std::vector<Rank>& ranks) {
    if (ranks.size() == 1) return fmt::format("rank {}", ranks.front().index);
    return fmt::format("{} ranks: {}", results::grouped(ranks.size()), ranges_text(ranks));
}

std::string capitalized(std::string text) {
    if (!text.empty() && text.front() >= 'a' && text.front() <= 'z') text.front() += 'A' - 'a';
    return text;
}

bool saves(WideTime time, WideTime of_run) { return seconds(time) < (1.0 - kLeastSaved) * seconds(of_run); }

// --- slow computing --------------------------------------------------------------------------------------------------

/// A part of the machine, with the ranks on it.
struct Part {
    std::string name;
    std::vector<Rank> ranks;
    double computes = 0.0;  // seconds of computing
};

/// Multiplies all blocks of each rank by the rank's factor.
void multiply_work(std::map<Rank, double> factors, variation::Noise& noise) {
    for (variation::CostFactor& each : noise.map) {
        const auto found = each.wave ? factors.end() : factors.find(each.rank);
        if (found == factors.end()) continue;
        each.factor *= found->second;
        factors.erase(found);
    }
    for (const auto& [rank, factor] : factors) noise.map.push_back({rank, std::nullopt, factor});
}

/// Finds slow ranks, and slow parts of the machine, by their computing times.
class SlowComputing {
public:
    SlowComputing(const Experiment& prepared, const record::Record& record, engine::Options options, ProgressMode mode)
        : prepared_(prepared), machine_(prepared.machine), finish_(record.finish), options_(options), mode_(mode) {
        std::vector<record::Breakdown> alone = record.rank_breakdown;
        if (machine_.memory || prepared.noise.draws() || prepared.noise.called_away()) {
            Experiment without = prepared;
            without.machine.memory.reset();
            options.noise = {.classes = prepared.noise.classes, .map = prepared.noise.map};
            alone = predict_with_progress(Engine::event, without, options, mode).record.rank_breakdown;
        }
        for (const record::Breakdown& each : alone) computes_.push_back(seconds(each.compute));
        is_named_.resize(computes_.size());
    }

    std::vector<Outlier> find() {
        const auto node_of = [&](Rank rank) { return std::pair{machine_.placement.node_of(rank).index, 0U}; };
        add("node", parts([&](Rank rank) { return node_of(rank); }, [&](const auto& key) { return node_name(key); }));
        for (std::size_t k = machine_.parts.size(); k-- > 0;) {
            const machine::NodeParts& kind = machine_.parts[k];
            if (kind.count == 1) continue;
            const auto part_of = [&](Rank rank) {
                return std::pair{node_of(rank).first, machine_.group_of(rank, kind.count)};
            };
            add(kind.name, parts(part_of, [&](const auto& key) {
                    return fmt::format("{} {} of {}", kind.name, key.second, node_name(key));
                }));
        }
        const auto itself = [](Rank rank) { return std::pair{rank.index, 0U}; };
        add("rank", parts(itself, [](const auto& key) { return fmt::format("rank {}", key.first); }));
        return std::move(found_);
    }

private:
    using Key = std::pair<std::uint32_t, std::uint32_t>;

    std::string node_name(const Key& key) const { return tools::node_name(machine_, Node{key.first}); }

    std::vector<Part> parts(const auto& key_of, const auto& name_of) const {
        std::map<Key, Part> by_key;
        for (std::uint32_t rank = 0; rank < computes_.size(); ++rank)
            by_key[key_of(Rank{rank})].ranks.push_back({rank});
        std::vector<Part> all;
        for (auto& [key, part] : by_key) {
            std::vector<double> of_ranks;
            for (const Rank rank : part.ranks) of_ranks.push_back(computes_[rank.index]);
            part.computes = lower_median(std::move(of_ranks));
            part.name = name_of(key);
            all.push_back(std::move(part));
        }
        return all;
    }

    std::string described(const Outlier& slow) const {
        const bool one = slow.names.size() == 1;
        std::string text = fmt::format("{} {} {:.3g} times as long as the other {}s{}.", listed(slow.names),
                                       one ? "computes" : "compute up to", slow.factor, slow.kind,
                                       prepared_.noise.classes.size() > 1 ? " with this seed" : "");
        if (slow.kind != "rank") text += fmt::format(" {} {}.", one ? "It has" : "They have", ranks_text(slow.ranks));
        return text + (one ? " If it were as fast as the others," : " If they were as fast as the others,");
    }

    void add(const std::string& kind, const std::vector<Part>& all) {
        std::vector<double> times;
        for (const Part& part : all) times.push_back(part.computes);
        const Bounds bounds = bounds_of(times);
        Outlier outlier{.kind = kind};
        std::map<Rank, double> factors;
        for (const Part& part : all) {
            if (part.computes <= bounds.least || bounds.usual == 0.0 || is_named_[part.ranks.front().index]) continue;
            outlier.names.push_back(part.name);
            outlier.ranks.insert(outlier.ranks.end(), part.ranks.begin(), part.ranks.end());
            outlier.factor = std::max(outlier.factor, part.computes / bounds.usual);
            for (const Rank rank : part.ranks) factors[rank] = bounds.usual / part.computes;
        }
        if (outlier.names.empty() || !are_few(outlier.names.size(), all.size(), 1)) return;
        for (const Rank rank : outlier.ranks) is_named_[rank.index] = true;
        std::ranges::sort(outlier.ranks);
        Experiment changed = prepared_;
        multiply_work(factors, changed.noise);
        engine::Options options = options_;
        options.noise = changed.noise;
        outlier.time = predict_with_progress(Engine::event, changed, options, mode_).record.finish;
        if (!saves(outlier.time, finish_)) return;
        outlier.description = described(outlier);
        found_.push_back(std::move(outlier));
    }

    const Experiment& prepared_;
    const machine::Machine& machine_;
    WideTime finish_;
    engine::Options options_;
    ProgressMode mode_;
    std::vector<double> computes_;  // computing time of each rank
    std::vector<bool> is_named_;    // true for ranks of a slow part that has been found
    std::vector<Outlier> found_;
};

// --- changed scenarios -----------------------------------------------------------------------------------------------

/// Returns the time of the scenario after `change`. Returns nothing if the changed scenario cannot be built.
template <typename Change>
std::optional<WideTime> time_after(const ScenarioArguments& arguments, const engine::Options& options,
                                   ProgressMode mode, const Change& change) {
    try {
        scenario::Scenario scenario = scenario::read_scenario(scenario::read_document(arguments.file, arguments.sets));
        change(scenario);
        const Experiment changed = build_experiment(std::move(scenario));
        engine::Options own = options_of(changed);
        own.replay = options.replay;
        return predict_with_progress(Engine::event, changed, own, mode).record.finish;
    } catch (const input::BadInput&) {
        return std::nullopt;
    }
}

// --- slow links ------------------------------------------------------------------------------------------------------

/// The nodes that are an end of every message on a link.
class CommonEnds {
public:
    void add(Node from, Node to) {
        if (!std::exchange(is_known_, true)) {
            nodes_ = {from, to};
        } else {
            std::erase_if(nodes_, [&](Node node) { return node != from && node != to; });
        }
    }
    /// Returns the node that all messages have in common. Returns nothing if there is none, or if both ends are
    /// possible.
    std::optional<Node> only() const { return nodes_.size() == 1 ? std::optional(nodes_.front()) : std::nullopt; }

private:
    bool is_known_ = false;
    std::vector<Node> nodes_;
};

/// Finds the links that messages cross, and the nodes that all messages on a link have in common.
std::map<machine::LinkId, CommonEnds> links_in_use(const Experiment& prepared) {
    std::map<machine::LinkId, CommonEnds> links;
    const machine::Machine& machine = prepared.machine;
    visit_pairs(prepared.program, [&](Rank from, Rank to) {
        if (machine.locality(from, to) != machine.network()) return;
        std::vector<machine::LinkId> crossed;
        machine.routes.append_links(machine.nic_of(from), machine.nic_of(to), crossed);
        const auto slowest = machine.routes.slowest_link(machine.nic_of(from), machine.nic_of(to));
        if (slowest) crossed.push_back(*slowest);  // the slowest link counts even if messages do not wait for it
        for (const machine::LinkId link : crossed) {
            links[link].add(machine.placement.node_of(from), machine.placement.node_of(to));
        }
    });
    return links;
}

input::YamlNode& entry_of(input::YamlNode& mapping, const std::string& key) {
    mapping.kind = input::YamlNode::Kind::mapping;
    if (input::YamlNode* const known = mapping.find(key)) return *known;
    mapping.entries.push_back({key, {}, {}});
    return mapping.entries.back().value;
}

void set_link(const std::string& link, const std::string& key, std::string value, scenario::Scenario& scenario) {
    input::YamlNode& node = entry_of(entry_of(entry_of(scenario.overrides.tree, "links"), link), key);
    node = {};
    node.scalar = std::move(value);
}

/// Returns the number of a link between switches of a graph. These links may have bandwidths of their own. Returns
/// nothing for other links.
std::optional<std::uint64_t> number_of_own(machine::LinkId link, const machine::Routes& routes) {
    const auto* const graph = std::get_if<machine::GraphRoutes>(&routes.zone);
    const std::uint64_t number = routes.cabling.in_plane(link).index;
    if (graph == nullptr || graph->own.empty() || number < 2 * graph->hosts()) return std::nullopt;
    return number - 2 * graph->hosts();
}

/// A cost that may differ between links: the time per byte, or the latency.
struct LinkCost {
    std::string_view key;       // key of the cost in an override of links
    std::string_view excess;    // text such as "times as long per byte as the other links"
    std::string_view verbs[2];  // verbs for one link and for several
    std::string_view remedy;
    /// Returns the cost in seconds. Returns nothing for a link whose cost is always the same as that of other links.
    std::optional<double> (*of)(machine::LinkId link, const machine::Routes& routes);
    std::string (*as_text)(double value);
    void (*set)(double value, machine::SwitchLink& link);
};

bool may_differ(machine::LinkId link, const machine::Routes& routes) {
    return std::holds_alternative<machine::TableRoutes>(routes.zone) || number_of_own(link, routes);
}

const std::array kLinkCosts{
    LinkCost{"bandwidth",
             "times as long per byte as the other links",
             {"takes", "take up to"},
             "With the bandwidth of the others,",
             [](machine::LinkId link, const machine::Routes& routes) {
                 return std::optional(routes.gap(link).seconds_per_byte);
             },
             [](double value) { return fmt::format("{}Bps", 1.0 / value); },
             [](double value, machine::SwitchLink& link) { link.gap = {value}; }},
    LinkCost{"latency",
             "times the latency of the other links",
             {"has", "have up to"},
             "With the latency of the others,",
             [](machine::LinkId link, const machine::Routes& routes) {
                 const std::optional<Time> latency = routes.own_latency(link);
                 return latency ? std::optional(seconds(*latency)) : std::nullopt;
             },
             [](double value) { return fmt::format("{}ps", std::llround(value * 1e12)); },
             [](double value, machine::SwitchLink& link) { link.latency = {std::llround(value * 1e12)}; }}};

/// Runs the experiment with the links of `slow` at their usual cost.
std::optional<WideTime> time_with(const std::vector<machine::LinkId>& slow, const LinkCost& cost, double usual,
                                  const Experiment& prepared, const ScenarioArguments& scenario,
                                  const engine::Options& options, ProgressMode mode) {
    const auto* const graph = std::get_if<machine::GraphRoutes>(&prepared.machine.routes.zone);
    if (graph == nullptr) {
        return time_after(scenario, options, mode, [&](scenario::Scenario& changed) {
            for (const machine::LinkId link : slow) {
                set_link(machine::link_name(prepared.machine.routes, link), std::string(cost.key), cost.as_text(usual),
                         changed);
            }
        });
    }
    Experiment changed = prepared;
    auto& own = std::get<machine::GraphRoutes>(changed.machine.routes.zone).own;
    for (const machine::LinkId link : slow) cost.set(usual, own[number_of_own(link, prepared.machine.routes).value()]);
    return predict_with_progress(Engine::event, changed, options, mode).record.finish;
}

/// Returns the ranks of a node.
std::vector<Rank> ranks_of(Node node, const machine::Placement& placement) {
    std::vector<Rank> ranks;
    for (std::uint32_t rank = 0; rank < placement.grid.ranks(); ++rank) {
        if (placement.node_of({rank}) == node) ranks.push_back({rank});
    }
    return ranks;
}

std::optional<Outlier> slow_links(const LinkCost& cost, const Experiment& prepared, const ScenarioArguments& scenario,
                                  WideTime finish, const engine::Options& options, ProgressMode mode) {
    const machine::Routes& routes = prepared.machine.routes;
    const auto* const graph = std::get_if<machine::GraphRoutes>(&routes.zone);
    const bool differ =
        graph != nullptr ? !graph->own.empty() : std::holds_alternative<machine::TableRoutes>(routes.zone);
    if (!differ) return std::nullopt;
    const std::map<machine::LinkId, CommonEnds> used = links_in_use(prepared);
    if (used.empty()) return std::nullopt;
    std::vector<double> costs;
    for (const auto& [link, ends] : used) {
        if (const auto value = cost.of(link, routes)) costs.push_back(*value);
    }
    if (costs.empty()) return std::nullopt;
    const Bounds bounds = bounds_of(costs);
    if (bounds.usual <= 0.0) return std::nullopt;
    Outlier outlier{.kind = "link"};
    std::vector<machine::LinkId> slow;
    std::set<Node> nodes;
    for (const auto& [link, ends] : used) {
        const double value = cost.of(link, routes).value_or(0.0);
        if (value <= bounds.least || !may_differ(link, routes)) continue;
        slow.push_back(link);
        outlier.names.push_back(fmt::format("link `{}`", machine::link_name(routes, link)));
        outlier.factor = std::max(outlier.factor, value / bounds.usual);
        if (const auto node = ends.only()) nodes.insert(*node);
    }
    if (slow.empty() || !are_few(slow.size(), costs.size(), 2)) return std::nullopt;
    const std::optional<WideTime> time = time_with(slow, cost, bounds.usual, prepared, scenario, options, mode);
    if (!time || !saves(*time, finish)) return std::nullopt;
    outlier.time = *time;
    outlier.description = fmt::format("{} {} {:.3g} {}.", listed(outlier.names), cost.verbs[slow.size() == 1 ? 0 : 1],
                                      outlier.factor, cost.excess);
    if (nodes.size() == 1) {
        const Node node = *nodes.begin();
        outlier.ranks = ranks_of(node, prepared.machine.placement);
        outlier.description +=
            fmt::format(" All messages over {} are those of {}, which has {}.", slow.size() == 1 ? "it" : "them",
                        node_name(prepared.machine, node), ranks_text(outlier.ranks));
    }
    outlier.description += fmt::format(" {}", cost.remedy);
    return outlier;
}

// --- uneven filling --------------------------------------------------------------------------------------------------

std::optional<Outlier> uneven_filling(const Experiment& prepared, const ScenarioArguments& scenario, WideTime finish,
                                      const engine::Options& options, ProgressMode mode) {
    const machine::Machine& machine = prepared.machine;
    if (!prepared.scenario.placement.request.listed.empty())
        return std::nullopt;  // `node.fill` does not affect listed ranks
    const bool is_dealt = prepared.scenario.placement.request.distribution.has_value();
    const std::vector<std::uint32_t> places = places_with_ranks(machine.placement);
    for (const NodeKind& kind : node_kinds(prepared)) {
        std::vector<std::uint32_t> ranks(kind.parts);
        for (const std::uint32_t place : places) {
            const std::uint32_t part = machine.placement.core_of_place(place) / machine.cores_of_each(kind.parts);
            if (part < kind.parts) ++ranks[part];
        }
        const auto [least, most] = std::ranges::minmax_element(ranks);
        if (*most - *least < 2) continue;
        const std::optional<WideTime> time = time_after(scenario, options, mode, [](scenario::Scenario& changed) {
            changed.cores.request = {.fill = machine::NodeFill::spread};
            if (auto& dealt = changed.placement.request.distribution) dealt->cores = machine::NodeFill::spread;
        });
        if (!time || !saves(*time, finish)) return std::nullopt;
        Outlier outlier{.kind = kind.name, .time = *time};
        const auto fullest = static_cast<std::uint32_t>(most - ranks.begin());
        outlier.names.push_back(fmt::format("{} {} of each node", kind.name, fullest));
        for (std::uint32_t rank = 0; rank < machine.placement.grid.ranks(); ++rank) {
            if (machine.group_of({rank}, kind.parts) == fullest) outlier.ranks.push_back({rank});
        }
        const double mean = static_cast<double>(places.size()) / kind.parts;
        outlier.factor = *most / mean;
        outlier.description =
            fmt::format("{} has {} ranks; the ranks of a node are divided {}. With {},", outlier.names.front(), *most,
                        fmt::join(ranks, " to "), is_dealt ? "`cyclic` within a node" : "`node.fill: spread`");
        return outlier;
    }
    return std::nullopt;
}

}  // namespace

std::vector<Outlier> outliers(const Experiment& prepared, const ScenarioArguments& scenario,
                              const record::Record& record, const engine::Options& options, ProgressMode mode) {
    std::vector<Outlier> found = SlowComputing(prepared, record, options, mode).find();
    for (const LinkCost& cost : kLinkCosts) {
        auto links = slow_links(cost, prepared, scenario, record.finish, options, mode);
        if (links) found.push_back(std::move(*links));
    }
    if (auto filling = uneven_filling(prepared, scenario, record.finish, options, mode)) {
        found.push_back(std::move(*filling));
    }
    return found;
}

std::string outliers_text(const std::vector<Outlier>& found, WideTime time) {
    std::string text;
    for (const Outlier& each : found) {
        const WideTime saved = time - each.time;
        text += results::wrapped(fmt::format("{} the run would take {}, which is {} ({:.1f} %) less.",
                                             capitalized(each.description), results::duration(each.time),
                                             results::duration(saved), 100.0 * seconds(saved) / seconds(time))) +
                '\n';
    }
    return text;
}

nlohmann::ordered_json outliers_json(const std::vector<Outlier>& found) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Outlier& each : found) {
        nlohmann::ordered_json ranks = nlohmann::ordered_json::array();
        for (const Rank rank : each.ranks) ranks.push_back(rank.index);
        json.push_back({{"kind", each.kind},
                        {"names", each.names},
                        {"factor", each.factor},
                        {"ranks", std::move(ranks)},
                        {"time_s", seconds(each.time)}});
    }
    return json;
}

}  // namespace warpfront::tools
