// Regions: the parts of a run that are replayed as recorded, because they do not fold into loops or their numbers have
// no expressions. One region ends at a collective over all ranks, the other begins after such a collective.
//
//   setup | collective ... learnt ... collective | finish
//
// A region is a recording in a file beside the model; the model's statement `trace` names the file. It is valid for the
// recorded number of ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/write_recording.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// The ends of the regions, counted in collectives over all ranks.
struct Cut {
    std::uint32_t setup = 0;   // collectives in the setup, which ends with one; 0: no setup
    std::uint32_t finish = 0;  // the finish begins after the collective with this number from the end; 0: no finish
    bool any() const { return setup != 0 || finish != 0; }
};

/// A region of one run.
struct Region {
    std::string name;  // setup, finish
    std::vector<trace::EventRange> events{};
    double operations = 0.0;  // its share of all operations
    double time = 0.0;        // its share of the time, if the run has times
    /// Every region of the run is too small to restrict the model to the ranks of one run, so the model omits them.
    bool left_out = false;
};

/// Removes the regions from the steps. Returns nothing if the run has fewer collectives than the cut, or if a request
/// is open at the end of a region.
std::optional<std::vector<Region>> regions_of(const trace::RecordedRun& run, std::vector<RankSteps>& ranks,
                                              const Cut& cut);

/// Returns cuts with at least half of the operations outside the regions, in descending order of this share.
std::vector<Cut> cuts_of(const trace::RecordedRun& run, const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
