// Methods and measurements side by side, one row per experiment, with their differences. A method is an engine, by its
// name, or a published prediction, by its column (pred, warpp, pace).
//
//   difference of a to b = 100 * (a - b) / b, in percent; the error of a method is its difference to exec, the
//   measurement
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/input/diagnostic.hpp"
#include "simulator/results/ensemble.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/percent.hpp"
#include "simulator/units/time.hpp"
#include "tools/difference/difference_parts.hpp"
#include "tools/prediction/engines.hpp"
#include "tools/prediction/option_values.hpp"

namespace warpfront::tools {

struct MethodTime {
    std::string method;
    WideTime time;
    std::optional<WideTime> contention_term{};    // closed form
    std::optional<Waiting> waiting{};             // stepped engines; of several seeds the first
    std::optional<results::Interval> interval{};  // of several seeds, whose mean is `time`, or calibrated
};

struct ComparisonRow {
    std::string table{};  // the name of its table in a list of several
    std::string label{};  // what the output shows
    unsigned line = 0;    // in the published table; 0 without one
    RankGrid grid{};
    std::vector<MethodTime> times{};        // of engines, in the requested order
    std::vector<MethodTime> predictions{};  // published, in the order of their columns
    std::optional<Time> measurement{};
    std::optional<DifferenceParts> parts{};                          // of event minus analytic
    std::vector<std::pair<std::string, std::string>> information{};  // published columns passed through
    nlohmann::ordered_json scenario{};                               // as run
};

struct Comparison {
    std::vector<ComparisonRow> rows;
    std::vector<std::string> notes;
    std::map<std::string, std::string> inputs{};  // of all rows, the hash of each by its path
};

/// `of` and `to` are methods, `to` also "exec".
struct Difference {
    std::string of;
    std::string to;
    Percent percent;
};

/// The time of an engine or a published prediction; nullptr if the row has none.
const MethodTime* time_of(const ComparisonRow& row, std::string_view method);

/// 100 * part / whole, and the difference; nothing for a whole or a reference of zero.
std::optional<Percent> share_of(WideTime part, WideTime whole);
std::optional<Percent> difference(WideTime of, WideTime to);

/// Each engine to pred and to exec if they are known, then other predictions to exec, the event engine to every other
/// engine, and other engines to simgrid.
std::vector<Difference> differences(const ComparisonRow& row);

/// One message per row and difference beyond `tolerance`: each engine against pred, or, with `between_engines`,
/// one engine against another. Rows that have no pred are not judged.
std::vector<std::string> beyond(const Comparison& comparison, Percent tolerance, bool between_engines);

/// How a message names the row.
std::string name_of(const ComparisonRow& row);

}  // namespace warpfront::tools
