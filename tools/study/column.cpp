#include "tools/study/column.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace warpfront::tools {

ColumnName read_column(const std::string& name, const input::SourceRange& range, input::Diagnostics& faults) {
    std::vector<std::string> names;
    for (const ColumnText& each : kColumns) names.emplace_back(each.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return kColumns[static_cast<std::size_t>(found - names.begin())].column;
    faults.add(input::DiagnosticKind::bad_choice, range, fmt::format("unknown column `{}`", name),
               input::suggestion(name, names));
    return ColumnName::time;
}

}  // namespace warpfront::tools
