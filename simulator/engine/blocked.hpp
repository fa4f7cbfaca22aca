// The blocked ranks of a deadlock, and the peer that each waits for.
#pragma once

#include <functional>
#include <vector>

#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/program/program.hpp"
#include "simulator/record/record.hpp"

namespace warpfront::engine {

/// Of a rank that is blocked outside collectives.
using PartnersOf = std::function<MessageProtocol::Partners(std::uint32_t rank)>;

/// Every rank that is blocked, by rank; its clock and what was skipped say since when.
std::vector<record::Blocked> blocked_ranks(const program::Program& program, const Layout& layout, const State& state,
                                           WideTime skipped, const PartnersOf& partners_of);

}  // namespace warpfront::engine
