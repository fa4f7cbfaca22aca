#include "tools/answer/runs/estimate.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "simulator/engine/estimate.hpp"
#include "simulator/results/formatting.hpp"
#include "tools/answer/experiment/small_instances.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/memory.hpp"

namespace warpfront::tools {

namespace {

using Seconds = std::chrono::duration<double>;
using engine::ProgressMonitor;

// Limits of the timed run. It covers whole iterations if they are short enough, since the speed varies within an
// iteration with the number of active ranks.
constexpr Seconds kShortest{2.0};
constexpr Seconds kLongest{10.0};

/// Progress reports of a timed run. The run may have finished, or it was stopped.
struct Timed {
    engine::Progress first;  // the first report of progress
    engine::Progress last;   // the last report of progress
    std::optional<record::Work> finished;
};

bool is_enough(const engine::Progress& first, const engine::Progress& before, const engine::Progress& now,
               std::int64_t iterations) {
    const Seconds timed = now.elapsed - first.elapsed;
    const auto count = static_cast<std::uint64_t>(iterations);
    const std::uint64_t in_iteration = std::max<std::uint64_t>(now.all / count, 1);
    const auto iterations_passed = [&](const engine::Progress& progress) {
        return (progress.stepped + progress.skipped) / in_iteration;
    };
    const bool iteration_ended = iterations_passed(now) > iterations_passed(before);
    return timed >= kLongest || (timed >= kShortest && iteration_ended);
}

Timed run_briefly(const Experiment& prepared, engine::Options options) {
    Timed timed;
    const std::int64_t iterations = prepared.program.iterations;
    ProgressMonitor monitor([&timed, iterations](const engine::Progress& progress) {
        if (timed.first.elapsed == Seconds{}) timed.first = timed.last = progress;
        const bool enough = is_enough(timed.first, timed.last, progress, iterations);
        timed.last = progress;
        return enough || interrupted() ? ProgressMonitor::Decision::stop : ProgressMonitor::Decision::go_on;
    });
    try {
        options.monitor = &monitor;
        timed.finished = guard_signals([&] { return predict(Engine::event, prepared, options); }).record.work;
    } catch (const engine::Interrupted&) {
        end_if_interrupted();
    }
    return timed;
}

/// Returns the time so far plus the time of the remaining messages. The rate is that between the first and the last
/// report. Returns nothing if no message was simulated between the two.
std::optional<double> extrapolated(const Timed& timed, std::uint64_t left) {
    const std::uint64_t stepped = timed.last.stepped - timed.first.stepped;
    if (stepped == 0) return std::nullopt;
    const double seconds = (timed.last.elapsed - timed.first.elapsed).count();
    return timed.last.elapsed.count() + static_cast<double>(left) * seconds / static_cast<double>(stepped);
}

/// Counts the messages that the run will simulate.
engine::Messages count_messages(const Experiment& prepared, const engine::Options& options, Estimate& estimate) {
    try {
        const engine::Messages all = engine::count_messages(prepared.program);
        estimate.messages = all.of_model;
        estimate.collective_messages = all.of_collectives;
        return engine::estimate_messages_stepped(prepared.program, prepared.machine, options);
    } catch (const std::overflow_error& overflow) {
        throw input::BadInput(input::DiagnosticKind::cost_too_large, {}, overflow.what());
    }
}

void add_queued(const Experiment& prepared, Bytes limit, Estimate& estimate) {
    SmallInstances small = walk_small_instances(prepared);
    estimate.run_ahead = std::move(small.run_ahead);
    if (!small.queued) return;
    const std::uint64_t bytes = engine::queue_bytes(*small.queued);
    estimate.queued = {*small.queued, {static_cast<std::int64_t>(bytes)}, limit};
}

std::string queued(const Estimate::Queued& queued) {
    std::string text = fmt::format("at most {} at once, which take {} more memory",
                                   results::counted(queued.messages, "message"), results::size(queued.bytes));
    if (queued.bytes > queued.limit) {
        text += fmt::format("; `run` fails if they take more than {}", results::size(queued.limit));
    }
    return text;
}

std::string time(const Estimate& estimate) {
    if (!estimate.fits) return "not estimated: the run does not fit into memory";
    if (!estimate.wall_s) return "unknown: no message or task was simulated while the run was timed";
    const std::string text = results::significant(*estimate.wall_s, 3) + "s";
    if (!estimate.wall_s_without_recurrence) return text;
    return fmt::format("{}; {}s if the iterations do not recur", text,
                       results::significant(*estimate.wall_s_without_recurrence, 3));
}

std::string row(std::string_view label, std::string_view value) { return fmt::format("{:<16}{}\n", label, value); }

/// Estimates a run of task lists. The engine stores only active tasks, so the first seconds of the run show its memory.
Estimate estimate_tasks(const Experiment& prepared, const engine::Options& options) {
    Estimate estimate;
    const Timed timed = run_briefly(prepared, options);
    estimate.wall_s = timed.finished ? timed.finished->wall_s : extrapolated(timed, timed.last.left_to_step());
    estimate.peak_rss = peak_resident_memory();
    estimate.available = available_memory();
    estimate.fits = true;
    return estimate;
}

}  // namespace

Estimate estimate_run(const Experiment& prepared, const engine::Options& options) {
    if (prepared.program.tasks) return estimate_tasks(prepared, options);
    Estimate estimate;
    const engine::Messages expected = count_messages(prepared, options, estimate);
    estimate.messages_stepped = expected.of_model;
    estimate.collective_messages_stepped = expected.of_collectives;
    estimate.state = {static_cast<std::int64_t>(engine::estimate_bytes(prepared.program, prepared.machine, options))};
    const Bytes needed = memory_of_run(prepared, options);
    estimate.peak_rss = std::max(peak_resident_memory(), resident_memory() + needed);
    estimate.available = available_memory();
    estimate.fits = needed <= estimate.available;
    add_queued(prepared, memory_for_queues(estimate.available, needed), estimate);
    if (!estimate.fits) return estimate;
    const Timed timed = run_briefly(prepared, options);
    if (timed.finished) {
        estimate.messages_stepped = timed.finished->messages_replayed;
        estimate.collective_messages_stepped = timed.finished->collective_messages_replayed;
        estimate.state = {static_cast<std::int64_t>(timed.finished->state_bytes.value())};
        // If messages are queued, the peak depends on the order of simulation; the row `queued` has an upper bound.
        if (!estimate.queued) estimate.peak_rss = peak_resident_memory();
        estimate.wall_s = timed.finished->wall_s;
    } else {
        const std::uint64_t all = timed.last.stepped + timed.last.left_to_step();
        estimate.messages_stepped = all - std::min(all, expected.of_collectives);
        estimate.wall_s = extrapolated(timed, timed.last.left_to_step());
        if (timed.last.left() > timed.last.left_to_step()) {
            estimate.wall_s_without_recurrence = extrapolated(timed, timed.last.left());
        }
    }
    return estimate;
}

bool steps_more(const Experiment& prepared, std::uint64_t most) {
    const engine::Options options = options_of(prepared);
    try {
        return engine::estimate_messages_stepped(prepared.program, prepared.machine, options).all() > most;
    } catch (const std::overflow_error&) {
        return true;
    }
}

std::string render(const Estimate& estimate) {
    std::string stepped = results::grouped(estimate.messages_stepped);
    if (estimate.messages_stepped < estimate.messages) stepped += " (all of them, if the iterations do not recur)";
    std::string text;
    if (estimate.messages > 0) text = row("messages", results::grouped(estimate.messages)) + row("simulated", stepped);
    if (estimate.collective_messages > 0) {
        text += row("in allreduces", fmt::format("{} further messages, {} of them simulated",
                                                 results::grouped(estimate.collective_messages),
                                                 results::grouped(estimate.collective_messages_stepped)));
    }
    std::string memory = results::size(estimate.peak_rss);
    if (estimate.state.count > 0) memory += fmt::format(", {} of it the engine's state", results::size(estimate.state));
    text += row("memory", memory);
    if (estimate.queued) text += row("queued", queued(*estimate.queued));
    text += row("available", results::size(estimate.available)) + row("wall time", time(estimate));
    return estimate.run_ahead.empty() ? text : text + fmt::format("note: {}\n", estimate.run_ahead);
}

nlohmann::ordered_json to_json(const Estimate& estimate) {
    nlohmann::ordered_json json = {{"schema", "warpfront.estimate/1"},
                                   {"messages", estimate.messages},
                                   {"messages_stepped", estimate.messages_stepped},
                                   {"collective_messages", estimate.collective_messages},
                                   {"collective_messages_stepped", estimate.collective_messages_stepped},
                                   {"peak_rss_bytes", estimate.peak_rss.count}};
    if (estimate.state.count > 0) json["state_bytes"] = estimate.state.count;
    if (estimate.queued) {
        json["queued"] = {{"messages", estimate.queued->messages},
                          {"bytes", estimate.queued->bytes.count},
                          {"limit_bytes", estimate.queued->limit.count}};
    }
    if (estimate.wall_s) json["wall_s"] = *estimate.wall_s;
    if (estimate.wall_s_without_recurrence) json["wall_s_without_recurrence"] = *estimate.wall_s_without_recurrence;
    return json;
}

}  // namespace warpfront::tools
