#include "tools/study/sources/items.hpp"

#include <array>
#include <numeric>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"

namespace warpfront::tools {

namespace {

const std::string kIndent(12, ' ');  // as wide as a verdict

constexpr std::size_t kVerdicts = 5;
using Counts = std::array<std::size_t, kVerdicts>;

Counts counts_of(std::span<const SourceItem> items) {
    Counts counts{};
    for (const SourceItem& item : items) {
        for (const Statement& each : item.statements) ++counts[static_cast<std::size_t>(each.verdict())];
    }
    return counts;
}

std::size_t agree_within_ours(std::span<const SourceItem> items) {
    std::size_t count = 0;
    for (const SourceItem& item : items) {
        for (const Statement& each : item.statements) {
            if (each.our_bounds && each.verdict() == Verdict::agrees) ++count;
        }
    }
    return count;
}

}  // namespace

std::string sources_text(std::span<const SourceItem> items) {
    std::string text;
    for (const SourceItem& item : items) {
        text += fmt::format("{}{}{}\n", item.name, item.title.empty() ? "" : ": ", item.title);
        for (const Statement& each : item.statements) {
            std::vector<std::string> ours;
            for (const Judgement& one : each.ours) {
                ours.push_back(fmt::format("{} {}{}", one.engine, text_of(one), one.agrees ? "" : " (differs)"));
            }
            const std::string line = fmt::format("  {:<10}{}: {}{}{}", name_of(each.verdict()), each.states,
                                                 each.expected, ours.empty() ? "" : "; ", fmt::join(ours, ", "));
            text += results::wrapped(line, kIndent) + "\n";
            if (each.verdict() != Verdict::explained && each.verdict() != Verdict::not_known) continue;
            text += results::wrapped(kIndent + each.reason, kIndent) + "\n";
            if (!each.tested_by.empty())
                text += results::wrapped(kIndent + "tested by " + each.tested_by, kIndent) + "\n";
        }
    }
    const auto counts = counts_of(items);
    return text + fmt::format(
                      "\n{} statements of {} items: {} agree, {} of them within bounds that the source does not state; "
                      "{} differ with a tested cause, {} with an untested reason, {} without a reason; {} not run\n",
                      std::accumulate(counts.begin(), counts.end(), std::size_t{0}), items.size(), counts[0],
                      agree_within_ours(items), counts[1], counts[2], counts[3], counts[4]);
}

std::string sources_csv(std::span<const SourceItem> items) {
    std::string text = "item,states,expected,engine,ours,difference_pct,verdict,reason,tested_by\n";
    const auto add = [&text](const SourceItem& item, const Statement& each, const Judgement* ours) {
        const auto cell = [](const std::string& value) { return results::csv_cell(value); };
        text += fmt::format("{},{},{},{},{},{},{},{},{}\n", cell(item.name), cell(each.states), cell(each.expected),
                            ours == nullptr ? "" : ours->engine, ours == nullptr ? "" : cell(ours->ours),
                            ours == nullptr || !ours->difference ? "" : fmt::format("{}", ours->difference->value),
                            name_of(each.verdict()), cell(each.reason), cell(each.tested_by));
    };
    for (const SourceItem& item : items) {
        for (const Statement& each : item.statements) {
            for (const Judgement& ours : each.ours) add(item, each, &ours);
            if (each.ours.empty()) add(item, each, nullptr);
        }
    }
    return text;
}

nlohmann::ordered_json sources_json(std::span<const SourceItem> items) {
    nlohmann::ordered_json json{{"schema", "warpfront.sources/1"}, {"items", nlohmann::ordered_json::array()}};
    for (const SourceItem& item : items) {
        nlohmann::ordered_json statements = nlohmann::ordered_json::array();
        for (const Statement& each : item.statements) {
            nlohmann::ordered_json statement{
                {"states", each.states}, {"expected", each.expected}, {"verdict", name_of(each.verdict())}};
            each.add_to(statement);
            statements.push_back(std::move(statement));
        }
        json["items"].push_back({{"item", item.name},
                                 {"source", item.source},
                                 {"title", item.title},
                                 {"statements", std::move(statements)},
                                 {"result", item.result}});
    }
    const auto counts = counts_of(items);
    for (std::size_t k = 0; k < counts.size(); ++k)
        json["counts"][std::string(name_of(Verdict{static_cast<std::uint8_t>(k)}))] = counts[k];
    json["context"] = {{"version", WARPFRONT_VERSION}};
    return json;
}

std::size_t unexplained(std::span<const SourceItem> items) {
    return counts_of(items)[static_cast<std::size_t>(Verdict::differs)];
}

}  // namespace warpfront::tools
