// SimGrid's own replay of a folder that `warpfront trace` has written.
#pragma once

#include <regex>

#include "tests/end_to_end/program.hpp"

namespace warpfront::end_to_end {

/// A network that SMPI can imitate: nothing shared, equal distances. Its rows, eager, follow.
inline const std::string kLikeSmpi =
    "like: '" WARPFRONT_SOURCE_DIR
    "/platforms/xt4.yaml'\n"
    "bus: {enabled: off}\nnic: {enabled: off}\nlinks: {enabled: off}\nlinks_in_L: 1000\n"
    "message_processing: {enabled: off}\neager: off\n"
    "layers:\n"
    "  network:\n";

/// Returns the time that the replay prints, in seconds; the test fails if the replay does.
inline double replayed_seconds(const std::filesystem::path& folder) {
    const Outcome outcome = run_in(folder, "./replay");
    REQUIRE_MESSAGE(outcome.status == 0, outcome.err);
    const std::string said = outcome.out + outcome.err;
    std::smatch found;
    REQUIRE(std::regex_search(said, found, std::regex("Simulation time ([0-9.]+)")));
    return std::stod(found[1]);
}

}  // namespace warpfront::end_to_end
