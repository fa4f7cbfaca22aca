// Lists of tasks on machines whose cluster memory is described by the network's own files.
#include "tests/end_to_end/program.hpp"

namespace {

/// PPM on two machines of 128 CPUs, with a pencil for each CPU: a step of passes of 2.5 s.
const std::string kPpm =
    "run models/ppm/origin.yaml --set parameters.steps=1 --set parameters.pencils=128 --set parameters.pencil=2.5s ";

/// Returns the output of a run about the machine in use, without its name and files.
json figures_of(const std::string& settings) {
    const json result = json_of(kPpm + settings);
    return {{"time", result.at("time_s")}, {"tasks", result.at("tasks")}};
}

}  // namespace

TEST_CASE("the Origin pair has the same values with disks of its platform as with their rates typed") {
    const json typed = figures_of(
        "--set platform.cluster_memory.servers=2 "
        "--set 'platform.cluster_memory.server={read: 274.1MBps, write: 274.1MBps}'");
    const json disks = figures_of("--set platform=../../platforms/origin2000-disks.yaml");
    CHECK(disks == typed);
    // 16 bricks of 15 s for each machine, the read before and the write behind, 3.5 s each.
    CHECK(disks.at("time").get<double>() == approx(16 * 15.0 + 7.0).epsilon(1e-4));
    CHECK(disks.at("time") == figures_of("").at("time"));
}
