#include "tools/engines.hpp"

#include <new>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "simulator/analytic/prediction.hpp"
#include "simulator/reference/reference.hpp"
#include "simulator/results/deadlock.hpp"
#include "simulator/results/formatting.hpp"
#include "simulator/results/statement.hpp"

namespace warpfront::tools {

namespace {

Prediction by_closed_form(const Experiment& prepared) {
    analytic::Prediction prediction = analytic::predict(prepared.program, prepared.machine);
    Prediction result;
    result.record.engine = name_of(Engine::analytic);
    result.record.finish = prediction.total;
    result.record.iterations = std::move(prediction.iterations);
    result.contention = prediction.contention;
    if (!prepared.noise.off()) {
        result.record.notes.emplace_back("the closed form knows neither noise nor ranks that are not alike");
    }
    if (prepared.machine.eager_limit)
        result.record.notes.emplace_back("the closed form knows no limit of eager messages");
    return result;
}

Prediction by_event_engine(const Experiment& prepared, const engine::Options& options) {
    Prediction result{engine::run(prepared.program, prepared.machine, options)};
    const record::Breakdown& parts = *result.record.breakdown;
    result.waiting = Waiting{parts.bus_wait, parts.nic_wait + parts.link_wait};
    return result;
}

Prediction by_simgrid(const Experiment& prepared) {
    using End = reference::RunOutcome::End;
    reference::RunOutcome outcome = reference::run(prepared.program, prepared.machine, prepared.scenario.grid_range);
    if (outcome.end == End::deadlock) throw RunFailed(results::describe_deadlock(outcome.blocked, prepared.program));
    if (outcome.end == End::overflow) throw RunFailed("virtual time overflow: a clock passed its horizon of 53 days");
    Prediction result{std::move(outcome.record)};
    result.waiting = Waiting{outcome.bus_wait, outcome.flow_wait};
    if (!prepared.noise.off()) {
        result.record.notes.emplace_back("on simgrid there is neither noise nor are there ranks that are not alike");
    }
    return result;
}

/// Describes the messages that exhausted the memory, the results until then, and remedies.
std::string out_of_memory(const engine::MemoryExhausted::Found& found, const program::Program& program) {
    std::string text =
        fmt::format("out of memory: {} messages wait on the channel from {} to {}, tag {}, sent{}",
                    results::grouped(found.queued), results::rank_text(found.from, program),
                    results::rank_text(found.to, program), found.tag, results::in_statement(found.site, program));
    if (found.limit) text += fmt::format("; all that wait may take {}", results::size(*found.limit));
    text += fmt::format("\n  found until then: {} simulated", results::duration(found.simulated));
    if (!found.iterations.empty()) text += fmt::format(", iterations {}", results::iterations(found.iterations));
    return text +
           "\n  expected a receiver that keeps up with its sender, an `eager_limit` of the platform (as of "
           "`--set platform.eager_limit.messages=64`), or more memory";
}

/// The seed, if the run depends on it.
std::string of_seed(const engine::Options& options) {
    return options.noise.random() ? fmt::format(", with seed {}", options.seed.value) : "";
}

}  // namespace

std::string_view name_of(Engine engine) { return kEngineNames[static_cast<std::size_t>(engine)]; }

Prediction predict(Engine engine, const Experiment& prepared, const engine::Options& options) {
    if (engine == Engine::analytic) return by_closed_form(prepared);
    try {
        return engine == Engine::simgrid ? by_simgrid(prepared) : by_event_engine(prepared, options);
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
            "out of memory: this computer has less left than the run needs; expected fewer ranks, or more memory");
    } catch (const engine::TimeOverflow& overflow) {
        throw RunFailed(fmt::format("virtual time overflow: {}{} passes the horizon of 53 days{}",
                                    results::rank_text(overflow.rank(), prepared.program),
                                    results::in_statement(overflow.site(), prepared.program), of_seed(options)));
    }
}

Prediction predict(Engine engine, const Experiment& prepared) {
    return predict(engine, prepared, options_of(prepared));
}

}  // namespace warpfront::tools
