#include "tools/study/findings.hpp"

#include <array>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/quantity.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/answer/prediction/option_values.hpp"
#include "tools/answer/rendering/text_table.hpp"

namespace warpfront::tools {

namespace {

using Kind = Finding::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 4> kKinds{
    {{"best", Kind::best}, {"value", Kind::value}, {"grows", Kind::grows}, {"falls", Kind::falls}}};

/// Returns the index of the value that `text` names. Returns 0 after an error.
std::size_t read_value(const YamlNode& text, const std::string& path, const StudyAxis& axis, Diagnostics& faults) {
    if (const auto index = axis.find(path, text_of(text))) return *index;
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < axis.size; ++k) texts.push_back(axis.text_as(path, k));
    faults.add(DiagnosticKind::bad_choice, text.range,
               fmt::format("`{}` is not one value of the axis `{}`", text_of(text), axis.name()),
               input::suggestion(text_of(text), texts));
    return 0;
}

Selection read_selection(const YamlNode& node, std::string_view key, const std::vector<StudyAxis>& axes,
                         Diagnostics& faults) {
    Selection selection(axes.size());
    MappingReader(node, fmt::format("`{}`", key), faults, "expected values of axes: {ranks: 4K}");
    for (const YamlNode::Entry& entry : node.entries) {
        const std::size_t before = faults.count();
        const std::size_t axis = axis_of(entry.key, entry.key_range, axes, faults);
        if (faults.count() == before) selection[axis] = read_value(entry.value, entry.key, axes[axis], faults);
    }
    return selection;
}

/// Reads a number in the unit of its column. A time may have its own unit, such as `60us`.
double read_number(const YamlNode& node, std::string_view unit, Diagnostics& faults) {
    const std::string text = text_of(node);
    const bool has_unit = !text.empty() && std::isalpha(static_cast<unsigned char>(text.back())) != 0;
    if (unit == "s" && has_unit) return seconds(input::parse_time(text, node.range, faults));
    return input::parse_real(text, node.range, faults);
}

/// Reads a number, `{from: 2, to: 5}`, or `~` if nothing is stated.
std::optional<Stated> read_stated(const YamlNode& node, Percent within, std::string_view unit, Diagnostics& faults) {
    if (node.is_null) return std::nullopt;
    Stated stated{.within = within};
    if (node.kind != YamlNode::Kind::mapping) {
        stated.from = stated.to = read_number(node, unit, faults);
        return stated;
    }
    MappingReader keys(node, "a range of numbers", faults, "expected {from: 2, to: 5}");
    if (!keys.has("from") && !keys.has("to")) keys.require("from");
    if (const YamlNode* from = keys.take("from")) stated.from = read_number(*from, unit, faults);
    if (const YamlNode* to = keys.take("to")) stated.to = read_number(*to, unit, faults);
    keys.finish();
    return stated;
}

std::string text_of_stated(const std::optional<Stated>& stated) {
    if (!stated) return std::string(kEmptyCell);
    std::string text;
    if (stated->from == stated->to) {
        text = fmt::format("{:g}", stated->from);
    } else if (std::isinf(stated->to)) {
        text = fmt::format("at least {:g}", stated->from);
    } else if (std::isinf(stated->from)) {
        text = fmt::format("at most {:g}", stated->to);
    } else {
        text = fmt::format("{:g} to {:g}", stated->from, stated->to);
    }
    return stated->within.value > 0.0 ? fmt::format("{} within {:g} %", text, stated->within.value) : text;
}

/// Returns the items of a list, or a single value as a list of one.
std::vector<YamlNode> items_of(const YamlNode& node) {
    return node.kind == YamlNode::Kind::sequence ? node.items : std::vector{node};
}

void read_best_values(const YamlNode& is, const std::string& path, const std::vector<StudyAxis>& axes, Finding& finding,
                      Diagnostics& faults) {
    std::vector<std::string> texts;
    for (const YamlNode& item : items_of(is)) {
        finding.best.push_back(read_value(item, path, axes[*finding.along], faults));
        texts.push_back(text_of(item));
    }
    finding.expected = fmt::format("{}", fmt::join(texts, " or "));
}

void read_numbers(const YamlNode& is, Percent within, const std::vector<StudyAxis>& axes, Finding& finding,
                  Diagnostics& faults) {
    const std::size_t wanted = finding.along ? axes[*finding.along].size : 1;
    const std::string_view unit = finding.relative_to ? "" : text_of(finding.column).unit;
    std::vector<std::string> texts;
    for (const YamlNode& item : items_of(is)) {
        finding.numbers.push_back(read_stated(item, within, unit, faults));
        texts.push_back(text_of_stated(finding.numbers.back()));
    }
    if (finding.numbers.size() != wanted) {
        faults.add(DiagnosticKind::uneven_axis, is.range,
                   fmt::format("`is` has {}", results::counted(finding.numbers.size(), "value")),
                   fmt::format("expected {}: one for each value of the axis `along`, or one without `along`",
                               results::counted(wanted, "value")));
    }
    const auto stated = std::ranges::count_if(finding.numbers, [](const auto& number) { return number.has_value(); });
    finding.expected = texts.size() > 1 ? results::counted(static_cast<std::uint64_t>(stated), "value") : texts.front();
    if (texts.size() > 1 && within.value > 0.0) finding.expected += fmt::format(" within {:g} %", within.value);
}

/// Returns true if the tolerance of the numbers is ours and not the source's.
bool read_bounds(MappingReader& keys, Diagnostics& faults) {
    const std::string bounds = keys.text("bounds").value_or("stated");
    if (bounds != "ours" && bounds != "stated") {
        faults.add(DiagnosticKind::bad_choice, keys.range_of("bounds"), fmt::format("unknown `bounds: {}`", bounds),
                   "expected `stated` (by the source) or `ours`");
    }
    return bounds == "ours";
}

/// Reads the kind and the column of a statement. One key states both.
void read_kind(MappingReader& keys, const YamlNode& item, Finding& finding, Diagnostics& faults) {
    std::size_t given = 0;
    for (const auto& [name, kind] : kKinds) {
        const auto column = keys.text(name);
        if (!column) continue;
        ++given;
        finding.kind = kind;
        finding.column = read_column(*column, keys.range_of(name), faults);
    }
    if (given == 1) return;
    faults.add(given == 0 ? DiagnosticKind::missing_key : DiagnosticKind::conflicting_keys, item.range,
               given == 0 ? "the statement has no kind" : "the statement has several kinds",
               "expected exactly one of the keys `best`, `value`, `grows` and `falls`, with a column");
}

}  // namespace

std::string_view name_of(Kind kind) { return kKinds[static_cast<std::size_t>(kind)].first; }

Percent Stated::difference(double value) const {
    const double end = value < from ? from : value > to ? to : value;
    constexpr double kRounding = 1e-12;
    return std::abs(value - end) <= kRounding * std::abs(end) ? Percent{}
                                                              : Percent{100.0 * (value - end) / std::abs(end)};
}

Finding read_finding(const YamlNode& item, const std::vector<StudyAxis>& axes, Diagnostics& faults) {
    MappingReader keys(item, "a statement", faults);
    Finding finding;
    finding.at = Selection(axes.size());
    keys.require("states");
    finding.states = keys.text("states").value_or("");
    read_kind(keys, item, finding, faults);
    const std::string_view axis_key = finding.kind == Kind::best ? "over" : "along";
    if (finding.kind != Kind::value) keys.require(axis_key);
    const std::string path = keys.text(axis_key).value_or("");
    if (!path.empty()) finding.along = axis_of(path, keys.range_of(axis_key), axes, faults);
    finding.along_name = path;
    if (const YamlNode* at = keys.take("at")) finding.at = read_selection(*at, "at", axes, faults);
    const YamlNode* relative_to = finding.kind == Kind::best ? nullptr : keys.take("relative_to");
    if (relative_to != nullptr) finding.relative_to = read_selection(*relative_to, "relative_to", axes, faults);
    if (const YamlNode* engine = keys.take("engine"))
        finding.engine = read_engine({text_of(*engine), engine->range}, faults);
    finding.reason = keys.text("reason").value_or("");
    finding.tested_by = keys.text("tested_by").value_or("");
    if (!finding.tested_by.empty() && finding.reason.empty()) keys.require("reason");
    if (finding.kind == Kind::value) finding.our_bounds = read_bounds(keys, faults);
    if (finding.kind == Kind::grows || finding.kind == Kind::falls) {
        finding.expected = name_of(finding.kind);
    } else if (const YamlNode* is = keys.require("is"); is != nullptr && faults.empty()) {
        const YamlNode* within = finding.kind == Kind::value ? keys.take("within") : nullptr;
        if (finding.kind == Kind::best) {
            read_best_values(*is, path, axes, finding, faults);
        } else {
            read_numbers(*is,
                         within == nullptr ? Percent{} : input::parse_percent(text_of(*within), within->range, faults),
                         axes, finding, faults);
        }
        if (finding.our_bounds) finding.expected += " (our bound)";
    }
    keys.finish();
    return finding;
}

}  // namespace warpfront::tools
