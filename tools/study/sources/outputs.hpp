// The outputs of published values beside the values computed here: a table for a terminal, CSV, JSON.
#pragma once

#include <span>
#include <string>

#include <nlohmann/json.hpp>

#include "tools/study/sources/items.hpp"

namespace warpfront::tools {

/// Formats a block for each item: a line for each statement with its verdict, below it the reason of a difference and
/// its test; last the number of statements of each verdict.
std::string sources_text(std::span<const SourceItem> items);

/// Formats a line for each engine of each statement: item,states,expected,engine,ours,difference_pct,verdict,
/// reason,tested_by.
std::string sources_csv(std::span<const SourceItem> items);

/// Returns schema `warpfront.sources/1`; `result` of an item is that of its study or comparison.
nlohmann::ordered_json sources_json(std::span<const SourceItem> items);

/// Counts the statements that differ without a reason.
std::size_t unexplained(std::span<const SourceItem> items);

}  // namespace warpfront::tools
