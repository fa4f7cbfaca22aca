#include "tools/sources/outputs.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/output.hpp"

namespace warpfront::tools {

namespace {

using Verdict = Statement::Verdict;

const std::string kIndent(12, ' ');  // as wide as a verdict

constexpr std::array<std::string_view, 4> kVerdicts{"agrees", "explained", "DIFFERS", "not run"};

std::string_view name_of(Verdict verdict) { return kVerdicts[static_cast<std::size_t>(verdict)]; }

std::string text_of(const Statement::Ours& ours) {
    std::string text = ours.engine + " " + ours.text;
    const bool has_percent = ours.text.find('%') != std::string::npos;
    if (ours.difference && ours.difference->value != 0.0 && !has_percent) {
        text += fmt::format(" ({:+.2g} %)", ours.difference->value);
    }
    return ours.agrees ? text : text + " (!)";
}

std::array<std::size_t, 4> counts_of(std::span<const SourceItem> items) {
    std::array<std::size_t, 4> counts{};
    for (const SourceItem& item : items) {
        for (const Statement& each : item.statements) ++counts[static_cast<std::size_t>(each.verdict())];
    }
    return counts;
}

}  // namespace

std::string sources_text(std::span<const SourceItem> items) {
    std::string text;
    for (const SourceItem& item : items) {
        text += fmt::format("{}{}{}\n", item.name, item.title.empty() ? "" : ": ", item.title);
        for (const Statement& each : item.statements) {
            std::vector<std::string> ours;
            for (const Statement::Ours& one : each.ours) ours.push_back(text_of(one));
            const std::string line = fmt::format("  {:<10}{}: {}{}{}", name_of(each.verdict()), each.states,
                                                 each.expected, ours.empty() ? "" : "; ", fmt::join(ours, ", "));
            text += results::wrapped(line, kIndent) + "\n";
            if (each.verdict() == Verdict::explained) text += results::wrapped(kIndent + each.reason, kIndent) + "\n";
        }
    }
    const auto counts = counts_of(items);
    return text + fmt::format("\n{} statements of {} items: {} agree, {} differ for a reason, {} without, {} not run\n",
                              counts[0] + counts[1] + counts[2] + counts[3], items.size(), counts[0], counts[1],
                              counts[2], counts[3]);
}

std::string sources_csv(std::span<const SourceItem> items) {
    std::string text = "item,states,expected,engine,ours,difference_pct,verdict,reason\n";
    const auto add = [&text](const SourceItem& item, const Statement& each, const Statement::Ours* ours) {
        const auto cell = [](const std::string& value) { return results::csv_cell(value); };
        text += fmt::format("{},{},{},{},{},{},{},{}\n", cell(item.name), cell(each.states), cell(each.expected),
                            ours == nullptr ? "" : ours->engine, ours == nullptr ? "" : cell(ours->text),
                            ours == nullptr || !ours->difference ? "" : fmt::format("{}", ours->difference->value),
                            name_of(each.verdict()), cell(each.reason));
    };
    for (const SourceItem& item : items) {
        for (const Statement& each : item.statements) {
            for (const Statement::Ours& ours : each.ours) add(item, each, &ours);
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
            nlohmann::ordered_json statement{{"states", each.states},
                                             {"expected", each.expected},
                                             {"verdict", name_of(each.verdict())},
                                             {"engines", nlohmann::ordered_json::array()}};
            for (const Statement::Ours& ours : each.ours) {
                nlohmann::ordered_json one{{"engine", ours.engine}, {"ours", ours.text}, {"agrees", ours.agrees}};
                if (ours.difference) one["difference_pct"] = ours.difference->value;
                statement["engines"].push_back(std::move(one));
            }
            if (!each.reason.empty()) statement["reason"] = each.reason;
            statements.push_back(std::move(statement));
        }
        json["items"].push_back({{"item", item.name},
                                 {"source", item.source},
                                 {"title", item.title},
                                 {"statements", std::move(statements)},
                                 {"result", item.result}});
    }
    const auto counts = counts_of(items);
    for (std::size_t k = 0; k < counts.size(); ++k) json["counts"][std::string(kVerdicts[k])] = counts[k];
    json["context"] = {{"version", WARPFRONT_VERSION}};
    return json;
}

std::size_t unexplained(std::span<const SourceItem> items) {
    return counts_of(items)[static_cast<std::size_t>(Verdict::differs)];
}

}  // namespace warpfront::tools
