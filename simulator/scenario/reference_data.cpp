#include "simulator/scenario/reference_data.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "psl/psl.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/quantity.hpp"
#include "simulator/input/words.hpp"
#include "simulator/scenario/overrides.hpp"

namespace warpfront::scenario {

namespace {

constexpr std::size_t kMostLinesNamed = 8;
constexpr std::int64_t kHighestTile = std::int64_t{1} << 30;
constexpr std::int64_t kMostAngleBlocks = 1000;

bool is_planes(double number) {
    return number >= 1.0 && number <= static_cast<double>(kHighestTile) && number == std::floor(number);
}

/// A patch of the studies in Mudalige 2009, for nodes of this number of ranks.
struct NodePatch {
    std::string_view cores;
    std::string_view columns;
    std::string_view rows;
};
constexpr std::array kNodePatches{NodePatch{"1", "1", "1"}, NodePatch{"2", "2", "1"}, NodePatch{"4", "2", "2"},
                                  NodePatch{"8", "4", "2"}, NodePatch{"16", "4", "4"}};

std::optional<Time> read_time(const Cell& cell, double unit_s, Diagnostics& faults) {
    const std::size_t before = faults.count();
    const double value = input::parse_real(cell.text, cell.range, faults);
    if (faults.count() != before) return std::nullopt;
    const std::optional<Time> time = from_seconds(value * unit_s);
    if (!time || *time == Time{}) {
        faults.add(DiagnosticKind::out_of_range, cell.range,
                   fmt::format("`{}` is not a duration in {}seconds", cell.text, unit_s < 1.0 ? "micro" : ""),
                   fmt::format("expected more than 0 and at most {:.0f}", seconds(kLongestCost) / unit_s));
        return std::nullopt;
    }
    return time;
}

void set_patch(const Cell& header, const Cell& cell, ReferenceRow& row, Diagnostics& faults) {
    for (const NodePatch& patch : kNodePatches) {
        if (patch.cores != cell.text) continue;
        row.overrides.push_back(scalar_override("node.columns", header.range, std::string(patch.columns), cell.range));
        row.overrides.push_back(scalar_override("node.rows", header.range, std::string(patch.rows), cell.range));
        return;
    }
    faults.add(DiagnosticKind::bad_choice, cell.range,
               fmt::format("no patch is known for {} cores per node", cell.text),
               "expected 1, 2, 4, 8 or 16; the columns `node.columns` and `node.rows` set other patches");
}

void read_cell(const Column& column, const Cell& header, const Cell& cell, ReferenceRow& row, Diagnostics& faults) {
    switch (column.meaning) {
        case ColumnMeaning::path:
        case ColumnMeaning::ranks:
            row.overrides.push_back(scalar_override(column.path, header.range, cell.text, cell.range));
            break;
        case ColumnMeaning::role: row.of_roles.push_back({*column.role, header.text, header.range, cell}); break;
        case ColumnMeaning::seconds_of_role:
            input::parse_real(cell.text, cell.range, faults);
            row.of_roles.push_back({*column.role, header.text, header.range, {cell.text + "s", cell.range}});
            break;
        case ColumnMeaning::tile_height: row.tile_height = cell; break;
        case ColumnMeaning::stated_ranks:
            row.stated_ranks = cell;
            row.information.emplace_back(header.text, cell.text);
            break;
        case ColumnMeaning::cores_per_node: set_patch(header, cell, row, faults); break;
        case ColumnMeaning::prediction:
            if (const std::optional<Time> time = read_time(cell, column.unit_s, faults)) {
                row.predictions.push_back({column.method, *time});
            }
            break;
        case ColumnMeaning::measurement: row.measurement = read_time(cell, column.unit_s, faults); break;
        case ColumnMeaning::information:
            if (header.text == "problem") row.label = cell.text;
            row.information.emplace_back(header.text, cell.text);
            break;
    }
}

/// Applies the columns of one row that set parameters by role to a scenario; the model determines the parameters with
/// these roles.
class RoleColumns {
public:
    RoleColumns(const psl::Model& model, ScenarioDocument& document, Diagnostics& faults)
        : model_(model), document_(document), faults_(faults) {}

    void set(const ReferenceRow::OfRole& cell, std::string text) {
        const std::optional<std::string> name = model_.parameter_with(cell.role);
        if (!name) return refuse(cell);
        if (const YamlNode* earlier = parameter(*name);
            earlier != nullptr && earlier->range.source == cell.header.source) {
            faults_.add(DiagnosticKind::conflicting_keys, cell.header,
                        fmt::format("the table has both column `{}` and column `parameters.{}`", cell.column, *name),
                        fmt::format("expected only one of the two, since both set `parameters.{}`", *name));
            return;
        }
        apply(scalar_override("parameters." + *name, cell.header, std::move(text), cell.value.range), document_,
              faults_);
    }

    /// Sets a tile height of `cell` planes, which may be a fraction. If the model divides the angles of a tile, the
    /// scenario's number of angles is kept if the number of planes is then whole. Otherwise the tile gets the smallest
    /// possible number of planes, and a divisor of the number of all angles.
    void set_tile_height(const Cell& cell) {
        const ReferenceRow::OfRole planes{psl::Role::tile_planes, "htile", cell.range, cell};
        if (!model_.parameter_with(psl::Role::tile_angles)) return set(planes, cell.text);
        const std::size_t before = faults_.count();
        const double height = input::parse_real(cell.text, cell.range, faults_);
        const auto all = whole_number(psl::Role::angles, cell);
        const auto of_tile = whole_number(psl::Role::tile_angles, cell);
        if (faults_.count() != before || !all || !of_tile) return;
        const auto planes_with = [&](std::int64_t angles) {
            return height * static_cast<double>(*all) / static_cast<double>(angles);
        };
        if (is_planes(planes_with(*of_tile))) return set(planes, fmt::format("{:.0f}", planes_with(*of_tile)));
        const bool divides = *all % *of_tile == 0;
        for (std::int64_t blocks = 1; divides && blocks <= std::min(*all, kMostAngleBlocks); ++blocks) {
            const std::int64_t angles = *all / blocks;
            if (*all % blocks != 0 || !is_planes(planes_with(angles))) continue;
            set({psl::Role::tile_angles, "htile", cell.range, cell}, fmt::format("{}", angles));
            return set(planes, fmt::format("{:.0f}", planes_with(angles)));
        }
        faults_.add(DiagnosticKind::no_tile_height, cell.range,
                    fmt::format("tile height {0} does not give a whole number of planes: {0} * {1} / {2}", cell.text,
                                *all, *of_tile),
                    fmt::format("expected a multiple of {} / {}", divides ? "1" : name_of(psl::Role::tile_angles),
                                name_of(psl::Role::angles)));
    }

private:
    const YamlNode* parameter(std::string_view name) const {
        const YamlNode* parameters = document_.tree.find("parameters");
        return parameters == nullptr ? nullptr : parameters->find(name);
    }

    std::string name_of(psl::Role role) const {
        return model_.parameter_with(role).value_or(std::string(psl::description_of(role).usual[0]));
    }

    void refuse(const ReferenceRow::OfRole& cell) {
        const psl::RoleDescription& role = psl::description_of(cell.role);
        faults_.add(DiagnosticKind::unknown_parameter, cell.header,
                    fmt::format("column `{}` sets the parameter with the role `{}`, which `{}` does not have",
                                cell.column, role.name, model_.name()),
                    fmt::format("expected such a parameter in the model: `param {}: {} as {}`", role.usual[0],
                                role.type, role.name));
    }

    /// Returns the scenario's value of the parameter with this role.
    std::optional<std::int64_t> whole_number(psl::Role role, const Cell& cell) {
        const YamlNode* node = parameter(name_of(role));
        if (node == nullptr || node->kind != YamlNode::Kind::scalar) {
            faults_.add(DiagnosticKind::no_tile_height, cell.range,
                        fmt::format("`htile` cannot be converted to `{}`: the scenario does not state `{}`",
                                    name_of(psl::Role::tile_planes), name_of(role)),
                        fmt::format("expected `{}` among the parameters of the scenario", name_of(role)));
            return std::nullopt;
        }
        const std::size_t before = faults_.count();
        const std::int64_t value = input::parse_integer(node->scalar, node->range, 1, kHighestTile, faults_);
        if (faults_.count() != before) return std::nullopt;
        return value;
    }

    const psl::Model& model_;
    ScenarioDocument& document_;
    Diagnostics& faults_;
};

}  // namespace

std::string ReferenceTable::skipped_note() const {
    if (skipped.empty()) return {};
    const std::size_t named = std::min(skipped.size(), kMostLinesNamed);
    std::string lines = fmt::format("{}", fmt::join(skipped.begin(), skipped.begin() + static_cast<long>(named), ", "));
    if (named < skipped.size()) lines += fmt::format(" and {} more", skipped.size() - named);
    return fmt::format("{} of {} skipped, since the cells of the process grid are empty: line{} {}", skipped.size(),
                       input::counted(rows.size() + skipped.size(), "row"), skipped.size() == 1 ? "" : "s", lines);
}

std::vector<std::string> ReferenceTable::notes() const {
    std::vector<std::string> notes;
    if (has_cells_per_rank) {
        notes.emplace_back(
            "columns `nx` and `ny` of a table are cells of one rank (`cells_per_rank.x`, `cells_per_rank.y`); the "
            "parameters `nx` and `ny` are those of the whole grid");
    }
    const bool compares = std::ranges::any_of(
        rows, [](const ReferenceRow& row) { return row.measurement.has_value() || !row.predictions.empty(); });
    if (!compares) {
        notes.emplace_back(
            "no row has a time to compare with (`exec`, `exec_us`, `pred`, `pred_us`, `warpp`, `pace`): engines are "
            "compared only with one another");
    }
    return notes;
}

/// Returns the columns that identify a row without a `problem`: those that differ between rows, except the ranks and
/// the times.
std::vector<std::size_t> naming_columns(const CsvTable& csv, const std::vector<Column>& columns) {
    std::vector<std::size_t> naming;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const bool says = columns[k].meaning == ColumnMeaning::path || columns[k].role ||
                          columns[k].meaning == ColumnMeaning::cores_per_node || columns[k].name == "cells";
        const auto differs = [&](const std::vector<Cell>& cells) { return cells[k].text != csv.rows.front()[k].text; };
        if (says && std::ranges::any_of(csv.rows, differs)) naming.push_back(k);
    }
    return naming;
}

/// Formats the row as "htile=2, cores_per_node=4", or its line if no column identifies it.
std::string label_of(const ReferenceRow& row, const std::vector<Cell>& header, const std::vector<Cell>& cells,
                     const std::vector<std::size_t>& naming) {
    std::string label;
    for (const std::size_t k : naming) {
        if (cells[k].text.empty()) continue;
        label += fmt::format("{}{}={}", label.empty() ? "" : ", ", header[k].text, cells[k].text);
    }
    return label.empty() ? fmt::format("line {}", row.line) : label;
}

ReferenceTable read_reference_table(const SourceFilePtr& source, Diagnostics& faults) {
    const CsvTable csv = read_csv(source, faults);
    std::vector<Column> columns;
    for (const Cell& header : csv.header) columns.push_back(column_named(header, faults));
    report_conflicts(columns, csv.header, faults);
    require_both_sides(columns, csv.header, faults);

    ReferenceTable table;
    table.has_cells_per_rank = std::ranges::any_of(columns, [](const Column& column) {
        return column.path.starts_with("cells_per_rank.") && column.name != column.path;
    });
    const std::vector<std::size_t> naming =
        csv.rows.empty() ? std::vector<std::size_t>{} : naming_columns(csv, columns);
    for (const std::vector<Cell>& cells : csv.rows) {
        ReferenceRow row;
        row.line = source->position(cells.front().range.offset).line;
        row.label = label_of(row, csv.header, cells, naming);
        bool has_ranks = true;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            if (!cells[k].text.empty()) {
                read_cell(columns[k], csv.header[k], cells[k], row, faults);
            } else if (columns[k].meaning == ColumnMeaning::ranks) {
                has_ranks = false;
            }
        }
        if (has_ranks) {
            table.rows.push_back(std::move(row));
        } else {
            table.skipped.push_back(row.line);
        }
    }
    return table;
}

ScenarioDocument document_of(const ReferenceRow& row, const ScenarioDocument& base) {
    ScenarioDocument document = base;
    Diagnostics faults;
    for (const Override& each : row.overrides) apply(each, document, faults);
    faults.raise();
    if (row.tile_height || !row.of_roles.empty()) {
        const Scenario so_far = read_scenario(document);
        if (so_far.trace) {
            const bool height = row.tile_height.has_value();
            throw BadInput(height ? DiagnosticKind::no_tile_height : DiagnosticKind::conflicting_keys,
                           height ? row.tile_height->range : row.of_roles[0].value.range,
                           fmt::format("a trace has no {} to set", height ? "tile height" : "parameters"),
                           "expected a scenario with a `model`");
        }
        const psl::Model model = psl::load(so_far.model, so_far.model_range);
        RoleColumns columns(model, document, faults);
        for (const ReferenceRow::OfRole& each : row.of_roles) columns.set(each, each.value.text);
        if (row.tile_height) columns.set_tile_height(*row.tile_height);
        faults.raise();
    }
    return document;
}

Scenario scenario_of(const ReferenceRow& row, const ScenarioDocument& document) {
    Scenario scenario = read_scenario(document);
    if (!row.stated_ranks) return scenario;
    Diagnostics faults;
    const std::int64_t stated = input::parse_integer(row.stated_ranks->text, row.stated_ranks->range, 1,
                                                     std::numeric_limits<std::int64_t>::max(), faults);
    faults.raise();
    const RankGrid& grid = scenario.bindings.grid;
    if (static_cast<std::uint64_t>(stated) == grid.ranks()) return scenario;
    throw BadInput(
        DiagnosticKind::conflicting_keys, row.stated_ranks->range,
        fmt::format("column `ranks` states {} ranks, but the process grid is {} x {}", stated, grid.columns, grid.rows),
        fmt::format("expected {}, or another process grid (columns `n` and `m`, or `ranks` of the scenario)",
                    grid.ranks()));
}

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

/// Returns the keys that a column sets, or the time that it gives; for a role, the parameters that usually have this
/// role.
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
            faults.add(
                DiagnosticKind::conflicting_keys, header[k].range,
                fmt::format("the table has both column `{}` and column `{}`", columns[k].name, earlier->second->name),
                fmt::format("expected only one of the two, since both set `{}`", key));
        }
    }
}

void require_both_sides(std::span<const Column> columns, std::span<const Cell> header, Diagnostics& faults) {
    const auto column_of = [&](std::string_view path) {
        return std::ranges::find_if(columns, [&](const Column& column) { return column.path == path; });
    };
    const auto width = column_of("ranks.columns");
    const auto height = column_of("ranks.rows");
    if ((width == columns.end()) == (height == columns.end())) return;
    const bool has_width = width != columns.end();
    const auto given = has_width ? width : height;
    faults.add(DiagnosticKind::missing_key, header[static_cast<std::size_t>(given - columns.begin())].range,
               fmt::format("the table has column `{}`, but no column for the {} of the process grid", given->name,
                           has_width ? "rows" : "columns"),
               has_width ? "expected `m` (or `ranks.rows`) as well" : "expected `n` (or `ranks.columns`) as well");
}

}  // namespace warpfront::scenario
