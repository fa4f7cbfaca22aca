#include "simulator/scenario/reference_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::scenario {

using input::DiagnosticKind;
using input::Diagnostics;

namespace {

struct KnownColumn {
    std::string_view name;
    ColumnMeaning meaning;
    std::string_view path;
    std::optional<psl::Role> role{};
    std::string_view method = "";
    double unit_s = 1.0;
};

constexpr double kMicrosecond = 1e-6;

constexpr std::array kColumns{
    KnownColumn{"n", ColumnMeaning::ranks, "ranks.columns"},
    KnownColumn{"m", ColumnMeaning::ranks, "ranks.rows"},
    KnownColumn{"nx", ColumnMeaning::path, "cells_per_rank.x"},
    KnownColumn{"ny", ColumnMeaning::path, "cells_per_rank.y"},
    KnownColumn{"nz", ColumnMeaning::role, "", psl::Role::cells_z},
    KnownColumn{"Wg", ColumnMeaning::seconds_of_role, "", psl::Role::work},
    KnownColumn{"Wg_fix", ColumnMeaning::seconds_of_role, "", psl::Role::fixup_work},
    KnownColumn{"htile", ColumnMeaning::tile_height, "", psl::Role::tile_planes},
    KnownColumn{"cores_per_node", ColumnMeaning::cores_per_node, ""},
    KnownColumn{"pred", ColumnMeaning::prediction, "", {}, "pred"},
    KnownColumn{"pred_us", ColumnMeaning::prediction, "", {}, "pred", kMicrosecond},
    KnownColumn{"warpp", ColumnMeaning::prediction, "", {}, "warpp"},
    KnownColumn{"pace", ColumnMeaning::prediction, "", {}, "pace"},
    KnownColumn{"exec", ColumnMeaning::measurement, ""},
    KnownColumn{"exec_us", ColumnMeaning::measurement, "", {}, "", kMicrosecond},
    KnownColumn{"problem", ColumnMeaning::information, ""},
    KnownColumn{"cells", ColumnMeaning::information, ""},
    KnownColumn{"ranks", ColumnMeaning::stated_ranks, ""},
    KnownColumn{"comp", ColumnMeaning::information, ""},
    KnownColumn{"comm", ColumnMeaning::information, ""},
    KnownColumn{"ranks.columns", ColumnMeaning::ranks, "ranks.columns"},
    KnownColumn{"ranks.rows", ColumnMeaning::ranks, "ranks.rows"},
    KnownColumn{"ranks.planes", ColumnMeaning::path, "ranks.planes"},
    KnownColumn{"node.columns", ColumnMeaning::path, "node.columns"},
    KnownColumn{"node.rows", ColumnMeaning::path, "node.rows"},
    KnownColumn{"node.planes", ColumnMeaning::path, "node.planes"},
    KnownColumn{"node.fill", ColumnMeaning::path, "node.fill"},
    KnownColumn{"cells_per_rank.x", ColumnMeaning::path, "cells_per_rank.x"},
    KnownColumn{"cells_per_rank.y", ColumnMeaning::path, "cells_per_rank.y"},
    KnownColumn{"cells_per_rank.z", ColumnMeaning::path, "cells_per_rank.z"},
    KnownColumn{"model", ColumnMeaning::path, "model"},
    KnownColumn{"platform", ColumnMeaning::path, "platform"},
    KnownColumn{"placement", ColumnMeaning::path, "placement"},
    KnownColumn{"iterations", ColumnMeaning::path, "iterations"},
};

constexpr std::string_view kParameterPrefix = "parameters.";

/// Returns the keys that a column sets, or the time that it gives; for a role, the parameters that usually have it.
std::vector<std::string> keys_set_by(const Column& column) {
    if (column.role) {
        std::vector<std::string> keys;
        for (const std::string_view name : psl::description_of(*column.role).usual) {
            if (!name.empty()) keys.push_back(canonical_path(fmt::format("parameters.{}", name)));
        }
        return keys;
    }
    if (column.meaning == ColumnMeaning::cores_per_node) return {"node.columns", "node.rows"};
    if (column.meaning == ColumnMeaning::prediction) return {column.method};
    if (column.meaning == ColumnMeaning::measurement) return {"exec"};
    if (column.path.empty()) return {};
    return {canonical_path(column.path)};
}

/// Returns the expectation in the message for an unknown name.
std::string expected_instead(const std::string& name) {
    for (const std::string_view separator : {";", "\t"}) {
        if (name.find(separator) != std::string::npos) return "expected commas between column names";
    }
    std::vector<std::string> names;
    for (const KnownColumn& column : kColumns) names.emplace_back(column.name);
    const std::string_view near = input::nearest_name(name, names);
    if (!near.empty()) return fmt::format("did you mean `{}`?", near);
    return fmt::format("expected `{}` or a parameter such as `parameters.wg`", fmt::join(names, "`, `"));
}

}  // namespace

Column column_named(const Cell& header, Diagnostics& faults) {
    for (const KnownColumn& known : kColumns) {
        if (known.name != header.text) continue;
        return {header.text, known.meaning, std::string(known.path), known.role, std::string(known.method),
                known.unit_s};
    }
    const bool parameter = header.text.starts_with(kParameterPrefix) && header.text.size() > kParameterPrefix.size() &&
                           header.text.find('.', kParameterPrefix.size()) == std::string::npos;
    if (parameter) return {.name = header.text, .meaning = ColumnMeaning::path, .path = header.text};
    faults.add(DiagnosticKind::unknown_column, header.range, fmt::format("unknown column `{}`", header.text),
               expected_instead(header.text));
    return {.name = header.text, .meaning = ColumnMeaning::information};
}

void report_conflicts(std::span<const Column> columns, std::span<const Cell> header, Diagnostics& faults) {
    std::map<std::string, const Column*> set_by;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        for (const std::string& key : keys_set_by(columns[k])) {
            const auto [earlier, is_new] = set_by.try_emplace(key, &columns[k]);
            if (is_new || earlier->second->name == columns[k].name) continue;
            faults.add(DiagnosticKind::conflicting_keys, header[k].range,
                       fmt::format("column `{}` beside column `{}`", columns[k].name, earlier->second->name),
                       fmt::format("expected one of the two, since both set `{}`", key));
        }
    }
}

void require_both_sides(std::span<const Column> columns, std::span<const Cell> header, Diagnostics& faults) {
    const auto column_of = [&](std::string_view path) {
        return std::find_if(columns.begin(), columns.end(), [&](const Column& column) { return column.path == path; });
    };
    const auto width = column_of("ranks.columns");
    const auto height = column_of("ranks.rows");
    if ((width == columns.end()) == (height == columns.end())) return;
    const bool has_width = width != columns.end();
    const auto given = has_width ? width : height;
    faults.add(DiagnosticKind::missing_key, header[static_cast<std::size_t>(given - columns.begin())].range,
               fmt::format("column `{}` without a column for the {} of the process grid", given->name,
                           has_width ? "rows" : "columns"),
               has_width ? "expected `m` (or `ranks.rows`) as well" : "expected `n` (or `ranks.columns`) as well");
}

}  // namespace warpfront::scenario
