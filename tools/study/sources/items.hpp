// Published values beside the values computed here. An item is a study or a list of comparisons with the settings of
// the source. There is one file for each table, figure or finding: `FOLDER/<source>/<item>.yaml`. An item consists of
// statements:
//
//   of a study        an entry of `published` (tools/study/findings.hpp), of each engine
//   of a comparison   a column of its table, all rows together (tools/study/comparison/comparison.hpp)
//
// The verdict on a statement includes all engines that are judged (tools/study/cases/tables.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "tools/study/cases/point_store.hpp"
#include "tools/study/cases/tables.hpp"

namespace warpfront::tools {

struct SourceItem {
    std::string name;    // name such as "mudalige-2009/figure-5.10"
    std::string source;  // publication such as "Mudalige 2009, figure 5.10"
    std::string title;   // the question of a study, or the names of comparisons
    std::vector<Statement> statements;
    nlohmann::ordered_json result;        // JSON of the study or comparison, for the page
    std::vector<std::string> failures{};  // points of a study whose run failed, with the errors
};

/// The options of running items.
struct SourcesRequest {
    const PointStore* points = nullptr;            // the store of finished points
    unsigned threads = 1;                          // number of points or rows that run in parallel
    std::optional<std::uint64_t> most_messages{};  // a run with more messages is not run by the event engine
};

/// Returns the files of items in folders and their subfolders, in natural order (item2 before item10). A path of a file
/// gives this file. Throws BadInput: unreadable_file, or nothing_to_compare for a folder without items.
std::vector<std::filesystem::path> item_files(const std::vector<std::filesystem::path>& named);

/// Reads the items and all files that they name, so that errors are reported before the first run. Throws BadInput with
/// the errors of all items.
void check_items(const std::vector<std::filesystem::path>& files);

/// Runs an item. Throws BadInput (unknown_file_kind for a file that is neither a study nor a list), RunFailed,
/// engine::Interrupted.
SourceItem run_item(const std::filesystem::path& file, const SourcesRequest& request);

/// Formats a paragraph for each item: a line for each statement with its verdict, followed by the reason of a
/// difference and its test. The last line contains the number of statements with each verdict.
std::string sources_text(std::span<const SourceItem> items);

/// Formats a line for each engine of each statement: item,states,expected,engine,ours,difference_pct,verdict,
/// reason,tested_by.
std::string sources_csv(std::span<const SourceItem> items);

/// Returns JSON with the schema `warpfront.sources/1`. The `result` of an item is that of its study or comparison.
nlohmann::ordered_json sources_json(std::span<const SourceItem> items);

/// Counts the statements that differ and have no reason.
std::size_t unexplained(std::span<const SourceItem> items);

}  // namespace warpfront::tools
