#include "simulator/scenario/workers_key.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>

#include "simulator/input/quantity.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/scenario/csv.hpp"

namespace warpfront::scenario {

namespace {

const std::array<std::string, 3> kScheduleColumns{"at", "node", "cores"};

std::vector<variation::CoresChange> read_schedule(const SourceFilePtr& source, std::uint32_t nodes, std::uint32_t cores,
                                                  Diagnostics& faults) {
    std::vector<variation::CoresChange> changes;
    const CsvTable table = read_csv(source, faults);
    const auto columns = find_columns(table.header, source, kScheduleColumns, kScheduleColumns.size(), "the schedule",
                                      "expected the columns `at,node,cores`", faults);
    if (!std::ranges::all_of(columns, [](const auto& column) { return column.has_value(); })) return changes;
    for (const std::vector<Cell>& row : table.rows) {
        const Cell& at = row[*columns[0]];
        const Cell& node = row[*columns[1]];
        const Cell& count = row[*columns[2]];
        variation::CoresChange change;
        change.at = input::parse_time(at.text, at.range, faults);
        change.node = {static_cast<std::uint32_t>(
            input::parse_integer(node.text, node.range, 0, std::int64_t{nodes} - 1, faults))};
        change.cores = static_cast<std::uint32_t>(input::parse_integer(count.text, count.range, 0, cores, faults));
        changes.push_back(change);
    }
    return changes;
}

constexpr Time kLeastBetweenDraws{1'000'000};

variation::DrawnCores read_drawn(const YamlNode& node, std::uint32_t cores, Diagnostics& faults) {
    MappingReader keys(node, "`drawn`", faults);
    variation::DrawnCores drawn;
    keys.require("every");
    drawn.least = static_cast<std::uint32_t>(keys.integer("least", 0, cores).value_or(0));
    drawn.most = static_cast<std::uint32_t>(keys.integer("most", 1, cores).value_or(cores));
    drawn.every = keys.time("every").value_or(kLeastBetweenDraws);
    keys.finish();
    if (drawn.most < drawn.least) {
        faults.add(DiagnosticKind::out_of_range, keys.range_of("most"), "`most` is below `least`",
                   fmt::format("expected at least {}", drawn.least));
    }
    if (drawn.every < kLeastBetweenDraws) {
        faults.add(DiagnosticKind::out_of_range, keys.range_of("every"), "`every` is below 1us",
                   "expected a time of at least 1us, since a run performs every draw");
    }
    return drawn;
}

std::vector<variation::LostNode> read_lost(const YamlNode* list, std::uint32_t nodes, Diagnostics& faults) {
    std::vector<variation::LostNode> lost;
    if (list == nullptr) return lost;
    if (list->kind != YamlNode::Kind::sequence) {
        faults.add(DiagnosticKind::wrong_yaml_type, list->range, "`lost` is not a list",
                   "expected a list, such as `[{node: 1, at: 2h, repaired: 30min}]`");
        return lost;
    }
    for (const YamlNode& item : list->items) {
        MappingReader keys(item, "a lost node", faults);
        keys.require("node");
        keys.require("at");
        variation::LostNode each;
        each.node = {static_cast<std::uint32_t>(keys.integer("node", 0, std::int64_t{nodes} - 1).value_or(0))};
        each.at = keys.time("at").value_or(Time{});
        each.repaired = keys.time("repaired");
        keys.finish();
        lost.push_back(each);
    }
    return lost;
}

}  // namespace

WorkersKey read_workers(MappingReader& top, const std::filesystem::path& scenario, std::uint32_t nodes,
                        std::uint32_t cores, Diagnostics& faults) {
    WorkersKey key;
    const YamlNode* node = top.take("workers");
    if (node == nullptr) return key;
    key.given = true;
    key.range = node->range;
    MappingReader keys(*node, "`workers`", faults);
    static const std::vector<std::string> kJoining{"at_once", "by_turn"};
    variation::Availability& availability = key.availability;
    availability.by_turn = keys.choice("joining", kJoining).value_or(0) == 1;
    if (keys.has("schedule") && keys.has("drawn")) {
        faults.add(DiagnosticKind::conflicting_keys, keys.range_of("drawn"), "both `drawn` and `schedule` are given",
                   "expected only one of the two");
    }
    if (const YamlNode* drawn = keys.take("drawn")) availability.drawn = read_drawn(*drawn, cores, faults);
    if (const auto file = keys.text("schedule")) {
        key.schedule_as_written = *file;
        faults.collect([&] {
            key.source =
                input::read_file((input::folder_of(scenario) / *file).lexically_normal(), keys.range_of("schedule"));
            availability.changes = read_schedule(*key.source, nodes, cores, faults);
        });
    }
    availability.lost = read_lost(keys.take("lost"), nodes, faults);
    keys.finish();
    return key;
}

}  // namespace warpfront::scenario
