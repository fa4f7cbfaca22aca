// The program of all ranks after the parameters have values. Slots are the amounts, partners and conditions of its
// statements, loops and branches. Templates are inlined and lists unrolled, but `repeat` remains a loop. Consecutive
// equal iterations are one Run. A loop whose variable is used is split by `by_iterations`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "psl/specialising/iterations.hpp"
#include "psl/specialising/residual.hpp"
#include "simulator/collectives/algorithms.hpp"
#include "simulator/program/program.hpp"

namespace warpfront::psl {

struct ResidualStatement;
using Block = std::vector<ResidualStatement>;

struct ResidualStatement {
    enum class Form : std::uint8_t {
        compute,
        delay,
        trace,
        send,
        isend,
        recv,
        irecv,
        ssend,
        recv_any,
        irecv_any,
        reply,  // a send or isend to the source of a recv_any or irecv_any
        ireply,
        wait,         // a wait for an irecv
        wait_send,    // a wait for an isend
        wait_source,  // a wait for an irecv_any
        wait_reply,   // a wait for an ireply
        waitall,      // a wait for all requests without a name
        waitany,      // a wait for the first of the receives without a name
        allreduce,
        collective,
        loop,
        branch,
        phase,
        require
    };
    Form form = Form::compute;
    std::uint16_t site = 0;
    SlotId amount = 0;        // slot of a cost, size, number of times or condition
    SlotId peer = 0;          // slot of the partner of a message, or of the root of a collective
    SlotId tag = 0;           // slot of a tag, or of the colour of a collective: ranks of one colour take part together
    std::uint32_t phase = 0;  // number of a phase
    std::uint32_t trace = 0;  // index into Skeleton::traces
    const Statement* origin = nullptr;
    Block body;       // body of a loop or phase; for a branch, the statements if the condition is true
    Block otherwise;  // for a branch, the statements if the condition is false
    friend bool operator==(const ResidualStatement&, const ResidualStatement&) = default;
};

/// Returns the tag of the messages of a kind of collective. Tags of models are never negative, but this tag is.
inline std::int32_t tag_of(collectives::Kind kind) { return -1 - static_cast<std::int32_t>(kind); }

/// Returns the number of statements. Statements in loops and branches count once.
std::size_t statements_in(const Block& block);
/// Returns true if the block only computes. A loop around such a block becomes one block of work (class_writer.cpp).
bool only_work(const Block& block);
/// Returns the nesting depth of loops. Loops that only compute do not count.
unsigned loops_in(const Block& block);

struct Skeleton {
    std::vector<Stretch<Block>> iterations;
    std::uint16_t iteration_site = 0;
    std::vector<program::Site> sites;
    std::vector<const Statement*> site_statements;  // the statement of each site
    std::vector<std::string> phases;                // names of phases, as in Program::phases
    std::vector<program::WavefrontPhase> closed_form;
    /// one program for each trace region; no two of them have a negative tag in common
    std::vector<program::Program> traces;
    std::vector<std::string> notes;
    collectives::Algorithms algorithms;
};

}  // namespace warpfront::psl
