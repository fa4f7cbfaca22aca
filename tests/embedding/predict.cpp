// Uses warpfront in another program: predicts a scenario, or a model on a machine, and prints the time.
//
//   predict SCENARIO [PATH=VALUE ...]
//   predict MODEL.psl PLATFORM.yaml COLUMNS ROWS [PARAMETER=VALUE ...]
#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <warpfront/warpfront.hpp>

namespace {

warpfront::Prediction predict_model(const std::vector<std::string>& words) {
    warpfront::ModelRun run{words.at(0), words.at(1)};
    run.ranks.columns = static_cast<std::uint32_t>(std::stoul(words.at(2)));
    run.ranks.rows = static_cast<std::uint32_t>(std::stoul(words.at(3)));
    for (std::size_t k = 4; k < words.size(); ++k) {
        const std::size_t equals = words[k].find('=');
        run.parameters[words[k].substr(0, equals)] = words[k].substr(equals + 1);
    }
    return warpfront::predict(run);
}

warpfront::Prediction predict_scenario(const std::vector<std::string>& words) {
    return warpfront::predict(warpfront::ScenarioRun{words.at(0), {words.begin() + 1, words.end()}});
}

void print(const warpfront::Prediction& prediction) {
    std::printf("time_s %.17g\n", prediction.time.count());
    std::printf("compute_s %.17g\n", prediction.parts->compute.count());
    double waiting = 0.0;
    for (const warpfront::TimeParts& rank : prediction.rank_parts) waiting = std::max(waiting, rank.wait.count());
    std::printf("longest_wait_s %.17g\n", waiting);
    std::printf("ranks %zu\n", prediction.rank_times.size());
    std::printf("messages %llu\n", static_cast<unsigned long long>(prediction.messages));
    std::printf("digest %s\n", prediction.digest.c_str());
}

}  // namespace

int main(int count, char** arguments) try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    const bool model = !words.empty() && std::string_view(words[0]).ends_with(".psl");
    print(model ? predict_model(words) : predict_scenario(words));
    return 0;
} catch (const warpfront::InvalidInput& fault) {
    std::fprintf(stderr, "%s", fault.what());
    return 2;
} catch (const warpfront::RunFailure& failure) {
    std::fprintf(stderr, "%s", failure.what());
    return 1;
} catch (const std::exception& other) {
    std::fprintf(stderr, "%s\n", other.what());
    return 3;
}
