#include "tools/answer/prediction/engines.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "simulator/analytic/task_lists.hpp"
#include "simulator/machine/wires.hpp"
#include "simulator/reference/reference.hpp"
#include "simulator/results/deadlock.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/tasks/run.hpp"
#include "simulator/tasks/sequence.hpp"

namespace warpfront::tools {

namespace {

analytic::UnequalWork unequal_work_of(const Experiment& prepared) {
    analytic::UnequalWork unequal;
    for (const variation::SpeedClass& each : prepared.noise.classes) {
        unequal.classes.push_back({each.share, each.speed});
    }
    for (const variation::CostFactor& each : prepared.cost_map) {
        unequal.map.push_back({each.rank, each.wave, each.factor});
    }
    return unequal;
}

/// The only algorithm for allreduces in closed forms (analytic/message.hpp).
constexpr std::string_view kButterfly = "recursive_doubling";

bool has_more_than_sweeps(const program::Program& program) {
    return std::ranges::any_of(program.closed_form, [](const program::WavefrontPhase& phase) {
        return phase.allreduces > 0 || !phase.exchanges.empty() || phase.other.ps > 0;
    });
}

/// Returns the result of `run`. An overflow of virtual time becomes the exception RunFailed.
template <class Run>
auto within_horizon(Run run) {
    try {
        return run();
    } catch (const std::overflow_error& overflow) {
        throw RunFailed(overflow.what());
    }
}

Prediction with_unique_names(record::Record record, const program::Program& program) {
    const std::vector<std::string> names = program::unique_task_names(program);
    for (std::size_t task = 0; task < names.size(); ++task) {
        record.tasks->tasks[task].first = names[task];
        if (record.tasks->path) record.tasks->path->tasks[task].name = names[task];
    }
    return {std::move(record)};
}

[[noreturn]] void refuse_task_lists(Engine engine, const Experiment& prepared) {
    throw input::BadInput(input::DiagnosticKind::tasks_unknown, prepared.scenario.model_range,
                          fmt::format("the engine `{}` does not run lists of self-scheduled tasks", name_of(engine)),
                          "expected the engine `event` or `analytic`");
}

/// Predicts task lists by their only closed form, which belongs to the engine `analytic`.
Prediction tasks_by_closed_form(const analytic::ClosedForm& form, const Experiment& prepared) {
    const auto time_on = [&](const machine::Machine& machine) {
        return within_horizon([&] { return analytic::task_list_time(prepared.program, machine); });
    };
    const analytic::TaskListTime time = time_on(prepared.published_machine());
    Prediction result;
    result.record.engine = form.name;
    result.record.finish = time.total;
    result.record.iterations = {{time.total, 1}};
    record::PathParts parts;
    machine::Machine without_manager = prepared.published_machine();
    without_manager.task_manager = {};
    const WideTime compute = time_on(without_manager).compute;
    parts.compute = std::min(compute, time.compute);
    parts.overhead = time.compute - parts.compute;  // added by the manager
    parts.bandwidth = time.data();
    result.record.path = parts;
    std::vector<std::string>& notes = result.record.notes;
    if (prepared.states_variation())
        notes.emplace_back("the closed form includes neither noise nor cores of different speeds");
    if (!prepared.scenario.workers.availability.complete()) {
        notes.emplace_back("the closed form assumes that all cores are available throughout");
    }
    if (time.without_conditions) {
        notes.emplace_back(
            "a list has more than 100,000 places, so the closed form assumes barriers between turns instead of "
            "conditions between tasks");
    }
    return result;
}

constexpr std::string_view kEagerWaits = " of the closed form are waits for eager messages (L for each receive)";

/// Returns a note on waits for eager messages in a closed form, if they are more than a tenth of its time.
std::optional<std::string> note_on_eager_waits(const analytic::Prediction& prediction) {
    if (prediction.eager_waits.ps * 10 <= prediction.total.ps) return std::nullopt;
    return fmt::format(
        "{} of the {}{}, as published; in a full pipeline these messages arrive while their receiver computes, so the "
        "closed form `{}` leaves the waits out",
        results::duration(prediction.eager_waits), results::duration(prediction.total), kEagerWaits,
        name_of(Engine::overlapped()));
}

Prediction by_closed_form(const analytic::ClosedForm& form, const Experiment& prepared) {
    refuse_without_closed_form(prepared);
    if (prepared.program.tasks) return tasks_by_closed_form(form, prepared);
    const machine::Machine& machine = prepared.published_machine();
    const analytic::UnequalWork unequal = unequal_work_of(prepared);
    analytic::Prediction prediction = analytic::predict(form, {prepared.program, machine, unequal});
    Prediction result;
    result.record.engine = form.name;
    result.record.finish = prediction.total;
    result.record.iterations = std::move(prediction.iterations);
    result.contention = prediction.contention;
    result.record.path = prediction.parts;
    result.record.fill = prediction.fill;
    result.record.nonwavefront = prediction.nonwavefront;
    result.eager_waits = note_on_eager_waits(prediction);
    if (result.eager_waits) result.record.notes.push_back(*result.eager_waits);
    const bool alike = prepared.noise.classes.empty() && prepared.noise.map.empty();
    const bool noisy = prepared.noise.varies() || !prepared.noise.recurs();
    if (prepared.states_variation() && (noisy || (!alike && !form.unequal_work))) {
        result.record.notes.emplace_back(form.unequal_work
                                             ? "the closed form includes no noise"
                                             : "the closed form includes neither noise nor ranks of different speeds");
    }
    const auto is_limited = [&](const machine::ProfileRow& row) { return machine::limits(machine.slowest_wire, row); };
    if (machine.wires_differ && std::ranges::any_of(machine.profile(machine.network()), is_limited)) {
        result.record.notes.push_back(
            fmt::format("the closed form charges all messages between nodes at the bandwidth of the slowest wire: {}",
                        machine::wire_name(machine, machine.slowest_wire)));
    }
    if (form.sweeps_only && has_more_than_sweeps(prepared.program)) {
        result.record.notes.emplace_back(
            "the closed form covers only sweeps; it omits allreduces, exchanges and computing between sweeps");
    }
    for (const program::CollectiveUse& use : prepared.program.collectives) {
        if (use.operation != "allreduce" || use.algorithm == kButterfly || form.sweeps_only) continue;
        result.record.notes.push_back(
            fmt::format("the closed form charges allreduces as {}, but the engine runs {}", kButterfly, use.algorithm));
        break;
    }
    return result;
}

Prediction by_event_engine(const Experiment& prepared, const engine::Options& options) {
    Prediction result{engine::run(prepared.program, prepared.machine, options)};
    const record::Work& work = *result.record.work;
    spdlog::debug("debug: {} of {} messages simulated in {} s, {} of memory at the peak",
                  results::grouped(work.messages_replayed + work.collective_messages_replayed),
                  results::grouped(work.messages + work.collective_messages), results::significant(work.wall_s, 3),
                  results::size({static_cast<std::int64_t>(work.peak_rss_bytes)}));
    const record::Breakdown& parts = *result.record.breakdown;
    result.waiting = Waiting{parts.bus_wait + parts.processing_wait, parts.nic_wait + parts.link_wait};
    return result;
}

Prediction by_task_lists(const Experiment& prepared, const engine::Options& options) {
    const auto poll = [&options](const tasks::Progress& progress) {
        options.monitor->poll([&progress] {
            engine::Progress shown;
            shown.simulated = progress.simulated;
            shown.stepped = static_cast<std::uint64_t>(progress.done);
            shown.all = shown.expected = static_cast<std::uint64_t>(progress.places);
            shown.unit = "task places";
            return shown;
        });
    };
    tasks::Options own{options.noise, options.seed,    prepared.scenario.workers.availability, {},
                       options.path,  options.timeline};
    if (options.monitor != nullptr) own.poll = poll;
    try {
        return with_unique_names(within_horizon([&] { return tasks::run(prepared.program, prepared.machine, own); }),
                                 prepared.program);
    } catch (const tasks::Stuck& stuck) {
        throw RunFailed(stuck.what());
    } catch (const tasks::TooManyPlaces& many) {
        const program::Site& site = prepared.program.sites[many.site];
        throw input::BadInput(input::DiagnosticKind::program_too_large, prepared.scenario.model_range,
                              fmt::format("{} ({}:{}: `{}`)", many.what(), site.file, site.line, site.text),
                              "expected fewer values of the indices of this list and of its tasks");
    }
}

Prediction by_simgrid(const Experiment& prepared, const engine::Options& options) {
    using End = reference::RunOutcome::End;
    reference::RunOutcome outcome =
        reference::run(prepared.program, prepared.machine, prepared.scenario.grid_range, options.noise, options.seed);
    if (outcome.end == End::deadlock) throw RunFailed(results::describe_deadlock(outcome.blocked, prepared.program));
    if (outcome.end == End::overflow) throw RunFailed("virtual time overflow: a clock passed its horizon of 53 days");
    Prediction result{std::move(outcome.record)};
    result.waiting = Waiting{outcome.server_wait, outcome.flow_wait};
    return result;
}

/// Describes which messages exhausted the memory, the results until then, and remedies.
std::string out_of_memory(const engine::MemoryExhausted::Found& found, const program::Program& program) {
    std::string text = fmt::format("out of memory: {} on the channel from {} to {}, tag {}, sent{}",
                                   results::counted(found.queued, "message") + (found.queued == 1 ? " waits" : " wait"),
                                   results::rank_text(found.from, program), results::rank_text(found.to, program),
                                   found.tag, results::in_statement(found.site, program));
    if (found.limit) text += fmt::format("; the limit for all waiting messages is {}", results::size(*found.limit));
    text += fmt::format("\n  simulated until then: {}", results::duration(found.simulated));
    if (!found.iterations.empty()) text += fmt::format(", iterations {}", results::iterations(found.iterations));
    return text + "\n  expected a receiver that keeps up with its sender, or more memory";
}

/// Returns text with the seed, if the run depends on it.
std::string of_seed(const engine::Options& options) {
    return options.noise.random() ? fmt::format(", with seed {}", options.seed.value) : "";
}

}  // namespace

bool Engine::is_closed_form() const { return number_ >= analytic.number_; }

const analytic::ClosedForm& Engine::closed_form() const { return analytic::closed_forms()[number_ - analytic.number_]; }

Engine Engine::overlapped() {
    const auto forms = analytic::closed_forms();
    const auto found = std::ranges::find(forms, "overlapped", &analytic::ClosedForm::name);
    return Engine{analytic.number_ + static_cast<std::size_t>(found - forms.begin())};
}

std::string_view name_of(Engine engine) {
    if (engine == Engine::event) return "event";
    return engine == Engine::simgrid ? "simgrid" : engine.closed_form().name;
}

std::string_view description_of(Engine engine) {
    if (engine == Engine::event) return "every message and every wait, event by event";
    return engine == Engine::simgrid ? "the same messages as actors and flows of SimGrid, on at most 4,096 ranks"
                                     : engine.closed_form().describes;
}

std::vector<std::string> engine_names() {
    std::vector<std::string> names;
    const std::size_t count = Engine::analytic.number() + analytic::closed_forms().size();
    for (std::size_t number = 0; number < count; ++number) names.emplace_back(name_of(Engine(number)));
    return names;
}

bool is_on_eager_waits(std::string_view note) { return note.find(kEagerWaits) != std::string_view::npos; }

void refuse_without_closed_form(const Experiment& prepared) {
    if (const auto& trace = prepared.scenario.trace) {
        throw input::BadInput(input::DiagnosticKind::closed_form_missing, trace->range, "a trace has no closed form",
                              "expected `model` in place of `trace`, or only the engines `event` and `simgrid`");
    }
    if (!prepared.machine.placement.seats.empty()) {
        throw input::BadInput(input::DiagnosticKind::closed_form_missing, prepared.scenario.placement.range,
                              "the closed form applies only to ranks that are placed in patches",
                              "expected a placement in patches, or only the event engine: `--engine event`, "
                              "`--engines event`");
    }
    if (!prepared.program.closed_form.empty() || prepared.program.tasks) return;
    throw input::BadInput(input::DiagnosticKind::closed_form_missing, prepared.scenario.model_range,
                          fmt::format("the model `{}` declares no closed form", prepared.program.name),
                          "expected a `closed_form` block in its application, or only the event engine: `--engine "
                          "event` of `run`, `--engines event` of `study` and `compare`");
}

Prediction predict(Engine engine, const Experiment& prepared, const engine::Options& options) {
    spdlog::debug("debug: engine `{}`{}{}", name_of(engine),
                  engine.is_closed_form() ? "" : fmt::format(", seed {}", options.seed.value),
                  engine == Engine::event ? fmt::format(", threads: {}", options.threads) : "");
    if (prepared.program.tasks && engine != Engine::event && engine != Engine::analytic) {
        refuse_task_lists(engine, prepared);
    }
    if (engine.is_closed_form()) return by_closed_form(engine.closed_form(), prepared);
    try {
        if (prepared.program.tasks) return by_task_lists(prepared, options);
        return engine == Engine::simgrid ? by_simgrid(prepared, options) : by_event_engine(prepared, options);
    } catch (const engine::Deadlock& deadlock) {
        throw RunFailed(results::describe_deadlock(deadlock.blocked(), prepared.program));
    } catch (const std::overflow_error& overflow) {
        throw input::BadInput(input::DiagnosticKind::cost_too_large, {}, overflow.what());
    } catch (const std::length_error& size) {
        throw input::BadInput(input::DiagnosticKind::program_too_large, {}, size.what());
    } catch (const engine::MemoryExhausted& exhausted) {
        throw RunFailed(out_of_memory(exhausted.found(), prepared.program));
    } catch (const std::bad_alloc&) {
        throw RunFailed(
            "out of memory: the run needs more than the host has available; expected fewer ranks, or more memory");
    } catch (const engine::TimeOverflow& overflow) {
        throw RunFailed(fmt::format("virtual time overflow: {}{} passes the horizon of 53 days{}",
                                    results::rank_text(overflow.rank(), prepared.program),
                                    results::in_statement(overflow.site(), prepared.program), of_seed(options)));
    }
}

Prediction predict(Engine engine, const Experiment& prepared) {
    return predict(engine, prepared, options_of(prepared));
}

std::optional<WideTime> closed_form_beside(Engine engine, const Experiment& prepared, record::Record& record) {
    if (engine.is_closed_form() || (prepared.program.closed_form.empty() && !prepared.program.tasks))
        return std::nullopt;
    try {
        const Prediction form = predict(Engine::analytic, prepared);
        if (form.eager_waits) record.notes.push_back(*form.eager_waits);
        return form.record.finish;
    } catch (const input::BadInput& bad) {
        record.notes.push_back(
            fmt::format("the closed form gives no time: {}", bad.diagnostics().all().front().message));
    } catch (const RunFailed& failed) {
        record.notes.push_back(fmt::format("the closed form gives no time: {}", failed.what()));
    }
    return std::nullopt;
}

}  // namespace warpfront::tools
