// The critical path of a run as text, as a table and as JSON: the parts of the longest chain of events through the
// ranks (record::PathParts), or of that through self-scheduled tasks (record::TaskPath), and the effect of a change of
// each kind of cost. The terms of a closed form have the same parts.
//
// A part divided by the time is the elasticity: if it is 0.3, 1 % less of this cost saves 0.3 % of the time. This is
// exact for small changes, unless the paragraph states a reason for estimates. A larger change may save less, since
// another chain becomes the longest; without shared resources, no change saves more than its part. So the paragraph
// states the savings of runs with less of a cost, or the savings by 1 % less that follow from the path. For three kinds
// of cost, the proportional time exceeds their part (proportional_to): computing that shares memory, the bandwidth of
// memory, and the wires that limit messages.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "simulator/record/record.hpp"

namespace warpfront::results {

/// Returns the time that the path predicts for a run with one kind of cost, whose share is `part`, multiplied by
/// `factor`.
WideTime foreseen(WideTime total, WideTime part, double factor);

/// The slowest wire between ranks that exchange messages.
struct SlowestWire {
    std::string name;
    bool is_nic = false;  // true for injection or ejection at a NIC; false for a link
};

/// The time on a path that is proportional to a kind of cost, and the largest saving by a change of this cost.
struct Proportional {
    WideTime time;
    WideTime most;
};

/// Returns the part of the path that is proportional to the cost of `part`:
///   compute     compute and memory: a slowed block is in proportion to its length
///   memory      all time in saturated memory; no bandwidth saves more than the part `memory`
///   nic, link   occupancy by others, and the transfers that the NIC, or a link, limits
///   wire        NICs and links
Proportional proportional_to(const record::PathPart& part, const record::PathParts& path,
                             const std::optional<record::SaturatedMemory>& saturated, const SlowestWire& wire);

/// Returns the time of the run that the path predicts with a cost multiplied by `factor`.
WideTime foreseen(WideTime total, const Proportional& cost, double factor);

/// A run with one kind of cost changed, and the prediction of the path for it.
struct Rerun {
    std::string_view part;
    double factor = 1.0;
    WideTime foreseen;
    WideTime time;
};

/// Formats the parts with their shares; below them the fill and the reruns, if there are any.
std::string path_table(const record::PathParts& path, std::optional<WideTime> fill, std::span<const Rerun> reruns = {});

/// Formats the parts of a closed form, with their shares; below them its fill, its steady state and the rest.
std::string closed_form_table(const record::PathParts& path, WideTime fill, WideTime nonwavefront);

/// Writes one paragraph: the largest part, and the time saved by less of each cost, as found by the reruns or, without
/// reruns, as the path predicts for 1 % less. `estimated` are reasons why these savings are estimates, in addition to
/// shared memory. `interruption` is the length of an interruption of random noise.
std::string path_paragraph(const record::PathParts& path, const SlowestWire& wire,
                           const std::optional<record::SaturatedMemory>& saturated = std::nullopt,
                           std::span<const Rerun> reruns = {}, std::vector<std::string> estimated = {},
                           std::optional<Time> interruption = std::nullopt);

/// Formats the longest chain through tasks, by cause and by kind of task; below it the reruns, if there are any.
std::string path_table(const record::TaskPath& path, std::span<const Rerun> reruns = {});
/// Writes one paragraph, as for ranks. `noise` is true if blocks have jitter or interruptions.
std::string path_paragraph(const record::TaskPath& path, std::span<const Rerun> reruns = {}, bool noise = false);
nlohmann::ordered_json path_json(const record::TaskPath& path);

/// Returns the reruns, each with its part of the path, the factor of its cost, and both times.
nlohmann::ordered_json reruns_json(std::span<const Rerun> reruns);

/// Returns the path. `compute_s` includes `noise_s`. `bandwidth_s` includes `wire_s`, the time of messages that a wire
/// limits, and `packets_s`. `contention_s` is the sum of the waits for shared resources. Compute, overhead, latency,
/// bandwidth and contention add up to the time. If the program has loops of tiles, `fill_s` and `steady_s` (with
/// `nonwavefront_s` for a closed form) also add up to it: the least time that a rank is outside the steady state of
/// these loops, and the rest. `memory_saturated_s` and `memory_uneven_s` are record::SaturatedMemory.
nlohmann::ordered_json path_json(const record::PathParts& path, std::optional<WideTime> fill,
                                 std::optional<WideTime> nonwavefront = std::nullopt,
                                 const std::optional<record::SaturatedMemory>& saturated = std::nullopt);

}  // namespace warpfront::results
