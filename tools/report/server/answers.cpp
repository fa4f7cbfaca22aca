#include "tools/report/server/answers.hpp"

#include <algorithm>
#include <exception>
#include <set>
#include <span>

#include "simulator/engine/parallel/progress_monitor.hpp"
#include "simulator/input/diagnostic.hpp"
#include "tools/answer/prediction/engines.hpp"
#include "tools/answer/runs/memory.hpp"
#include "tools/answer/runs/runs.hpp"

namespace warpfront::tools {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Answer answer_of(const std::function<WideTime()>& predict) {
    try {
        return {predict()};
    } catch (const BadInput& bad) {
        return {{}, bad.diagnostics().all().front().message};
    } catch (const RunFailed& failed) {
        return {{}, first_line(failed.what())};
    }
}

namespace {

/// Returns the closed form of the curves: `overlapped` if a considerable part of `analytic` at the start consists of
/// waits for eager messages, with which `analytic` would choose the wrong tile.
Engine form_of(const Exploration& exploration) {
    bool has_eager_waits = false;
    (void)answer_of([&] {
        const Prediction prediction = predict(Engine::analytic, exploration.experiment(exploration.start()));
        has_eager_waits = prediction.eager_waits.has_value();
        return prediction.record.finish;
    });
    return has_eager_waits ? Engine::overlapped() : Engine::analytic;
}

}  // namespace

std::vector<std::vector<Answer>> Curves::from(const Position& at) {
    const std::scoped_lock lock(mutex_);
    if (!form_) form_ = form_of(exploration_);
    std::set<Position> missing;
    for (std::size_t knob = 0; knob < exploration_.knobs().size(); ++knob) {
        for (const Position& each : exploration_.along(at, knob)) {
            if (!known_.contains(each)) missing.insert(each);
        }
    }
    const std::vector<Position> wanted(missing.begin(), missing.end());
    std::vector<Answer> answers(wanted.size());
    parallel_for(static_cast<std::uint32_t>(wanted.size()), threads_, [&](std::uint32_t number, const Wanted&) {
        answers[number] =
            answer_of([&] { return predict(*form_, exploration_.experiment(wanted[number])).record.finish; });
    });
    for (std::size_t k = 0; k < wanted.size(); ++k) known_[wanted[k]] = std::move(answers[k]);

    std::vector<std::vector<Answer>> curves;
    for (std::size_t knob = 0; knob < exploration_.knobs().size(); ++knob) {
        std::vector<Answer>& curve = curves.emplace_back();
        for (const Position& each : exploration_.along(at, knob)) curve.push_back(known_.at(each));
    }
    return curves;
}

namespace {

std::size_t distance(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

std::size_t differing(const Position& a, const Position& b) {
    std::size_t count = 0;
    for (std::size_t k = 0; k < a.choices.size(); ++k) count += a.choices[k] != b.choices[k] ? 1U : 0U;
    return count;
}

}  // namespace

EventPoints::EventPoints(const Exploration& exploration, unsigned threads, Clock::duration poll_timeout)
    : exploration_(exploration), poll_timeout_(poll_timeout) {
    for (unsigned k = 0; k < threads; ++k) threads_.emplace_back([this] { work(); });
}

EventPoints::~EventPoints() {
    {
        const std::scoped_lock lock(mutex_);
        ends_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
}

EventPoints::Status EventPoints::poll(const Position& at, std::size_t knob) {
    std::vector<Position> wanted = exploration_.along(at, knob);
    std::ranges::stable_sort(wanted, [&](const Position& a, const Position& b) {
        return distance(a.choices[knob], at.choices[knob]) < distance(b.choices[knob], at.choices[knob]);
    });
    Status seen;
    {
        const std::scoped_lock lock(mutex_);
        wanted_ = std::move(wanted);
        polled_ = Clock::now();
        for (const auto& [position, answer] : known_) {
            if (differing(position, at) <= 1) seen.points.emplace(position, answer);
        }
        for (const auto& [position, done] : running_) seen.running.push_back({position, done});
        for (const Position& each : wanted_) seen.waiting += known_.contains(each) || running_.contains(each) ? 0U : 1U;
    }
    changed_.notify_all();
    return seen;
}

bool EventPoints::wants(const Position& at) const {
    const bool listed = std::ranges::find(wanted_, at) != wanted_.end();
    return !ends_ && listed && Clock::now() - polled_ < poll_timeout_;
}

/// Returns the first position that is wanted and neither known nor running.
std::optional<Position> EventPoints::next() {
    for (const Position& each : wanted_) {
        if (wants(each) && !known_.contains(each) && !running_.contains(each)) return each;
    }
    return std::nullopt;
}

void EventPoints::work() {
    std::unique_lock lock(mutex_);
    while (true) {
        std::optional<Position> at;
        changed_.wait(lock, [&] { return ends_ || (at = next()).has_value(); });
        if (ends_) return;
        running_[*at] = 0.0;
        lock.unlock();
        std::optional<Answer> answer;
        try {
            answer = run(*at);
        } catch (const engine::Interrupted&) {  // the position was not part of the last poll
        } catch (const std::exception& fault) {
            answer = Answer{{}, fault.what()};
        }
        lock.lock();
        running_.erase(*at);
        if (answer) known_[*at] = *answer;
    }
}

Answer EventPoints::run(const Position& at) {
    std::optional<PredictionError> error;  // the error of a calibrated prediction
    std::uint64_t ranks = 0;
    Answer answer = answer_of([&] {
        const Experiment experiment = exploration_.experiment(at);
        engine::Options options = options_of(experiment);
        const Bytes available = available_memory();
        const Bytes needed = memory_of_run(experiment, options);
        refuse_beyond(available, needed, experiment.scenario.grid_range);
        options.queue_memory = memory_for_queues(available, needed);
        engine::ProgressMonitor monitor([&](const engine::Progress& progress) {
            const std::scoped_lock lock(mutex_);
            running_[at] = progress.done();
            return wants(at) ? engine::ProgressMonitor::Decision::go_on : engine::ProgressMonitor::Decision::stop;
        });
        options.monitor = &monitor;
        if (experiment.calibrated) error = experiment.calibrated->error;
        ranks = experiment.program.grid.ranks();
        return predict(Engine::event, experiment, options).record.finish;
    });
    if (answer.time) answer.interval = results::interval_of(std::span(&*answer.time, 1), error, ranks);
    return answer;
}

}  // namespace warpfront::tools
