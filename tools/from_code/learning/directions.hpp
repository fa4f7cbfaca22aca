// Directions of messages along closed axes of two ranks, where both directions lead to the same rank.
//
// A call that sends in turn to the west and to the east in a run with three or more columns does so on two columns too.
// The messages of a call there have the directions of the same messages, by their order, in the other run.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "tools/from_code/learning/grid.hpp"
#include "tools/from_code/learning/steps.hpp"

namespace warpfront::learning {

/// Messages of one call in the code over one distance.
struct DirectedCall {
    std::tuple<std::string, unsigned, std::string> place;
    StepKind kind = StepKind::send;
    Offset distance;  // without directions
    friend auto operator<=>(const DirectedCall&, const DirectedCall&) = default;
};
DirectedCall directed_call(const trace::RecordedSite& site, StepKind kind, const Offset& offset);

class Directions {
public:
    /// Adds the messages of a rank along the closed axes of three or more ranks. The first run that shows an axis
    /// counts.
    void add(const trace::RecordedRun& recorded, const RankSteps& steps, const Array& array, Rank rank);
    /// Returns the offset of the n-th message of a call, with the directions along closed axes of two ranks.
    Offset directed(const DirectedCall& call, std::size_t ordinal, const Array& array, const Offset& offset) const;
    bool empty() const { return known_.empty(); }

private:
    using Signs = std::vector<std::int32_t>;
    std::map<DirectedCall, std::array<Signs, 3>> known_;  // by axis: one period
};

}  // namespace warpfront::learning
