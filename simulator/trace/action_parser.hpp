// One line of a trace (action.hpp) as an action.
#pragma once

#include <optional>
#include <string_view>

#include "simulator/input/diagnostic.hpp"
#include "simulator/trace/action.hpp"

namespace warpfront::trace {

std::string_view name_of(Verb verb);

/// Nothing if the line at `range` has faults: wrong_trace_rank, unknown_action, trace_line, bad_number,
/// out_of_range, peer_outside, self_message, unknown_communicator, not_a_member.
std::optional<Action> parse(const input::SourceRange& range, std::string_view line, const Reading& reading,
                            input::Diagnostics& faults);

}  // namespace warpfront::trace
