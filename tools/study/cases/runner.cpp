#include "tools/study/cases/runner.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/answer/prediction/context.hpp"
#include "tools/answer/runs/estimate.hpp"
#include "tools/answer/runs/interrupt.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks{20};

/// The state that all cases share.
class CaseRunner {
public:
    explicit CaseRunner(const CaseRuns& runs)
        : runs_(runs),
          results_(runs.cases * runs.seeds),
          pool_({.runs = static_cast<std::uint32_t>(results_.size()),
                 .threads = runs.threads,
                 .processes = runs.processes,
                 .unit = runs.unit,
                 .remedy = runs.store == nullptr ? "" : "; repeat the command to resume",
                 .stop = runs.stop,
                 .mode = runs.mode}) {}

    /// Runs the cases that no other process has claimed.
    void run_unclaimed(bool leaves_faults) {
        pool_.for_each([&](RunPool::Run& run) {
            try {
                results_[run.number()] = run_unclaimed(prepare(run), run);
            } catch (const BadInput&) {
                if (!leaves_faults) throw;
            }
        });
    }

    /// Waits for the results of the cases that other processes have claimed, or runs these cases.
    void run_rest() {
        pool_.for_each([&](RunPool::Run& run) {
            std::optional<PointResult>& result = results_[run.number()];
            if (result) return;
            for (const Prepared prepared = prepare(run); !(result = run_unclaimed(prepared, run));) {
                std::this_thread::sleep_for(kBetweenLooks);
                end_if_interrupted();
            }
        });
    }

    /// Returns the results. The result of the first seed contains those of the further seeds.
    CaseResults results() {
        CaseResults all{.all = {}, .taken_from_store = taken_from_store_};
        for (std::size_t k = 0; k < results_.size(); ++k) {
            if (k % runs_.seeds == 0) {
                all.all.push_back(std::move(*results_[k]));
                continue;
            }
            add_seed(std::move(*results_[k]), all.all.back());
        }
        return all;
    }

private:
    /// Adds the results of a further seed to those of the first. If a seed of an engine fails, the case has no result
    /// of this engine, and the failure of the lowest such seed.
    static void add_seed(PointResult of_seed, PointResult& result) {
        for (EngineResult& each : of_seed.engines) {
            const auto first = std::ranges::find(result.engines, each.engine, &EngineResult::engine);
            if (first == result.engines.end()) continue;
            each.notes.clear();
            first->further.push_back(std::move(each));
        }
        for (EngineFailure& failure : of_seed.failures) {
            const bool is_known =
                std::ranges::find(result.failures, failure.engine, &EngineFailure::engine) != result.failures.end();
            if (is_known) continue;
            std::erase_if(result.engines, [&](const EngineResult& each) { return each.engine == failure.engine; });
            result.failures.push_back(std::move(failure));
        }
    }

    struct Prepared : PreparedCase {
        std::string key;  // key in the store
        std::uint64_t seed = 0;
    };

    Prepared prepare(const RunPool::Run& run) const {
        end_if_interrupted();
        Prepared prepared{runs_.prepare(run.number() / runs_.seeds), {}, run.number() % runs_.seeds};
        const Experiment& experiment = *prepared.experiment;
        const auto repeats = [](Engine engine) { return engine.is_closed_form(); };
        if (prepared.seed > 0 && !experiment.depends_on_seed()) prepared.engines.clear();
        if (prepared.seed > 0) std::erase_if(prepared.engines, repeats);
        if (runs_.most_messages && steps_more(experiment, *runs_.most_messages)) {
            std::erase(prepared.engines, Engine::event);
        }
        if (std::ranges::any_of(prepared.engines, repeats)) refuse_without_closed_form(experiment);
        if (runs_.store != nullptr) {
            prepared.key = key_of(experiment, prepared.engines, runs_.with_path, prepared.seed);
        }
        return prepared;
    }

    /// Returns the result from the store, or runs the case. Returns nothing if another process has claimed the case.
    std::optional<PointResult> run_unclaimed(const Prepared& prepared, RunPool::Run& run) {
        if (runs_.store == nullptr || prepared.engines.empty()) return run_engines(prepared, run);
        std::optional<PointResult> result = find(prepared, run);
        if (!result) {
            const std::optional<PointStore::Claim> claim = runs_.store->claim(prepared.key);
            if (!claim) return std::nullopt;
            result = find(prepared, run);
            if (!result) {
                result = run_engines(prepared, run);
                if (result->failures.empty()) runs_.store->put(prepared.key, *result);
            }
        }
        result->inputs = results::hash_inputs(prepared.experiment->sources);
        return result;
    }

    std::optional<PointResult> find(const Prepared& prepared, RunPool::Run& run) {
        std::optional<PointResult> finished = runs_.store->find(prepared.key);
        if (finished) {
            ++taken_from_store_;
            run.end(true);
        }
        return finished;
    }

    PointResult run_engines(const Prepared& prepared, RunPool::Run& run) {
        const Experiment& experiment = *prepared.experiment;
        PointResult result{experiment.program.grid.ranks(),
                           experiment.machine.placement.nodes(),
                           notes_of(experiment, prepared.engines),
                           {}};
        result.notes.insert(result.notes.end(), prepared.notes.begin(), prepared.notes.end());
        run.expect(prepared.engines.size());
        for (const Engine engine : prepared.engines) {
            try {
                result.engines.push_back(run_engine(engine, prepared, run));
            } catch (const RunFailed& failed) {
                if (!runs_.keeps_failures) throw;
                result.failures.push_back({std::string(name_of(engine)), failure_text(prepared, failed)});
            }
        }
        run.end();
        return result;
    }

    /// Returns the message of a failure, with the seed if it may be that of one seed only.
    std::string failure_text(const Prepared& prepared, const RunFailed& failed) const {
        if (runs_.seeds == 1 || !prepared.experiment->depends_on_seed()) return failed.what();
        const std::uint64_t seed = options_of(*prepared.experiment).seed.value + prepared.seed;
        return fmt::format("seed {}: {}", seed, failed.what());
    }

    EngineResult run_engine(Engine engine, const Prepared& prepared, RunPool::Run& run) {
        engine::Options options = options_of(*prepared.experiment);
        options.seed.value += prepared.seed;
        options.path = runs_.with_path && engine == Engine::event && !has_choices(prepared.experiment->program);
        const Prediction prediction = run.predict(engine, *prepared.experiment, options);
        const record::Record& record = prediction.record;
        EngineResult result{.engine = std::string(name_of(engine)), .time = record.finish};
        result.path = record.path;
        result.fill = record.fill;
        result.nonwavefront = record.nonwavefront;
        if (record.link_waits) result.link_wait = record.link_waits->all;
        if (record.tasks) result.cores = record.tasks->cores;
        result.notes = record.notes;
        result.depends_on_seed = !engine.is_closed_form() && prepared.experiment->depends_on_seed();
        result.waiting = prediction.waiting;
        result.contention = prediction.contention;
        return result;
    }

    const CaseRuns& runs_;
    std::vector<std::optional<PointResult>> results_;  // result of each case and seed
    RunPool pool_;
    std::atomic<std::size_t> taken_from_store_ = 0;
};

}  // namespace

void require_random(const CaseRuns& runs) {
    for (std::size_t number = 0; runs.seeds > 1; ++number) {
        if (number == runs.cases) {
            throw BadInput(
                DiagnosticKind::nothing_random, {}, "`--seeds` has no effect: all runs are deterministic",
                "expected the event engine or simgrid, and `noise` or `heterogeneity` that depends on the seed");
        }
        const PreparedCase prepared = runs.prepare(number);
        const bool has_engine = !std::ranges::all_of(prepared.engines, &Engine::is_closed_form);
        if (has_engine && prepared.experiment->depends_on_seed()) return;
    }
}

CaseResults run_cases(const CaseRuns& runs) {
    CaseRunner runner(runs);
    runner.run_unclaimed(false);
    runner.run_rest();
    return runner.results();
}

void run_unclaimed_cases(const CaseRuns& runs) { CaseRunner(runs).run_unclaimed(true); }

}  // namespace warpfront::tools
