#include "tools/from_code/learning/roots.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace warpfront::learning {

namespace {

using RootKind = RootRule::Kind;

/// Returns all rules, the simplest first.
std::vector<RootRule> all_rules(const Variables& variables) {
    constexpr std::int64_t kMostWidth = 16;
    std::vector<RootRule> rules{
        {RootKind::first}, {RootKind::last}, {RootKind::in_turn, 1}, {RootKind::in_turn, 0}, {RootKind::in_blocks}};
    for (auto v = static_cast<std::uint32_t>(Variables::kParameters); v < variables.names.size(); ++v) {
        rules.push_back({RootKind::in_turn, 1, {{{1, {{Atom::Rule::variable, v}}}}, 0}});
    }
    for (std::int64_t width = 2; width <= kMostWidth; ++width) rules.push_back({RootKind::in_turn, 1, {{}, width}});
    return rules;
}

}  // namespace

bool has_root(collectives::Kind kind) {
    using enum collectives::Kind;
    return kind == bcast || kind == reduce || kind == gather || kind == gatherv || kind == scatter || kind == scatterv;
}

Calls moving_roots(const std::vector<RunSteps>& runs) {
    Calls moving;
    Calls inside;  // calls with a root that is neither the first nor the last rank
    for (const RunSteps& run : runs) {
        for (const RankSteps& rank : *run.ranks) {
            std::map<std::pair<std::uint32_t, std::uint32_t>, Rank> roots;  // root of each call and communicator
            for (const Step& step : rank.steps) {
                if (step.kind != StepKind::collective || !has_root(step.collective)) continue;
                const trace::RecordedSite& site = run.recorded->sites[step.site];
                const auto [known, is_new] = roots.try_emplace({step.site, step.communicator}, step.peer);
                if (known->second != step.peer) moving.insert({site.file, site.line, site.function});
                const std::vector<Rank>& members = run.recorded->communicators[step.communicator];
                if (step.peer != members.front() && step.peer != members.back()) {
                    inside.insert({site.file, site.line, site.function});
                }
            }
        }
    }
    std::erase_if(moving, [&inside](const auto& call) { return !inside.contains(call); });
    return moving;
}

std::optional<RootPosition> root_position(const RankGrid& grid, Group group, Rank root) {
    switch (group) {
        case Group::world: return RootPosition{root.index, static_cast<std::uint32_t>(grid.ranks())};
        case Group::row: return RootPosition{grid.column(root) - 1, grid.columns};
        case Group::column: return RootPosition{grid.row(root) - 1, grid.rows};
        case Group::pillar: return RootPosition{grid.plane(root) - 1, grid.planes};
        default: return std::nullopt;
    }
}

std::uint32_t root_index(const RootRule& rule, const Iteration& iteration, std::uint32_t of) {
    switch (rule.kind) {
        case RootKind::first: return 0;
        case RootKind::last: return of - 1;
        case RootKind::in_turn: {
            const std::int64_t width = std::max<std::int64_t>(value_of(rule.width, *iteration.at), 1);
            return static_cast<std::uint32_t>((iteration.number - rule.skipped) / width % of);
        }
        case RootKind::in_blocks: return static_cast<std::uint32_t>((iteration.number - 1) * of / iteration.of);
    }
    return 0;
}

std::optional<FoundRoot> root_rule(const std::vector<RootSample>& samples, const Variables& variables) {
    std::vector<RootRule> found = all_rules(variables);
    std::erase_if(found, [&samples](const RootRule& rule) {
        return !std::ranges::all_of(samples, [&rule](const RootSample& each) {
            return root_index(rule, each.iteration, each.root.of) == each.root.index;
        });
    });
    if (found.empty()) return std::nullopt;
    const RootRule first = found.front();
    found.erase(found.begin());
    return FoundRoot{first, std::move(found)};
}

std::string text_of(const RootRule& rule, const Variables& variables, const std::string& of, const std::string& counter,
                    const std::string& last) {
    switch (rule.kind) {
        case RootKind::first: return "0";
        case RootKind::last: return of + " - 1";
        case RootKind::in_blocks: return fmt::format("quotient(({} - 1) * {}, {})", counter, of, last);
        case RootKind::in_turn: break;
    }
    const std::string at = rule.skipped == 0 ? counter : fmt::format("({} - {})", counter, rule.skipped);
    if (rule.width == Expression{{}, 1}) return fmt::format("{} % {}", at, of);
    const std::string width = rule.width.terms.empty() ? fmt::format("{}", rule.width.constant)
                                                       : text_of(rule.width.terms.front().atoms.front(), variables);
    return fmt::format("quotient({}, {}) % {}", at, width, of);
}

}  // namespace warpfront::learning
