// Messages that ranks take as they come: which receive endpoints they may come on (stepping/choices.hpp).
#pragma once

#include "simulator/engine/state/layout.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::engine {

/// Adds the choices and replies of a class, whose code has been laid out.
void lay_out_choices(const program::RankClass& rank_class, Layout& layout);

/// Once channels are numbered: the choices that a receive endpoint is in.
void find_choices(const program::Program& program, Layout& layout);

}  // namespace warpfront::engine
