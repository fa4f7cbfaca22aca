#include "simulator/scenario/reference_columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "simulator/input/suggestion.hpp"

namespace warpfront::scenario {

using input::FaultKind;
using input::Faults;

namespace {

struct KnownColumn {
    std::string_view name;
    Meaning meaning;
    std::string_view path;
};

constexpr std::array kColumns{
    KnownColumn{"n", Meaning::ranks, "ranks.columns"},
    KnownColumn{"m", Meaning::ranks, "ranks.rows"},
    KnownColumn{"nx", Meaning::path, "cells_per_rank.x"},
    KnownColumn{"ny", Meaning::path, "cells_per_rank.y"},
    KnownColumn{"nz", Meaning::path, "parameters.nz"},
    KnownColumn{"Wg", Meaning::seconds, "parameters.wg"},
    KnownColumn{"Wg_fix", Meaning::seconds, "parameters.wg_fixup"},
    KnownColumn{"htile", Meaning::tile_height, ""},
    KnownColumn{"cores_per_node", Meaning::cores_per_node, ""},
    KnownColumn{"pred", Meaning::prediction, ""},
    KnownColumn{"exec", Meaning::measurement, ""},
    KnownColumn{"problem", Meaning::information, ""},
    KnownColumn{"cells", Meaning::information, ""},
    KnownColumn{"ranks", Meaning::information, ""},
    KnownColumn{"comp", Meaning::information, ""},
    KnownColumn{"comm", Meaning::information, ""},
    KnownColumn{"warpp", Meaning::information, ""},
    KnownColumn{"pace", Meaning::information, ""},
    KnownColumn{"ranks.columns", Meaning::ranks, "ranks.columns"},
    KnownColumn{"ranks.rows", Meaning::ranks, "ranks.rows"},
    KnownColumn{"node.columns", Meaning::path, "node.columns"},
    KnownColumn{"node.rows", Meaning::path, "node.rows"},
    KnownColumn{"cells_per_rank.x", Meaning::path, "cells_per_rank.x"},
    KnownColumn{"cells_per_rank.y", Meaning::path, "cells_per_rank.y"},
    KnownColumn{"model", Meaning::path, "model"},
    KnownColumn{"platform", Meaning::path, "platform"},
    KnownColumn{"placement", Meaning::path, "placement"},
    KnownColumn{"iterations", Meaning::path, "iterations"},
};

constexpr std::string_view kParameterPrefix = "parameters.";

/// A parameter of the whole grid and the cells per rank set the same quantity.
std::string one_name(const std::string& path) {
    if (path == "parameters.nx") return "cells_per_rank.x";
    if (path == "parameters.ny") return "cells_per_rank.y";
    return path;
}

/// The keys that a column sets. A tile height sets one of two, depending on the model.
std::vector<std::string> keys_set_by(const Column& column) {
    if (column.meaning == Meaning::tile_height) return {"parameters.htile", "parameters.mk"};
    if (column.meaning == Meaning::cores_per_node) return {"node.columns", "node.rows"};
    if (column.path.empty()) return {};
    return {one_name(column.path)};
}

/// What to do about a name that means nothing.
std::string remedy(const std::string& name) {
    for (const std::string_view separator : {";", "\t"}) {
        if (name.find(separator) != std::string::npos) return "expected commas between column names";
    }
    std::vector<std::string> names;
    for (const KnownColumn& column : kColumns) names.emplace_back(column.name);
    const std::string_view near = input::nearest(name, names);
    if (!near.empty()) return fmt::format("did you mean `{}`?", near);
    return fmt::format("expected `{}` or a parameter such as `parameters.wg`", fmt::join(names, "`, `"));
}

}  // namespace

Column column_named(const Cell& header, Faults& faults) {
    for (const KnownColumn& known : kColumns) {
        if (known.name == header.text) return {header.text, known.meaning, std::string(known.path)};
    }
    const bool parameter = header.text.starts_with(kParameterPrefix) && header.text.size() > kParameterPrefix.size() &&
                           header.text.find('.', kParameterPrefix.size()) == std::string::npos;
    if (parameter) return {header.text, Meaning::path, header.text};
    faults.add(FaultKind::unknown_column, header.place, fmt::format("unknown column `{}`", header.text),
               remedy(header.text));
    return {header.text, Meaning::information, ""};
}

void refuse_conflicts(std::span<const Column> columns, std::span<const Cell> header, Faults& faults) {
    std::map<std::string, const Column*> set_by;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        for (const std::string& key : keys_set_by(columns[k])) {
            const auto [earlier, is_new] = set_by.try_emplace(key, &columns[k]);
            if (is_new || earlier->second->name == columns[k].name) continue;
            faults.add(FaultKind::conflicting_keys, header[k].place,
                       fmt::format("column `{}` beside column `{}`", columns[k].name, earlier->second->name),
                       fmt::format("expected one of the two, since both set `{}`", key));
        }
    }
}

}  // namespace warpfront::scenario
