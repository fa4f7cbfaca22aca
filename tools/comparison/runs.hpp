// The runs of a comparison: every row by every engine that is asked for, the event engine's rows and seeds side by side.
//
// With `--seeds N` a row whose time depends on the seed is the mean of N seeds, from that of its scenario on, rounded
// down to the picosecond. Its interval is that of results/interval.hpp, of one further run; a calibrated row has one with
// one seed, too.
#pragma once

#include <string>
#include <vector>

#include "tools/comparison/points.hpp"
#include "tools/experiment/experiment.hpp"

namespace warpfront::tools {

struct PreparedRow {
    ComparisonPoint point;
    Experiment experiment;
    std::vector<std::string> notes{};  // of engines, on differences
};

/// The experiment of every point. Throws BadInput with the faults of all of them.
std::vector<PreparedRow> prepare_rows(std::vector<ComparisonPoint> points);

/// Fills in times, intervals and parts. Throws what the engines throw, and BadInput: nothing_random if several seeds are
/// asked for and no row depends on the seed, bad_option if parts are of a model with regions that are not stepped.
void run_rows(std::vector<PreparedRow>& rows, const ComparisonRequest& request);

}  // namespace warpfront::tools
