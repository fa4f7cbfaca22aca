#include "tools/server/curves.hpp"

#include <set>

#include "simulator/input/diagnostic.hpp"
#include "tools/prediction/engines.hpp"
#include "tools/runs/parallel_for.hpp"

namespace warpfront::tools {

namespace {

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Answer answer_of(const std::function<WideTime()>& predict) {
    try {
        return {predict()};
    } catch (const input::BadInput& bad) {
        return {{}, bad.faults().all().front().message};
    } catch (const RunFailed& failed) {
        return {{}, first_line(failed.what())};
    }
}

std::vector<std::vector<Answer>> Curves::from(const Position& at) {
    const std::scoped_lock lock(mutex_);
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
            answer_of([&] { return predict(Engine::analytic, exploration_.experiment(wanted[number])).record.finish; });
    });
    for (std::size_t k = 0; k < wanted.size(); ++k) known_[wanted[k]] = std::move(answers[k]);

    std::vector<std::vector<Answer>> curves;
    for (std::size_t knob = 0; knob < exploration_.knobs().size(); ++knob) {
        std::vector<Answer>& curve = curves.emplace_back();
        for (const Position& each : exploration_.along(at, knob)) curve.push_back(known_.at(each));
    }
    return curves;
}

}  // namespace warpfront::tools
