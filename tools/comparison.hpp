// Engines, published predictions and measurements side by side, one row per experiment, with their differences.
//
//   difference of a to b = 100 * (a - b) / b, in percent
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"
#include "tools/engines.hpp"

namespace warpfront::tools {

struct Percent {
    double value = 0.0;
};

struct EngineTime {
    Engine engine = Engine::event;
    WideTime time;
    std::optional<WideTime> contention_term;  // closed form
    std::optional<Waiting> waiting;           // stepped engines
};

struct ComparisonRow {
    std::string label;  // what the table shows
    unsigned line = 0;  // in the published table; 0 without one
    RankGrid grid;
    std::vector<EngineTime> times;  // in the requested order
    std::optional<Time> prediction;
    std::optional<Time> measurement;
    std::vector<std::pair<std::string, std::string>> information;  // published columns passed through
    nlohmann::ordered_json scenario;                               // as run
};

struct Comparison {
    std::vector<ComparisonRow> rows;
    std::vector<std::string> notes;
};

/// `of` and `to` are engine names, "pred" or "exec".
struct Difference {
    std::string of;
    std::string to;
    Percent percent;
};

/// nullptr if that engine has not run.
const EngineTime* time_of(const ComparisonRow& row, Engine engine);

/// Each engine to pred and to exec if they are known, then the event engine to the closed form, and both to simgrid.
std::vector<Difference> differences(const ComparisonRow& row);

/// One message per row and difference beyond `tolerance`: each engine against pred, or, with `between_engines`,
/// one engine against another. Rows that have no pred are not judged.
std::vector<std::string> beyond(const Comparison& comparison, Percent tolerance, bool between_engines);

/// The aligned table for a terminal, with the notes below.
std::string render(const Comparison& comparison);

/// The rows as the value of `rows` in `warpfront.comparison/1`.
nlohmann::ordered_json to_json(std::span<const ComparisonRow> rows);

}  // namespace warpfront::tools
