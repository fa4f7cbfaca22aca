#include "tools/runs/seeds.hpp"

#include <numeric>
#include <utility>
#include <vector>

#include "tools/runs/memory.hpp"

namespace warpfront::tools {

SeedsRun run_seeds(const Experiment& prepared, const engine::Options& options, std::uint32_t seeds, ProgressMode mode) {
    std::vector<EventRun> runs;
    for (std::uint32_t number = 0; number < seeds; ++number) {
        runs.push_back({&prepared, Seed{options.seed.value + number}});
    }
    SeedsRun result{{}, {options.seed, std::vector<WideTime>(seeds)}};
    std::vector<double> cpu_s(seeds);
    const Bytes kept = memory_of_record(prepared);  // that of the first seed, while others run
    const EventRuns ran = run_events(runs, options, kept, mode, [&](std::uint32_t number, Prediction prediction) {
        result.ensemble.times[number] = prediction.record.finish;
        cpu_s[number] = prediction.record.work->cpu_s;
        if (number == 0) result.first = std::move(prediction.record);
    });
    result.ensemble.at_once = ran.at_once;
    result.ensemble.wall_s = ran.wall_s;
    result.ensemble.cpu_s = std::accumulate(cpu_s.begin(), cpu_s.end(), 0.0);
    return result;
}

}  // namespace warpfront::tools
