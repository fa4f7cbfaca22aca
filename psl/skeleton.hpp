// The program once parameters are bound and before ranks are: straight statements, loops and branches whose amounts,
// partners and conditions are slots. Templates are inlined, lists unrolled; `repeat` stays a loop. Iterations that are
// alike are one run, and a loop over its variable is what by_trips makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "psl/residual.hpp"
#include "psl/trips.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

struct ResidualStatement;
using Block = std::vector<ResidualStatement>;

struct ResidualStatement {
    enum class Form : std::uint8_t { compute, send, recv, post, await, allreduce, loop, branch, require };
    Form form = Form::compute;
    std::uint16_t site = 0;
    SlotId amount = 0;  // cost, size, times or condition
    SlotId peer = 0;    // of a message
    SlotId tag = 0;
    const Statement* origin = nullptr;
    Block body;  // loop; branch, where the condition holds
    Block otherwise;
    friend bool operator==(const ResidualStatement&, const ResidualStatement&) = default;
};

/// Statements, those in loops and branches counted once.
std::size_t statements_in(const Block& block);
/// Whether ranks do nothing there but compute: loops around it are no loops of the program (classes.cpp).
bool only_work(const Block& block);
/// How deep the loops in it nest, those of work alone not counted.
unsigned loops_in(const Block& block);

struct Skeleton {
    std::vector<Stretch<Block>> iterations;
    std::uint16_t iteration_site = 0;
    std::vector<program::Site> sites;
    std::vector<const Statement*> site_statements;  // by site
    std::vector<program::WavefrontPhase> closed_form;
    std::vector<std::string> notes;
};

}  // namespace warpfront::psl
