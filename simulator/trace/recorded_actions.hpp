// The events of a recorded run as the actions of traces, for its replay.
//
// Requests are those of the recording: a wait becomes one for each request that it completed there, the sends first. A
// receive from any source stays one. A message of another communicator than the world has a tag that no other has.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "simulator/trace/action.hpp"
#include "simulator/trace/communicators.hpp"
#include "simulator/trace/recorded_run.hpp"

namespace warpfront::trace {

/// Tags of messages by communicator and tag of the run: those of the world stay, others follow behind the largest.
using RecordedTags = std::map<std::pair<std::uint32_t, std::int32_t>, std::int32_t>;
RecordedTags tags_of(const RecordedRun& run);

/// The actions of one rank, from `init` to `finalize`. `line` of each is the place of its call among the run's, from 1.
/// Throws BadInput (bad_recording) for a wait whose request is not open.
std::vector<Action> actions_of(const RecordedRun& run, Rank rank, const RecordedTags& tags,
                               const Communicators& communicators);

}  // namespace warpfront::trace
