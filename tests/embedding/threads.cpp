// Predictions of several threads at once equal those one after the other, for every engine. A run that is ordered to
// stop ends.
//
//   threads SCENARIO
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <warpfront/warpfront.hpp>

namespace {

struct Job {
    warpfront::ScenarioRun run;
    std::string engine;
};

std::string outcome_of(const Job& job) {
    warpfront::RunOptions options;
    options.engine = job.engine;
    try {
        const warpfront::Prediction prediction = warpfront::predict(job.run, options);
        return prediction.engine + " " + std::to_string(prediction.time.count()) + " " + prediction.digest;
    } catch (const warpfront::InvalidInput& fault) {
        return fault.what();
    }
}

std::vector<Job> jobs_of(const std::string& scenario) {
    const std::vector<std::string> small{"ranks.columns=4", "ranks.rows=4", "parameters.nz=20", "calibration=off"};
    std::vector<Job> jobs;
    for (const std::string engine : {"event", "analytic", "simgrid", "plug-and-play"}) {
        for (const std::string change : {"iterations=1", "iterations=2", "iterations=0"}) {  // none are a fault
            std::vector<std::string> settings = small;
            settings.push_back(change);
            jobs.push_back({{scenario, settings}, engine});
        }
    }
    return jobs;
}

bool stops(const std::string& scenario) {
    warpfront::RunOptions options;
    options.replay = warpfront::ReplayMode::full;
    const auto began = std::chrono::steady_clock::now();
    options.stop = [began] { return std::chrono::steady_clock::now() - began > std::chrono::milliseconds(1); };
    try {
        warpfront::predict(warpfront::ScenarioRun{scenario}, options);
    } catch (const warpfront::Interrupted&) {
        return true;
    }
    return false;
}

}  // namespace

int main(int, char** arguments) {
    const std::vector<Job> jobs = jobs_of(arguments[1]);
    std::vector<std::string> alone;
    std::transform(jobs.begin(), jobs.end(), std::back_inserter(alone), outcome_of);
    std::vector<std::vector<std::string>> together(3, std::vector<std::string>(jobs.size()));
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < together.size(); ++thread) {
        threads.emplace_back([&, thread] {
            for (std::size_t k = 0; k < jobs.size(); ++k) {
                const std::size_t job = (k + thread * 5) % jobs.size();
                together[thread][job] = outcome_of(jobs[job]);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    const bool same = std::all_of(together.begin(), together.end(), [&](const auto& each) { return each == alone; });
    std::printf("same %d\nstops %d\n", same ? 1 : 0, stops(arguments[1]) ? 1 : 0);
    return 0;
}
