// The program `campaign`: options and exit status. 0: clean, 1: some trial failed, 2: the command line is wrong.
#include <exception>

#include <CLI/CLI.hpp>

#include "tests/campaign/campaign.hpp"

namespace {

std::uint64_t fresh_seed() {
    std::random_device device;
    const auto now = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
    return (std::uint64_t{device()} << 32 | device()) ^ now;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("random experiments, each run in every way that must give the same", "campaign");
    warpfront::campaign::Plan plan;
    std::optional<std::uint64_t> seed;
    std::string out = "build/campaign";
    app.add_option("--seconds", plan.seconds, "begin no trial later; 60 if not said")->check(CLI::NonNegativeNumber);
    app.add_option("--cases", plan.trials, "at most so many trials");
    app.add_option("--seed", seed, "decimal; a fresh one if not said");
    app.add_option("--first", plan.first, "number of the first trial; 0 if not said");
    app.add_option("--jobs", plan.jobs, "trials side by side; 1 if not said")->check(CLI::Range(1, 1024));
    app.add_option("--large", plan.large_share, "share of trials of 100 ranks and more; 0.05 if not said")
        ->check(CLI::Range(0.0, 1.0));
    app.add_option("--failures", plan.failures, "end after so many; 5 if not said")->check(CLI::Range(1, 1'000'000));
    const std::filesystem::path root = WARPFRONT_SOURCE_DIR;
    const auto from_root = [&](const std::string& folder) {
        return (root / folder).lexically_normal().lexically_relative(root);
    };
    app.add_option("--out", out, "folder of the trials' files, within the project; build/campaign if not said")
        ->check([&](const std::string& folder) {
            const bool outside = *from_root(folder).begin() == "..";
            return outside ? "lies outside " + root.string() + ", from which trials name the shipped files" : "";
        });
    CLI11_PARSE(app, argc, argv);
    try {
        plan.folder = from_root(out);
        std::filesystem::current_path(root);
        plan.seed.value = seed.value_or(fresh_seed());
        fmt::print("seed {}\n", plan.seed.value);
        std::fflush(stdout);
        return warpfront::campaign::run_campaign(plan) ? 0 : 1;
    } catch (const std::exception& fault) {
        fmt::print(stderr, "the campaign itself failed: {}\n", fault.what());
        return 1;
    }
}
