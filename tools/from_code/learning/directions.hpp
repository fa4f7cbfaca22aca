// The directions of messages along closed axes of two ranks. Both directions then lead to the same rank.
//
// If a call sends alternately to the west and to the east in a run with three or more columns, it does so on two
// columns too. So the messages of a call on two columns have the directions of the same messages, by their order, in
// the other run.
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

/// The messages of one MPI call over one distance.
struct DirectedCall {
    std::tuple<std::string, unsigned, std::string> place;
    StepKind kind = StepKind::send;
    Offset distance;  // distance along each axis, without a sign
    friend auto operator<=>(const DirectedCall&, const DirectedCall&) = default;
};
DirectedCall directed_call(const trace::RecordedSite& site, StepKind kind, const Offset& offset);

class Directions {
public:
    /// Adds the directions of a rank's messages along closed axes of three or more ranks. The first run that has such
    /// an axis determines them.
    void add(const trace::RecordedRun& recorded, const RankSteps& steps, const Array& array, Rank rank);
    /// Returns the offset of the n-th message of a call. Along closed axes of two ranks it has the direction of the
    /// other run.
    Offset directed(const DirectedCall& call, std::size_t ordinal, const Array& array, const Offset& offset) const;
    bool empty() const { return known_.empty(); }

private:
    using Signs = std::vector<std::int32_t>;
    std::map<DirectedCall, std::array<Signs, 3>> known_;  // for each axis, one period of the signs
};

}  // namespace warpfront::learning
