#include "tools/study/cases/tables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/input/file_kind.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::tools {

namespace {

constexpr std::string_view kListKey = "comparisons";

constexpr std::array<std::string_view, 4> kJudgedBy{"pred", "warpp", "pace", "exec"};

std::map<std::string, Percent> read_within(const YamlNode& node, Diagnostics& faults) {
    MappingReader reader(node, "`within`", faults, "expected percentages of published columns: {exec: 10 %}");
    std::map<std::string, Percent> within;
    for (const std::string_view column : kJudgedBy) {
        const YamlNode* value = reader.take(column);
        if (value != nullptr) within[std::string(column)] = input::parse_percent(value->scalar, value->range, faults);
    }
    reader.finish();
    return within;
}

/// Reads one text for all columns, or a text for each of some columns.
std::map<std::string, std::string> read_tests(const YamlNode& node, Diagnostics& faults) {
    std::map<std::string, std::string> tests;
    if (node.kind == YamlNode::Kind::scalar) {
        for (const std::string_view column : kJudgedBy) tests.emplace(column, node.scalar);
        return tests;
    }
    MappingReader reader(node, "`tested_by`", faults, "expected a text, or texts of published columns: {exec: a run}");
    for (const std::string_view column : kJudgedBy) {
        if (const auto test = reader.text(column)) tests.emplace(column, *test);
    }
    reader.finish();
    return tests;
}

ComparisonEntry read_entry(const YamlNode& node, Diagnostics& faults) {
    MappingReader reader(node, "a comparison", faults);
    ComparisonEntry entry{read_case_table(reader, faults)};
    entry.name = reader.text("name").value_or(
        fmt::format("{}, {}", entry.scenario.file.stem().string(), entry.file.stem().string()));
    if (const YamlNode* within = reader.take("within")) entry.within = read_within(*within, faults);
    entry.reason = reader.text("reason").value_or("");
    if (const YamlNode* tests = reader.take("tested_by")) entry.tested_by = read_tests(*tests, faults);
    if (!entry.tested_by.empty() && entry.reason.empty()) reader.require("reason");
    reader.finish();
    return entry;
}

}  // namespace

CaseTable read_case_table(MappingReader& keys, Diagnostics& faults) {
    CaseTable table{.scenario = scenario::read_named_scenario(keys, faults),
                    .file = scenario::read_file_name(keys, "against")};
    table.range = keys.range_of("against");
    return table;
}

void Cases::add(const CaseTable& table, const std::vector<std::string>& sets) {
    const scenario::ScenarioDocument base = scenario::read_document(table.scenario, sets);
    const SourceFilePtr source = input::read_file(table.file, table.range);
    if (table.file.extension() != ".csv") {
        input::refuse_other_kind(source, {}, "a published table (.csv)", table.range);
    }
    Diagnostics faults;
    const scenario::ReferenceTable read = scenario::read_reference_table(source, faults);
    faults.raise();
    if (!read.skipped.empty()) {
        const std::string note = read.skipped_note();
        notes.push_back(table.name.empty() ? note : fmt::format("{}: {}", table.name, note));
        warnings.push_back(fmt::format("warning: {}: {}", source->name(), note));
    }
    for (const std::string& note : read.notes()) {
        if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
    }
    if (read.rows.empty()) {
        throw BadInput(DiagnosticKind::nothing_to_compare, {source, 0, 0}, "every row is skipped",
                       "expected a row with a process grid, in columns `n` and `m`");
    }
    for (const scenario::ReferenceRow& row : read.rows) {
        faults.collect([&] {
            const scenario::ScenarioDocument document = scenario::document_of(row, base);
            hidden.add(base.tree, document.tree);
            all.push_back({table.name, row, scenario::scenario_of(row, document), {source}});
        });
    }
    faults.raise();
}

bool is_comparison_list(const SourceFilePtr& source) {
    Diagnostics reported_later;
    return input::parse_yaml(source, reported_later).find(kListKey) != nullptr;
}

ComparisonList read_comparison_list(const SourceFilePtr& source) {
    Diagnostics faults;
    const YamlNode tree = input::parse_yaml(source, faults);
    MappingReader reader(tree, "a list of comparisons", faults);
    ComparisonList list_read{.source_text = reader.text("source").value_or(""), .entries = {}};
    std::set<std::string> names;
    const YamlNode* list = reader.require(kListKey);
    if (list != nullptr && (list->kind != YamlNode::Kind::sequence || list->items.empty())) {
        faults.add(DiagnosticKind::nothing_to_compare, list->range, "`comparisons` has no entries",
                   "expected entries with `scenario` and `against`");
    }
    for (std::size_t k = 0; list != nullptr && k < list->items.size(); ++k) {
        ComparisonEntry entry = read_entry(list->items[k], faults);
        if (!names.insert(entry.name).second) {
            faults.add(DiagnosticKind::duplicate_name, list->items[k].range,
                       fmt::format("two comparisons are called `{}`", entry.name),
                       "expected a different `name` for each comparison");
        }
        list_read.entries.push_back(std::move(entry));
    }
    reader.finish();
    faults.raise();
    return list_read;
}

std::string text_of(const Judgement& judgement) {
    const bool has_percent = judgement.ours.find('%') != std::string::npos;
    if (!judgement.difference || judgement.difference->value == 0.0 || has_percent) return judgement.ours;
    return fmt::format("{} ({:+.2g} %)", judgement.ours, judgement.difference->value);
}

std::string_view name_of(Verdict verdict) {
    static constexpr std::array<std::string_view, 5> kNames{"agrees", "explained", "not known", "DIFFERS", "not run"};
    return kNames[static_cast<std::size_t>(verdict)];
}

bool Statement::agrees() const { return std::ranges::all_of(ours, &Judgement::agrees); }

Verdict Statement::verdict() const {
    if (ours.empty()) return Verdict::not_run;
    if (agrees()) return Verdict::agrees;
    if (reason.empty()) return Verdict::differs;
    return tested_by.empty() ? Verdict::not_known : Verdict::explained;
}

void Statement::add_to(nlohmann::ordered_json& json) const {
    json["engines"] = nlohmann::ordered_json::array();
    for (const Judgement& each : ours) {
        nlohmann::ordered_json engine{{"engine", each.engine}, {"ours", each.ours}, {"agrees", each.agrees}};
        if (each.difference) engine["difference_pct"] = each.difference->value;
        json["engines"].push_back(std::move(engine));
    }
    if (our_bounds) json["bounds"] = "ours";
    if (!reason.empty()) json["reason"] = reason;
    if (!tested_by.empty()) json["tested_by"] = tested_by;
}

namespace {

/// Calls `found` with the range of every scalar or list in an argument of --set.
void for_each_argument(const YamlNode& node, const std::function<void(const SourceRange&)>& found) {
    for (const YamlNode::Entry& entry : node.entries) for_each_argument(entry.value, found);
    if (node.kind == YamlNode::Kind::mapping || !node.range.source) return;
    if (node.range.source->name().starts_with(scenario::kArgumentName)) found(node.range);
}

}  // namespace

void HiddenArguments::add(const YamlNode& base, const YamlNode& row) {
    const auto key = [](const SourceRange& range) { return std::pair(range.source->name(), range.offset); };
    for_each_argument(base, [&](const SourceRange& range) { values_.try_emplace(key(range), Value{range}); });
    for_each_argument(row, [&](const SourceRange& range) {
        if (const auto value = values_.find(key(range)); value != values_.end()) value->second.is_kept = true;
    });
}

void HiddenArguments::refuse() const {
    Diagnostics faults;
    for (const auto& [place, value] : values_) {
        if (value.is_kept) continue;
        faults.add(DiagnosticKind::conflicting_keys, value.range,
                   fmt::format("`{}` has no effect: every row of the table sets this key", place.first),
                   "expected a key that the table does not set");
    }
    faults.raise();
}

}  // namespace warpfront::tools
