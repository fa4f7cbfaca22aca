#include "tools/answer/explanation/explanation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "simulator/machine/wires.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/ranks.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/units/time.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

constexpr double kFactor = 0.9;  // factor of one kind of cost in a repeated run
/// The largest number of messages, or tasks, of a run that can be simulated again completely within a second.
constexpr std::uint64_t kFew = 1'000'000;

using record::PathParts;

void scale(Time& time, double factor) {
    time.ps = static_cast<std::int64_t>(std::llround(static_cast<double>(time.ps) * factor));
}

void scale(Gap& gap, double factor) { gap.seconds_per_byte *= factor; }

void scale_row(machine::ProfileRow& row, const record::PathPart& part, double factor) {
    if (part.time == &PathParts::overhead) {
        scale(row.o_send, factor);
        scale(row.o_recv, factor);
        if (row.eager) scale(row.eager->o_unexpected, factor);
        if (row.eager) scale(row.eager->G_unexpected, factor);
        scale(row.G_send, factor);
        scale(row.G_recv, factor);
    } else if (part.time == &PathParts::latency) {
        scale(row.L, factor);
        scale(row.o_request, factor);
        scale(row.o_ack, factor);
    } else if (part.time == &PathParts::bandwidth) {
        scale(row.G, factor);
    } else if (part.time == &PathParts::bus && row.o_dma) {
        scale(*row.o_dma, factor);
    } else if (part.time == &PathParts::processing && row.processing) {
        scale(*row.processing, factor);
    } else if (part.time == &PathParts::packets) {
        scale(row.packet.overhead, factor);
        scale(row.packet.full, factor);
    }
}

void scale_nics(machine::Machine& machine, double factor) {
    for (Gap* const gap : {&machine.nic_wires.injection, &machine.nic_wires.ejection}) scale(*gap, factor);
    if (!machine.nic) return;
    for (Gap* const gap : {&machine.nic->injection, &machine.nic->ejection}) scale(*gap, factor);
}

void scale_work(program::Program& program, double factor) {
    for (program::RankClass& rank_class : program.classes) {
        for (program::Instruction& step : rank_class.code) {
            if (program::operation(step.op).effect != program::Effect::work) continue;
            Time work{step.amount};
            scale(work, factor);
            step.amount = work.ps;
        }
    }
}

void scale_noise(variation::Noise& noise, double factor) {
    scale(noise.jitter, factor);
    if (noise.interruptions) scale(noise.interruptions->length, factor);
    if (noise.periodic) scale(noise.periodic->length, factor);
}

}  // namespace

results::SlowestWire slowest_wire(const machine::Machine& machine) {
    const machine::Wire& wire = machine.slowest_wire;
    const bool is_nic = wire.kind == machine::Wire::Kind::injection || wire.kind == machine::Wire::Kind::ejection;
    return {machine::wire_name(machine, wire), is_nic};
}

Experiment scaled(Experiment experiment, const record::PathPart& part, double factor) {
    if (part.time == &PathParts::compute) scale_work(experiment.program, factor);
    if (part.time == &PathParts::noise) scale_noise(experiment.noise, factor);
    machine::Machine& machine = experiment.machine;
    for (machine::Profile& profile : machine.profiles) {
        for (machine::ProfileRow& row : profile) scale_row(row, part, factor);
    }
    if (part.time == &PathParts::bus && machine.bus) {
        scale(machine.bus->o_dma, factor);
        scale(machine.bus->G_dma, factor);
    }
    if (part.time == &PathParts::latency) machine.routes.scale_latencies(factor);
    if (part.time == &PathParts::packets && machine.links && machine.links->arbitration) {
        scale(machine.links->arbitration->overhead, factor);
    }
    const bool wires = part.time == &PathParts::wire;
    if (wires || part.time == &PathParts::nic) scale_nics(machine, factor);
    if (part.time == &PathParts::rate && machine.nic) scale(machine.nic->g, factor);
    if (wires || part.time == &PathParts::link) machine.routes.scale_gaps(factor);
    if (part.time == &PathParts::memory && machine.memory) machine.memory->bandwidth.bytes_per_second /= factor;
    return experiment;
}

namespace {

/// Returns true if messages within a node occupy its bus.
bool holds_bus_within_node(const machine::Machine& machine) {
    if (!machine.bus || machine.processing) return false;
    return std::any_of(machine.profiles.begin(), machine.profiles.end() - 1, [](const machine::Profile& profile) {
        return std::ranges::any_of(profile, &machine::ProfileRow::holds_bus);
    });
}

}  // namespace

std::vector<std::string> reasons_for_estimates(const Experiment& prepared, const record::Record& record) {
    const PathParts& path = *record.path;
    std::vector<std::string> reasons;
    if (prepared.noise.called_away() && path.compute.ps > 0) {
        reasons.emplace_back("blocks at other times meet other interruptions of the periodic noise");
    }
    if (path.bus.ps > 0 && holds_bus_within_node(prepared.machine)) {
        reasons.emplace_back("a bus serves the sender of a message within a node for a time that includes its latency");
    }
    return reasons;
}

bool is_short(const record::Record& record) {
    std::uint64_t tasks = 0;
    if (record.tasks) {
        for (const auto& [name, done] : record.tasks->tasks) tasks += static_cast<std::uint64_t>(done);
    }
    return record.work && record.work->messages + record.work->collective_messages + tasks <= kFew;
}

std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::Record& record, ProgressMode mode) {
    std::vector<results::Rerun> reruns;
    const PathParts& path = *record.path;
    const results::SlowestWire wire = slowest_wire(prepared.machine);
    for (const record::PathPart& part : record::kPathParts) {
        if ((path.*part.time).ps == 0) continue;
        const Experiment changed = scaled(prepared, part, kFactor);
        engine::Options changed_options = options;
        changed_options.noise = changed.noise;
        const results::Proportional cost = results::proportional_to(part, path, record.saturated, wire);
        reruns.push_back({part.name, kFactor, results::foreseen(path.total(), cost, kFactor),
                          predict_with_progress(Engine::event, changed, changed_options, mode).record.finish});
    }
    return reruns;
}

namespace {

/// Formulas whose values are multiplied by a factor if their numbers are marked (kMark).
class ScaledFormulas : public program::TaskFormulas {
public:
    static constexpr std::uint32_t kMark = std::uint32_t{1} << 31U;

    ScaledFormulas(std::unique_ptr<program::TaskFormulas> formulas, double factor)
        : formulas_(std::move(formulas)), factor_(factor) {}
    std::int64_t value(std::uint32_t formula, std::span<const std::int64_t> indices) override {
        Time value{formulas_->value(formula & ~kMark, indices)};
        if ((formula & kMark) != 0) scale(value, factor_);
        return value.ps;
    }

private:
    std::unique_ptr<program::TaskFormulas> formulas_;
    double factor_;
};

std::shared_ptr<const program::TaskLists> with_scaled_work(const program::TaskLists& lists, double factor) {
    program::TaskLists scaled = lists;
    for (program::Task& task : scaled.tasks) {
        for (program::TaskStep& step : task.steps) {
            if (step.form != program::TaskStep::Form::compute) continue;
            Time work{step.amount.known};
            scale(work, factor);
            step.amount.known = work.ps;
            if (step.amount.formula) *step.amount.formula |= ScaledFormulas::kMark;
        }
    }
    if (lists.formulas) {
        scaled.formulas = [formulas = lists.formulas, factor] {
            return std::make_unique<ScaledFormulas>(formulas(), factor);
        };
    }
    return std::make_shared<const program::TaskLists>(std::move(scaled));
}

void scale(machine::DataChannel& channel, double factor) {
    for (std::optional<Bandwidth>* rate : {&channel.read, &channel.write}) {
        if (*rate) (*rate)->bytes_per_second /= factor;
    }
}

}  // namespace

std::vector<results::Rerun> run_with_less(const Experiment& prepared, const engine::Options& options,
                                          const record::TaskPath& path, ProgressMode mode) {
    struct Change {
        std::string_view name;
        results::Proportional cost;
        std::function<void(Experiment&)> make;
        double factor = kFactor;
    };
    const auto all_of = [](WideTime time) { return results::Proportional{time, time}; };
    const std::vector<Change> changes{
        {"compute", all_of(path.compute + path.memory),
         [](Experiment& each) { each.program.tasks = with_scaled_work(*each.program.tasks, kFactor); }},
        {"memory",
         {path.saturated, path.memory},
         [](Experiment& each) { each.machine.memory->bandwidth.bytes_per_second /= kFactor; }},
        {"manager", all_of(path.manager),
         [](Experiment& each) {
             scale(each.machine.task_manager.overhead, kFactor);
             scale(each.machine.task_manager.service, kFactor);
         }},
        {"latency", all_of(path.latency),
         [](Experiment& each) { scale(each.machine.cluster_memory.latency, kFactor); }},
        {"data and sharing", all_of(path.data + path.sharing),
         [](Experiment& each) {
             scale(each.machine.cluster_memory.server, kFactor);
             scale(each.machine.cluster_memory.node, kFactor);
         }},
        {"absent", all_of(path.absent), [](Experiment& each) { each.scenario.workers.availability = {}; }, 0.0}};
    std::vector<results::Rerun> reruns;
    for (const Change& change : changes) {
        if (change.cost.time.ps == 0) continue;
        Experiment changed = prepared;
        change.make(changed);
        reruns.push_back({change.name, change.factor, results::foreseen(path.total(), change.cost, change.factor),
                          predict_with_progress(Engine::event, changed, options, mode).record.finish});
    }
    return reruns;
}

std::string node_name(const machine::Machine& machine, Node node) {
    const std::uint32_t host = machine.placement.host_of[node.index].index;
    return host == node.index ? fmt::format("node {}", node.index) : fmt::format("node {} (host {})", node.index, host);
}

std::vector<NodeWait> most_waiting_nodes(const machine::Placement& placement, const record::Record& record) {
    const std::size_t ranks = record.rank_breakdown.size();
    std::vector<NodeWait> nodes(placement.nodes());
    if (nodes.size() == 1 || nodes.size() == ranks) return {};
    std::vector<Wide> count(nodes.size());
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const Node node = placement.node_of({rank});
        nodes[node.index].mean += results::waiting(record.rank_breakdown[rank]);
        ++count[node.index];
    }
    for (std::uint32_t node = 0; node < nodes.size(); ++node) {
        nodes[node] = {{node}, WideTime{nodes[node].mean.ps / count[node]}};
    }
    std::ranges::stable_sort(nodes, std::greater{}, &NodeWait::mean);
    nodes.resize(std::min(nodes.size(), results::kMostWaitingNamed));
    return nodes;
}

std::string nodes_table(const std::vector<NodeWait>& nodes, const machine::Machine& machine) {
    std::string text = nodes.empty() ? "" : "the nodes whose ranks wait most, on average\n";
    for (const NodeWait& each : nodes) {
        text += fmt::format("  {:<34}{:>10}\n", node_name(machine, each.node), results::duration(each.mean));
    }
    return text;
}

nlohmann::ordered_json nodes_json(const std::vector<NodeWait>& nodes, const machine::Machine& machine) {
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const NodeWait& each : nodes) {
        json.push_back({{"node", each.node.index},
                        {"host", machine.placement.host_of[each.node.index].index},
                        {"mean_s", seconds(each.mean)}});
    }
    return json;
}

std::optional<Experiment> one_iteration(const std::filesystem::path& scenario, std::vector<std::string> sets) {
    sets.emplace_back("iterations=1");
    try {
        return build_experiment(scenario::read_scenario(scenario::read_document(scenario, sets)));
    } catch (const input::BadInput&) {
        return std::nullopt;
    }
}

namespace {

constexpr std::size_t kMostSpansOfFew = std::size_t{1} << 25;  // limit of the spans in a timeline of all ranks

/// The part of a run for which waits are reported.
struct Excerpt {
    std::string_view title;  // text for the user, such as "in the whole run"
    const char* key;         // key of the part in the JSON of a rank
    const Experiment& experiment;
    std::optional<Time> until;  // end of the part; if empty, the end of the first iteration
};

std::vector<results::StatementWait> waits_of(Rank rank, const Excerpt& excerpt, ProgressMode mode) {
    engine::Options with_timeline = options_of(excerpt.experiment);
    with_timeline.timeline = record::TimelineWindow{.first = rank, .last = rank, .until = excerpt.until};
    const record::Record timed = predict_with_progress(Engine::event, excerpt.experiment, with_timeline, mode).record;
    return results::waits_by_statement(timed.timeline->ranks.front());
}

/// Finds the statements in which the ranks of `most_waiting` wait most, with one additional run for each rank. Adds
/// them to the JSON of the ranks. The table omits ranks that do not wait.
std::string add_waits(const std::vector<Rank>& ranks, const Excerpt& excerpt, ProgressMode mode,
                      nlohmann::ordered_json& most_waiting) {
    std::string table;
    for (std::size_t k = 0; k < ranks.size(); ++k) {
        const std::vector<results::StatementWait> waits = waits_of(ranks[k], excerpt, mode);
        most_waiting[k][excerpt.key] = results::statements_json(waits, excerpt.experiment.program);
        if (waits.empty()) continue;
        table += fmt::format("rank {} waits in these statements {}\n", ranks[k].index, excerpt.title) +
                 results::statements_table(waits, excerpt.experiment.program);
    }
    return table;
}

/// Returns the end of the run if it is short; otherwise nothing.
std::optional<Time> end_of_short(const record::Record& record) {
    if (!is_short(record) || record.finish >= WideTime{kHorizon}) return std::nullopt;
    return Time{static_cast<std::int64_t>(record.finish.ps)};
}

}  // namespace

std::string waits_by_statement(const Experiment& prepared, const std::optional<Experiment>& once,
                               const record::Record& record, ProgressMode mode, nlohmann::ordered_json& most_waiting) {
    const std::vector<Rank> ranks = results::most_waiting(record);
    const Excerpt first{"in its first iteration", "first_iteration", once ? *once : prepared, std::nullopt};
    const std::string of_first = add_waits(ranks, first, mode, most_waiting);
    const std::optional<Time> end = end_of_short(record);
    if (!end) return of_first;
    const Excerpt whole{"in the whole run", "whole_run", prepared, *end};
    return add_waits(ranks, whole, mode, most_waiting);
}

std::string waits_by_pair(const Experiment& prepared, const std::optional<Experiment>& once,
                          const record::Record& record, ProgressMode mode, nlohmann::ordered_json& data) {
    const std::optional<Time> end = end_of_short(record);
    const Experiment& experiment = end || !once ? prepared : *once;
    engine::Options options = options_of(experiment);
    const auto last = static_cast<std::uint32_t>(experiment.program.grid.ranks() - 1);
    options.timeline = record::TimelineWindow{.first = {0}, .last = {last}, .until = end};
    if (end) options.timeline->most_spans = kMostSpansOfFew;
    const record::Record timed = predict_with_progress(Engine::event, experiment, options, mode).record;
    const std::vector<results::PairWait> waits = results::waits_by_pair(*timed.timeline);
    data["most_waiting_pairs"] = {{"of", end ? "whole_run" : "first_iteration"}};
    if (timed.timeline->cut) data["most_waiting_pairs"]["until_s"] = seconds(*timed.timeline->cut);
    data["most_waiting_pairs"]["pairs"] = results::pairs_json(waits);
    if (waits.empty()) return "";
    const std::string until =
        timed.timeline->cut ? fmt::format(" up to {}", results::duration(WideTime{*timed.timeline->cut})) : "";
    return fmt::format("longest waits of one rank for the messages of another, in the {}{}:\n",
                       end ? "whole run" : "first iteration", until) +
           results::pairs_table(waits, experiment.program.grid);
}

}  // namespace warpfront::tools
