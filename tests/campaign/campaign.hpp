// A campaign: trial after trial, several side by side, each in its own process. Failing trials are shrunk and reported.
#pragma once

#include "simulator/units/random.hpp"
#include "tests/preamble.hpp"

namespace warpfront::campaign {

struct Plan {
    Seed seed;
    double seconds = 60.0;                  // no trial begins later
    std::optional<std::uint32_t> trials{};  // the largest number of trials
    std::uint32_t first = 0;                // number of the first one
    unsigned jobs = 1;
    double large_share = 0.05;
    unsigned failures = 5;         // the campaign ends after this number
    std::filesystem::path folder;  // of the trials' files, relative to the project's root
};

/// Runs a campaign. The project's root must be the current directory. Returns true if no trial failed and enough were
/// compared.
bool run_campaign(const Plan& plan);

}  // namespace warpfront::campaign
