// The critical path of a run in words, as a table and as JSON: what the longest chain of events through the ranks went
// to (record::PathParts), or that through self-scheduled tasks (record::TaskPath), and what a change of each kind of
// cost would do. The terms of a closed form are divided alike.
//
// A part divided by the time is the elasticity: one per cent less of that cost saves so many per cent of a per cent.
// That is exact for small changes. For larger ones another chain becomes the longest: where nothing is shared no change
// saves more than its part says. Three kinds of cost have more than their part in proportion to them
// (proportional_to): computing that shares memory, the bandwidth of memory, and the wires that limit messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"

namespace warpfront::results {

/// What the path says of a run with one kind of cost, which takes `part` of it, multiplied by `factor`.
WideTime foreseen(WideTime total, WideTime part, double factor);

/// The slowest wire between ranks that exchange messages.
struct SlowestWire {
    std::string name;
    bool is_nic = false;  // injection or ejection; else a link
};

/// The time on a path that a kind of cost multiplies, and the most that a change of this cost saves.
struct Proportional {
    WideTime time;
    WideTime most;
};

/// Returns what of the path is in proportion to the cost of `part`:
///   compute     compute and memory: a slowed block is in proportion to its length
///   memory      all time in saturated memory; no bandwidth saves more than the part `memory`
///   nic, link   holds by others, and the transfers that the NIC, or a link, limits
///   wire        NICs and links
Proportional proportional_to(const record::PathPart& part, const record::PathParts& path,
                             const std::optional<record::SaturatedMemory>& saturated, const SlowestWire& wire);

/// Returns the time of the run that the path foresees with a cost multiplied by `factor`.
WideTime foreseen(WideTime total, const Proportional& cost, double factor);

/// A run with one kind of cost changed, beside what the path says of it.
struct Rerun {
    std::string_view part;
    double factor = 1.0;
    WideTime foreseen;
    WideTime time;
};

/// Parts with their shares; below them the fill and the runs again, if there are any.
std::string path_table(const record::PathParts& path, std::optional<WideTime> fill, std::span<const Rerun> reruns = {});

/// The parts that a closed form has, with their shares; below them its fill, its steady state and the rest.
std::string closed_form_table(const record::PathParts& path, WideTime fill, WideTime nonwavefront);

/// One paragraph: what binds, what would help, and by how much.
std::string path_paragraph(const record::PathParts& path, const SlowestWire& wire,
                           const std::optional<record::SaturatedMemory>& saturated = std::nullopt);

/// What the longest chain through tasks went to, by cause and by kind of task; below it the runs again, if there are
/// any.
std::string path_table(const record::TaskPath& path, std::span<const Rerun> reruns = {});
std::string path_paragraph(const record::TaskPath& path);
nlohmann::ordered_json path_json(const record::TaskPath& path);

/// The runs again, each with its part of the path, by how much its cost was multiplied, and both times.
nlohmann::ordered_json reruns_json(std::span<const Rerun> reruns);

/// `bandwidth_s` includes `wire_s`, of the messages that a wire limits. `contention_s` is what the holds of shared
/// resources add up to; compute, overhead, latency, bandwidth and contention are all of the time. So are `fill_s` and
/// `steady_s`, where the program has loops of tiles: the least that a rank is outside their steady state, and the rest;
/// of a closed form also `nonwavefront_s`. `memory_saturated_s` and `memory_uneven_s` are record::SaturatedMemory.
nlohmann::ordered_json path_json(const record::PathParts& path, std::optional<WideTime> fill,
                                 std::optional<WideTime> nonwavefront = std::nullopt,
                                 const std::optional<record::SaturatedMemory>& saturated = std::nullopt);

}  // namespace warpfront::results
