// Regions are the parts of a run that are replayed as recorded, because they do not fold into loops or their numbers
// have no expressions. The first region ends with a collective over all ranks, and the last region begins after such a
// collective.
//
//   setup | collective ... learnt ... collective | finish
//
// A region is a recording in a file beside the model. The model's statement `trace` names the file. A region is valid
// only for the recorded number of ranks.
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
    std::uint32_t setup = 0;  // number of collectives in the setup, the last of which ends it; 0 if there is no setup
    /// number of the collective, counted from the end, after which the finish begins; 0 if there is no finish
    std::uint32_t finish = 0;
    bool any() const { return setup != 0 || finish != 0; }
};

/// A region of one run.
struct Region {
    std::string name;  // setup or finish
    std::vector<trace::EventRange> events{};
    double operations = 0.0;  // share of all operations
    double time = 0.0;        // share of the time, if the run has times
    /// True if the model omits the region. That is so if every region of the run is too small to justify a model that
    /// is valid only for the ranks of one run.
    bool left_out = false;
};

/// Removes the regions from the steps. Returns nothing if the run has fewer collectives than the cut, or if a request
/// is open at the end of a region.
std::optional<std::vector<Region>> regions_of(const trace::RecordedRun& run, std::vector<RankSteps>& ranks,
                                              const Cut& cut);

/// Returns cuts that leave at least half of the operations outside the regions. Cuts that leave more come first.
std::vector<Cut> cuts_of(const trace::RecordedRun& run, const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
