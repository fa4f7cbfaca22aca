#include "simulator/results/critical_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/results/formatting.hpp"
#include "simulator/results/ranks.hpp"

namespace warpfront::results {

namespace {

/// The names of a part in a sentence: as the largest part, and as a cost that a change reduces.
struct Wording {
    std::string_view largest;
    std::string_view cost;
};
constexpr std::array<Wording, record::kPathParts.size()> kWordings{{
    {"Computing", "computing"},
    {"Processor time for messages", "processor time for messages"},
    {"Latency", "latency"},
    {"Bandwidth", "time per byte"},
    {"Waiting for the nodes' buses", "occupancy of buses"},
    {"Waiting for network interfaces", "time per byte of network interfaces"},
    {"Waiting for links", "time per byte of links"},
    {"Memory bandwidth that cores share", "time per byte of memory"},
    {"The slowest wire", "time per byte of wires"},
    {"Waiting for message processing", "processing of messages"},
    {"The message rate of network interfaces", "gap between messages of network interfaces"},
    {"The overhead of packets", "time per packet"},
    {"Noise", "jitter and length of interruptions"},
}};

struct TaskWording {
    std::string_view part;  // name of the part in Rerun::part
    Wording wording;
};
constexpr std::array<TaskWording, 5> kTaskWordings{{
    {"compute", {"Computing", "computing"}},
    {"memory", {"Memory bandwidth", "time per byte of memory"}},
    {"manager", {"The task manager", "time of the task manager"}},
    {"latency", {"Latency", "latency"}},
    {"data and sharing", {"Cluster memory", "time per byte of cluster memory"}},
}};

/// A kind of cost on a path, with its names.
struct Cost {
    std::string_view part;  // name of the part in Rerun::part
    WideTime time;
    Proportional changed;
    Wording wording;
};

double share(WideTime part, WideTime total) { return total.ps > 0 ? 100.0 * seconds(part) / seconds(total) : 0.0; }

/// Formats a part; nothing if that would be 0.
std::string part_line(std::string_view name, WideTime time, WideTime total, TimeScale scale) {
    if (std::abs(seconds(time)) < 0.0005 * scale.seconds) return "";
    return fmt::format("  {:<12}{:>12.3f}{:<2}{:>8.1f} %\n", name, seconds(time) / scale.seconds, scale.unit,
                       share(time, total));
}

std::string reruns_table(std::span<const Rerun> reruns) {
    if (reruns.empty()) return "";
    std::string text = "run again with                as the path predicts          run\n";
    for (const Rerun& each : reruns) {
        const std::string what = fmt::format("{} x {:g}", each.part, each.factor);
        text += fmt::format("  {:<24}{:>22}{:>13}\n", what, duration(each.foreseen), duration(each.time));
    }
    return text;
}

}  // namespace

WideTime foreseen(WideTime total, WideTime part, double factor) {
    return total + wide_from_seconds(seconds(part) * (factor - 1.0));
}

WideTime foreseen(WideTime total, const Proportional& cost, double factor) {
    return std::max(foreseen(total, cost.time, factor), total - cost.most);
}

Proportional proportional_to(const record::PathPart& part, const record::PathParts& path,
                             const std::optional<record::SaturatedMemory>& saturated, const SlowestWire& wire) {
    using record::PathParts;
    if (part.time == &PathParts::memory && saturated) return {saturated->time, path.memory};
    WideTime time = path.*part.time;
    if (part.time == &PathParts::compute) time += path.memory;
    if (part.time == (wire.is_nic ? &PathParts::nic : &PathParts::link)) time += path.wire;
    if (part.time == &PathParts::wire) time += path.nic + path.link;
    return {time, time};
}

std::string path_table(const record::PathParts& path, std::optional<WideTime> fill, std::span<const Rerun> reruns) {
    const TimeScale scale = time_scale(path.total());
    std::string text = "the longest chain of events consists of\n";
    for (const auto& [name, part] : record::kPathParts) text += part_line(name, path.*part, path.total(), scale);
    if (fill) {
        text += fmt::format("pipelines fill and drain for at least {} ({:.1f} %)\n", duration(*fill),
                            share(*fill, path.total()));
    }
    return text + reruns_table(reruns);
}

std::string path_table(const record::TaskPath& path, std::span<const Rerun> reruns) {
    const TimeScale scale = time_scale(path.total());
    std::string text = "the longest chain through the tasks consists of\n";
    for (const auto& [name, part] : record::kTaskPathParts) text += part_line(name, path.*part, path.total(), scale);
    text += "its computing, by task\n";
    for (const record::TaskPath::OfTask& each : path.tasks) {
        const std::string line = part_line(each.name.empty() ? "task" : each.name, each.compute, path.total(), scale);
        if (line.empty()) continue;
        text +=
            fmt::format("{}, {}, {:.1f} % of it after a wait for a free worker\n", line.substr(0, line.size() - 1),
                        counted(static_cast<std::uint64_t>(each.blocks), "block"), share(each.queued, each.compute));
    }
    return text + reruns_table(reruns);
}

std::string closed_form_table(const record::PathParts& path, WideTime fill, WideTime nonwavefront) {
    const WideTime total = path.total();
    const TimeScale scale = time_scale(total);
    std::string text = "its terms, along the longest path\n";
    for (const auto& [name, part] : record::kPathParts) text += part_line(name, path.*part, total, scale);
    const WideTime steady = total - fill - nonwavefront;
    if (fill.ps == 0 && steady.ps == 0) return text;
    const auto with_share = [&](WideTime time) {
        return fmt::format("{} ({:.1f} %)", duration(time), share(time, total));
    };
    text += fmt::format("pipelines fill for {} and are full for {}", with_share(fill), with_share(steady));
    if (nonwavefront.ps != 0) text += fmt::format("; the rest is {}", with_share(nonwavefront));
    return text + '\n';
}

namespace {

constexpr double kLeastShown = 0.05;   // least saving shown, in per cent of the time
constexpr double kSmallChange = 0.99;  // factor of a cost, for which the path is exact

/// The time that less of one cost saves, for a sentence.
struct Saving {
    std::string_view cost;
    WideTime time;
};

std::vector<Saving> savings_by_path(std::span<const Cost> costs, WideTime total) {
    std::vector<Saving> savings;
    for (const Cost& cost : costs)
        savings.push_back({cost.wording.cost, total - foreseen(total, cost.changed, kSmallChange)});
    return savings;
}

std::vector<Saving> savings_by_reruns(std::span<const Cost> costs, WideTime total, std::span<const Rerun> reruns) {
    std::vector<Saving> savings;
    for (const Rerun& rerun : reruns) {
        const auto cost = std::ranges::find(costs, rerun.part, &Cost::part);
        if (cost != costs.end()) savings.push_back({cost->wording.cost, total - rerun.time});
    }
    return savings;
}

/// Lists the savings of at least `least` per cent, the largest first. Negative savings have their sign.
std::string list_of(std::vector<Saving> savings, WideTime total, double least) {
    std::ranges::stable_sort(savings, std::greater{}, &Saving::time);
    std::string text;
    for (const Saving& saving : savings) {
        const double percent = share(saving.time, total);
        if (std::abs(percent) < least) continue;
        const bool longer = saving.time.ps < 0;
        text += fmt::format("{}{} {}{} ({:.2f} %)", text.empty() ? "" : ", ", saving.cost, longer ? "-" : "",
                            duration(longer ? WideTime{} - saving.time : saving.time), percent);
    }
    return text;
}

/// Writes the paragraph; `estimates` is the reason why the savings by small changes are only estimates; empty if they
/// are exact. Less computing may avoid an `interruption`, which ends this.
std::string paragraph(std::span<const Cost> costs, WideTime total, std::span<const Rerun> reruns,
                      const std::string& estimates, std::optional<Time> interruption = std::nullopt) {
    if (total.ps == 0) return "Nothing takes time.";
    const Cost& most = *std::ranges::max_element(costs, {}, &Cost::time);
    std::string text = fmt::format("{} is the largest part: {:.1f} % of the longest chain of events.",
                                   most.wording.largest, share(most.time, total));
    if (!reruns.empty()) {
        const std::string savings = list_of(savings_by_reruns(costs, total, reruns), total, kLeastShown);
        return wrapped(text + (savings.empty()
                                   ? " No run with a tenth less of one cost saves 0.05 %."
                                   : fmt::format(" Runs with a tenth less of one cost save: {}.", savings)));
    }
    const std::string savings = list_of(savings_by_path(costs, total), total, kLeastShown / 10.0);
    if (savings.empty()) return wrapped(text);
    text += fmt::format(" According to the path, 1 % less of one cost saves: {}.", savings);
    text += estimates.empty() ? " These values are exact until another chain becomes the longest"
                              : fmt::format(" These values are estimates: {}", estimates);
    if (interruption) {
        text += fmt::format("{} less computing avoids an interruption of {}: 1 % less avoids 1 % of them on average",
                            estimates.empty() ? ", or" : ";", duration(WideTime{*interruption}));
    }
    return wrapped(text + "; `--reruns` runs changes of 10 %.");
}

}  // namespace

std::string path_paragraph(const record::PathParts& path, const SlowestWire& wire,
                           const std::optional<record::SaturatedMemory>& saturated, std::span<const Rerun> reruns,
                           std::vector<std::string> estimated, std::optional<Time> interruption) {
    const std::string largest_is_wire = fmt::format("The slowest wire, {},", wire.name);
    const auto limiting = wire.is_nic ? &record::PathParts::nic : &record::PathParts::link;
    std::vector<Cost> costs;
    for (std::size_t k = 0; k < kWordings.size(); ++k) {
        const record::PathPart& part = record::kPathParts[k];
        costs.push_back({part.name, path.*part.time, proportional_to(part, path, saturated, wire), kWordings[k]});
        Cost& cost = costs.back();
        if (part.time == &record::PathParts::wire) cost.wording.largest = largest_is_wire;
        const bool stated_as_wire = path.wire.ps > 0 && part.time == limiting;
        const bool no_wire = path.wire.ps == 0 && part.time == &record::PathParts::wire;
        if (stated_as_wire || no_wire) cost.changed = {};
    }
    if (const double uneven = saturated ? share(saturated->uneven, path.total()) : 0.0; uneven >= kLeastShown) {
        estimated.push_back(fmt::format(
            "in {:.1f} % of the chain, other cores that share the memory begin or end computing during a block, and a "
            "change moves these moments too",
            uneven));
    }
    if (path.noise.ps == 0) interruption.reset();
    return paragraph(costs, path.total(), reruns, fmt::format("{}", fmt::join(estimated, "; ")), interruption);
}

std::string path_paragraph(const record::TaskPath& path, std::span<const Rerun> reruns, bool noise) {
    const std::array times{path.compute, path.memory, path.manager, path.latency, path.data + path.sharing};
    std::vector<Cost> costs;
    for (std::size_t k = 0; k < times.size(); ++k)
        costs.push_back({kTaskWordings[k].part, times[k], {times[k], times[k]}, kTaskWordings[k].wording});
    costs[0].changed = {path.compute + path.memory, path.compute + path.memory};
    costs[1].changed = {path.saturated, path.memory};
    const bool shares = path.memory.ps > 0 || path.sharing.ps > 0;
    const char* const estimates =
        shares || path.absent.ps > 0 ? "if transfers share a channel, cores share memory, or workers come and go, the "
                                       "time changes by more or less than the path predicts"
        : noise                      ? "computing includes noise, which less computing does not shorten in proportion"
                                     : "";
    std::string text = paragraph(costs, path.total(), reruns, estimates);
    if (path.total().ps == 0) return text;
    return text + '\n' +
           wrapped(path.queued.ps > 0 ? fmt::format("{} of the chain ({:.1f} %) belong to tasks that waited for a "
                                                    "worker, a core or a node: more of these may shorten the chain.",
                                                    duration(path.queued), share(path.queued, path.total()))
                   : shares ? "No task on the chain waited for a worker: more workers may shorten only the time on "
                              "shared channels or memory."
                            : "No task on the chain waited for a worker: more workers would not shorten the chain.");
}

nlohmann::ordered_json path_json(const record::TaskPath& path) {
    nlohmann::ordered_json json;
    for (const auto& [name, part] : record::kTaskPathParts) json[seconds_key(name)] = seconds(path.*part);
    json["queued_s"] = seconds(path.queued);
    json["memory_saturated_s"] = seconds(path.saturated);
    json["tasks"] = nlohmann::ordered_json::array();
    for (const record::TaskPath::OfTask& each : path.tasks) {
        json["tasks"].push_back({{"name", each.name},
                                 {"compute_s", seconds(each.compute)},
                                 {"queued_s", seconds(each.queued)},
                                 {"blocks", each.blocks}});
    }
    return json;
}

nlohmann::ordered_json reruns_json(std::span<const Rerun> reruns) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const Rerun& each : reruns) {
        json.push_back({{"part", each.part},
                        {"factor", each.factor},
                        {"foreseen_s", seconds(each.foreseen)},
                        {"time_s", seconds(each.time)}});
    }
    return json;
}

nlohmann::ordered_json path_json(const record::PathParts& path, std::optional<WideTime> fill,
                                 std::optional<WideTime> nonwavefront,
                                 const std::optional<record::SaturatedMemory>& saturated) {
    nlohmann::ordered_json json{{"compute_s", seconds(path.blocks())},
                                {"overhead_s", seconds(path.overhead)},
                                {"latency_s", seconds(path.latency)}};
    json["bandwidth_s"] = seconds(path.transfer());
    json["contention_s"] = seconds(path.contention());
    for (std::size_t k = 4; k < record::kPathParts.size(); ++k) {
        json[seconds_key(record::kPathParts[k].name)] = seconds(path.*record::kPathParts[k].time);
    }
    if (saturated) {
        json["memory_saturated_s"] = seconds(saturated->time);
        json["memory_uneven_s"] = seconds(saturated->uneven);
    }
    if (fill) {
        json["fill_s"] = seconds(*fill);
        json["steady_s"] = seconds(path.total() - *fill - nonwavefront.value_or(WideTime{}));
    }
    if (nonwavefront) json["nonwavefront_s"] = seconds(*nonwavefront);
    return json;
}

}  // namespace warpfront::results
