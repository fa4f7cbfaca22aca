#include "simulator/scenario/comparison_list.hpp"

#include <array>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"

namespace warpfront::scenario {

using input::DiagnosticKind;
using input::Diagnostics;
using input::YamlNode;

namespace {

constexpr std::string_view kListKey = "comparisons";

std::vector<std::string> read_sets(const YamlNode& node, Diagnostics& faults) {
    std::vector<std::string> sets;
    const bool sequence = node.kind == YamlNode::Kind::sequence;
    if (!sequence) faults.add(DiagnosticKind::wrong_yaml_type, node.range, "`set` is no list", "expected [PATH=VALUE]");
    for (const YamlNode& item : node.items) {
        if (item.kind == YamlNode::Kind::scalar) {
            sets.push_back(item.scalar);
        } else {
            faults.add(DiagnosticKind::wrong_yaml_type, item.range, "an override is no text",
                       "expected 'PATH=VALUE', in quotes if the value has braces");
        }
    }
    return sets;
}

constexpr std::array<std::string_view, 4> kJudgedBy{"pred", "warpp", "pace", "exec"};

std::map<std::string, Percent> read_within(const YamlNode& node, Diagnostics& faults) {
    input::MappingReader reader(node, "`within`", faults, "expected percentages of published columns: {exec: 10 %}");
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
    input::MappingReader reader(node, "`tested_by`", faults,
                                "expected a text, or texts of published columns: {exec: a run}");
    for (const std::string_view column : kJudgedBy) {
        if (const auto test = reader.text(column)) tests.emplace(column, *test);
    }
    reader.finish();
    return tests;
}

ComparisonEntry read_entry(const YamlNode& node, const std::filesystem::path& folder, Diagnostics& faults) {
    input::MappingReader reader(node, "a comparison", faults);
    ComparisonEntry entry;
    const auto read_path = [&](std::string_view key, std::filesystem::path& path, input::SourceRange& range) {
        if (!reader.has(key)) reader.require(key);
        if (const std::optional<std::string> text = reader.text(key)) path = folder / *text;
        range = reader.range_of(key);
    };
    read_path("scenario", entry.scenario, entry.scenario_range);
    read_path("against", entry.against, entry.against_range);
    if (const YamlNode* sets = reader.take("set")) entry.sets = read_sets(*sets, faults);
    entry.name = reader.text("name").value_or(
        fmt::format("{}, {}", entry.scenario.stem().string(), entry.against.stem().string()));
    if (const YamlNode* within = reader.take("within")) entry.within = read_within(*within, faults);
    entry.reason = reader.text("reason").value_or("");
    if (const YamlNode* tests = reader.take("tested_by")) entry.tested_by = read_tests(*tests, faults);
    if (!entry.tested_by.empty() && entry.reason.empty()) reader.require("reason");
    reader.finish();
    return entry;
}

}  // namespace

bool is_comparison_list(const input::SourceFilePtr& source) {
    Diagnostics reported_later;
    return input::parse_yaml(source, reported_later).find(kListKey) != nullptr;
}

ComparisonList read_comparison_list(const std::filesystem::path& file, const input::SourceFilePtr& source) {
    Diagnostics faults;
    const YamlNode tree = input::parse_yaml(source, faults);
    input::MappingReader reader(tree, "a list of comparisons", faults);
    ComparisonList list_read{.source_text = reader.text("source").value_or(""), .entries = {}};
    std::set<std::string> names;
    const YamlNode* list = reader.require(kListKey);
    if (list != nullptr && (list->kind != YamlNode::Kind::sequence || list->items.empty())) {
        faults.add(DiagnosticKind::nothing_to_compare, list->range, "`comparisons` lists nothing",
                   "expected entries with `scenario` and `against`");
    }
    for (std::size_t k = 0; list != nullptr && k < list->items.size(); ++k) {
        ComparisonEntry entry = read_entry(list->items[k], input::folder_of(file), faults);
        if (!names.insert(entry.name).second) {
            faults.add(DiagnosticKind::duplicate_name, list->items[k].range,
                       fmt::format("two comparisons are called `{}`", entry.name), "expected another `name`");
        }
        list_read.entries.push_back(std::move(entry));
    }
    reader.finish();
    faults.raise();
    return list_read;
}

}  // namespace warpfront::scenario
