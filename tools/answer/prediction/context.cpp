#include "tools/answer/prediction/context.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <regex>
#include <string>

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "psl/checking/lints.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/program/computing.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/scenario/scenario.hpp"
#include "simulator/variation/noise.hpp"
#include "tools/answer/experiment/repeated_draws.hpp"

namespace warpfront::tools {

results::Context context_of(const Experiment& prepared, std::span<const Engine> engines) {
    results::Context context;
    context.grid = prepared.program.grid;
    if (const auto* torus = std::get_if<machine::TorusRoutes>(&prepared.machine.routes.zone)) {
        context.torus = torus->dimensions;
    }
    context.ranks = prepared.program.grid.ranks();
    context.nodes = prepared.machine.placement.nodes();
    context.iterations = prepared.program.iterations;
    context.collectives = prepared.program.collectives;
    context.notes = notes_of(prepared, engines);
    context.version = WARPFRONT_VERSION;
    context.inputs = results::hash_inputs(prepared.sources);
    context.scenario = echo(prepared.scenario);
    context.seed = prepared.scenario.noise_configuration.seed;
    context.host = results::describe_host();
    return context;
}

namespace {

using Notes = std::vector<std::string>;

void note_idle_cores(const Experiment& prepared, Notes& notes) {
    const std::uint32_t cores = prepared.machine.cores;
    const bool places_ranks = prepared.scenario.has_node || prepared.scenario.placement.places_ranks();
    if (places_ranks || cores == 1 || prepared.program.grid.ranks() == 1) return;
    notes.push_back(fmt::format("1 rank on each node of {} cores, since the scenario has no `node`", cores));
}

/// Adds a note if jitter is reduced because it exceeds the limit of the coefficient of variation (variation/noise.hpp).
void note_capped_jitter(const Experiment& prepared, Notes& notes) {
    const std::optional<Time> shortest = program::shortest_block(prepared.program);
    const Time jitter = prepared.noise.jitter;
    if (!shortest || !prepared.states_variation() ||
        static_cast<double>(jitter.ps) <= variation::kLargestCv * static_cast<double>(shortest->ps))
        return;
    const auto text = [](Time time) { return results::duration(WideTime{time}); };
    notes.push_back(
        fmt::format("the jitter of {} exceeds {} times the shortest block of {}: blocks vary by at most {} times their "
                    "length",
                    text(jitter), variation::kLargestCv, text(*shortest), variation::kLargestCv));
}

void note_unused_iterations(const Experiment& prepared, Notes& notes) {
    const bool has_iterations = !prepared.program.tasks || !prepared.model || psl::mentions_iterations(*prepared.model);
    if (has_iterations || prepared.scenario.bindings.iterations == 1) return;
    notes.emplace_back("`iterations` has no effect: the model has lists of tasks instead");
}

/// Returns true if a message of this row is a rendezvous. The row makes progress only in calls.
bool waits_for_calls(const machine::ProfileRow& row, const program::Instruction& step) {
    const bool synchronous = step.op == program::Op::ssend;
    return row.progress == machine::MessageProgress::in_calls &&
           (synchronous || network::is_rendezvous(row, {step.amount}));
}

void note_unused_progress(const Experiment& prepared, Notes& notes) {
    const std::vector<machine::Profile>& profiles = prepared.machine.profiles;
    const auto in_calls = [](const machine::ProfileRow& row) {
        return row.progress == machine::MessageProgress::in_calls;
    };
    const auto states_it = [&](const machine::Profile& rows) { return std::ranges::any_of(rows, in_calls); };
    if (std::ranges::none_of(profiles, states_it)) return;
    const auto waits = [&](const program::Instruction& step) {
        if (!program::sends(step.op) && step.op != program::Op::allreduce) return false;
        return std::ranges::any_of(profiles, [&](const machine::Profile& rows) {
            return !rows.empty() && waits_for_calls(machine::row_for(rows, {step.amount}), step);
        });
    };
    const auto has_rendezvous = [&](const program::RankClass& each) { return std::ranges::any_of(each.code, waits); };
    const auto continues = [](const program::Instruction& step) {
        const program::Effect effect = program::operation(step.op).effect;
        return effect == program::Effect::begin_send || effect == program::Effect::post;
    };
    const auto is_nonblocking = [&](const program::RankClass& each) {
        return std::ranges::any_of(each.code, continues);
    };
    if (std::ranges::none_of(prepared.program.classes, has_rendezvous)) {
        notes.emplace_back("`progress: in_calls` has no effect: no message is a rendezvous");
    } else if (std::ranges::none_of(prepared.program.classes, is_nonblocking)) {
        notes.emplace_back("`progress: in_calls` has no effect: no send or receive is nonblocking");
    }
}

/// Adds a note if the repeated draws contain few interruptions. More draws would take too long.
void note_few_interruptions(const Experiment& prepared, Notes& notes) {
    const std::int64_t repeats_after = prepared.noise.repeats_after;
    if (!prepared.noise.interrupted() || repeats_after == 0 || repeats_after == prepared.program.iterations) return;
    double drawn = 0.0;
    const auto first = static_cast<std::size_t>(repeats_after);
    for (const IterationDraws& each : draws_of_first(prepared.program, prepared.noise, first)) {
        drawn += each.interruptions;
    }
    if (drawn == 0.0 || drawn >= kFewestInterruptions) return;
    notes.push_back(fmt::format(
        "interruptions repeat after {}, which have {} on average: other seeds may give times far outside "
        "the 95 % interval; with `noise` in the scenario and `redrawn: on`, each iteration draws its own",
        results::counted(static_cast<std::uint64_t>(repeats_after), "iteration"), results::significant(drawn, 2)));
}

}  // namespace

std::vector<std::string> notes_of(const Experiment& prepared, std::span<const Engine> engines) {
    Notes notes = prepared.scenario.notes;
    notes.insert(notes.end(), prepared.program.notes.begin(), prepared.program.notes.end());
    notes.insert(notes.end(), prepared.machine.notes.begin(), prepared.machine.notes.end());
    note_idle_cores(prepared, notes);
    for (std::string& note : notes_on_idle_parts(prepared)) notes.push_back(std::move(note));
    for (std::string& note : notes_on_idle_overrides(prepared)) notes.push_back(std::move(note));
    note_capped_jitter(prepared, notes);
    note_unused_iterations(prepared, notes);
    note_unused_progress(prepared, notes);
    if (prepared.times_note) notes.push_back(*prepared.times_note);
    const bool stepped =
        std::any_of(engines.begin(), engines.end(), [](Engine engine) { return !engine.is_closed_form(); });
    if (stepped) note_few_interruptions(prepared, notes);
    if (prepared.calibrated && stepped) notes.push_back(prepared.calibrated->note);
    return notes;
}

void CountedNotes::add(const std::string& note, const std::string& owner) {
    const auto known =
        std::find_if(notes_.begin(), notes_.end(), [&](const Counted& counted) { return counted.note == note; });
    if (known == notes_.end()) {
        notes_.push_back({note, owner, 1});
    } else {
        ++known->count;
    }
}

namespace {

constexpr std::size_t kMostAlike = 3;

/// Returns the note with each number replaced by the same character.
std::string without_numbers(const std::string& note) {
    static const std::regex number("[0-9][0-9.,]*");
    return std::regex_replace(note, number, "#");
}

}  // namespace

std::vector<std::string> CountedNotes::texts(std::size_t total, std::string_view what) const {
    std::map<std::string, std::size_t> alike;
    for (const Counted& counted : notes_) ++alike[without_numbers(counted.note)];
    std::vector<std::string> texts;
    for (const auto& [note, owner, count] : notes_) {
        std::size_t& with_others = alike[without_numbers(note)];
        if (with_others == 0) continue;
        if (with_others > kMostAlike) {
            texts.push_back(fmt::format("{} (and {} more such notes with other numbers)", note, with_others - 1));
            with_others = 0;
            continue;
        }
        if (count == total) {
            texts.push_back(note);
        } else if (count == 1 && !owner.empty()) {
            texts.push_back(fmt::format("{}: {}", owner, note));
        } else {
            texts.push_back(fmt::format("{} of {} {}: {}", count, total, what, note));
        }
    }
    return texts;
}

std::vector<std::string> shown(std::vector<std::string> notes) {
    if (!spdlog::should_log(spdlog::level::warn)) notes.clear();
    return notes;
}

}  // namespace warpfront::tools
