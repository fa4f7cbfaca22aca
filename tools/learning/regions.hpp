// What of a run is replayed as it was recorded, since it does not fold or its numbers are no expressions: what ranks do
// before one of their collectives over all ranks, and what they do behind another.
//
//   setup | collective ... learnt ... collective | finish
//
// A region is a recording beside the model, in which the statement `trace` names it. It is valid on the recorded ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulator/trace/write_recording.hpp"
#include "tools/learning/steps.hpp"

namespace warpfront::learning {

/// Where regions end and begin, in collectives over all ranks.
struct Cut {
    std::uint32_t setup = 0;   // the setup has so many, the last of them last; 0: there is none
    std::uint32_t finish = 0;  // the finish begins behind the last but so many, less one; 0: there is none
    bool any() const { return setup != 0 || finish != 0; }
};

/// A region of one run.
struct Region {
    std::string name;  // setup, finish
    std::vector<trace::EventRange> events{};
    double operations = 0.0;  // its share of all operations
    double time = 0.0;        // and of the time, where the run has times
    /// All regions are too small a part to bind the model to the ranks of one run: they are no traces, and the model
    /// does without them.
    bool left_out = false;
};

/// Takes the regions off the steps; nothing where the run has fewer collectives, or a request is open at an end.
std::optional<std::vector<Region>> regions_of(const trace::RecordedRun& run, std::vector<RankSteps>& ranks,
                                              const Cut& cut);

/// Cuts that leave half of the operations or more, those that leave most first.
std::vector<Cut> cuts_of(const trace::RecordedRun& run, const std::vector<RankSteps>& ranks);

}  // namespace warpfront::learning
