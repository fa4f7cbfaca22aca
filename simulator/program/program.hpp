// The rank program: the instructions of every rank, as data. No parsing, no machine, no clock.
//
// Ranks are instances of one program (SPMD). Ranks share a class if their instructions are equal, with peers relative
// to the rank: a wavefront code on any number of ranks has a handful of classes (corners, edges, interior). A class is
// a flat array of 16-byte instructions; loops are kept as loops. Expressions of parameters and coordinates are folded
// before, so executing a class evaluates no expressions.
//
// Invariants (kept by the lowering, checked by `validate` in tests): loops nest properly and at most kMaxLoopDepth
// deep; between an isend and its wait_send no other message is sent on that send endpoint, nor between an ireply and
// its wait_reply on one of its reply; a receive is posted neither on a channel where one is posted already nor on one
// of a choice while a recv_any takes from it; while the receive of an irecv_any is open, none but others of irecv_any
// take from its choice, and a choice has one of them at a time; every class has as many `iteration` marks, in executed
// order, as Program::iterations, or, of several jobs, as its job has iterations; amounts are >= 0.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/program/operation.hpp"
#include "simulator/program/task_lists.hpp"
#include "simulator/program/wavefront.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

// The algorithms by which a program performs its collectives, and the reasons for them, for results.

/// Collectives of one operation that are performed by one algorithm for one reason.
struct CollectiveUse {
    std::string operation;  // in lower case; "bcast in allreduce" if it is part of another one
    std::string algorithm;
    std::string because;
    std::uint32_t fewest_ranks = 0;
    std::uint32_t most_ranks = 0;
    std::optional<Bytes> least{};  // of the message, or of each share; nothing if members differ in it
    std::optional<Bytes> most{};
    friend bool operator==(const CollectiveUse&, const CollectiveUse&) = default;
};

/// Adds a use to those of the same operation, algorithm and reason; otherwise appends it.
void add_use(std::vector<CollectiveUse>& uses, const CollectiveUse& use);

inline constexpr unsigned kMaxLoopDepth = 4;

struct Instruction {
    Op op = Op::finish;
    std::uint8_t depth = 0;     // loop, end_loop: nesting depth, 0 outermost
    std::uint16_t site = 0;     // the statement it came from: index into Program::sites, the same in every class
    std::uint32_t operand = 0;  // operation.hpp
    std::int64_t amount = 0;    // picoseconds, bytes or loop iterations
    friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};
static_assert(sizeof(Instruction) == 16);

/// The highest of the additional tags. Tags of the code are not negative. Negative tags above this one belong to
/// messages within collectives. From here down, tags belong to the code again: to a trace's further communicators, and
/// to requests of one tag that are open at once.
inline constexpr std::int32_t kHighestExtraTag = -(1 << 30);

/// One end of a channel, from the side of its rank: messages with this tag to or from rank + delta. A class lists each
/// (delta, tag) once; messages on one channel never overtake each other.
struct Channel {
    std::int32_t delta = 0;
    std::int32_t tag = 0;
    friend constexpr auto operator<=>(const Channel&, const Channel&) = default;
};

/// Returns the rank at the other end of a rank's channel.
inline Rank peer_of(Rank rank, const Channel& channel) {
    return {static_cast<std::uint32_t>(std::int64_t{rank.index} + channel.delta)};
}

/// Receive endpoints, of which the one with the first message is taken; of two messages at the same time, the one that
/// is listed first.
struct Choice {
    std::vector<std::uint32_t> receive_endpoints;
    friend bool operator==(const Choice&, const Choice&) = default;
};

/// The send endpoints by which a rank replies to the sources of a choice.
struct Reply {
    std::uint32_t choice = 0;
    std::vector<std::uint32_t> send_endpoints;  // one for each receive endpoint of the choice
    friend bool operator==(const Reply&, const Reply&) = default;
};

struct RankClass {
    std::vector<Instruction> code;
    std::vector<Channel> send_endpoints;     // channels this class sends on
    std::vector<Channel> receive_endpoints;  // channels it receives on
    std::vector<Choice> choices{};
    std::vector<Reply> replies{};
    friend bool operator==(const RankClass&, const RankClass&) = default;
};

/// Returns the send or receive endpoints that an instruction may use: the one it names, or those among which the run
/// decides. Both arguments must outlive the result.
std::span<const std::uint32_t> endpoints_of(const Instruction& step, const RankClass& rank_class);

/// The source of a statement, for reports (deadlocks, hot spots).
struct Site {
    std::string file;
    unsigned line = 0;    // from 1
    unsigned column = 0;  // from 1
    std::string text;     // the statement as written, without line breaks
};

/// One of several codes that run side by side, on consecutive ranks, with consecutive classes.
struct Job {
    std::string name;
    std::uint32_t first_rank = 0;
    std::uint32_t ranks = 0;
    std::uint32_t first_class = 0;
    std::uint32_t classes = 0;
    Time start{};  // when its ranks begin
    friend bool operator==(const Job&, const Job&) = default;
};

struct Program {
    std::string name;
    RankGrid grid;
    std::int64_t iterations = 1;
    std::vector<std::uint32_t> class_of;  // by rank; grid.ranks() entries
    std::vector<RankClass> classes;
    std::vector<Site> sites;
    std::vector<std::string> phases;          // names; the first is number 1 of instructions
    std::vector<WavefrontPhase> closed_form;  // empty if the model declares none
    std::vector<std::string> notes;           // for the user, such as sizes that were rounded up
    std::vector<CollectiveUse> collectives;   // how its collectives are performed
    std::shared_ptr<const TaskLists> tasks;   // in place of what ranks do; null: none
    std::vector<Job> jobs;                    // one after another (`side_by_side`); empty: one code on all ranks

    const RankClass& of(Rank rank) const { return classes[class_of[rank.index]]; }
};

/// Returns, by class, the number of its first instruction. Instructions are numbered through the code of all classes,
/// one after another.
std::vector<std::uint32_t> first_instructions(const Program& program);

/// Consecutive ranks that take part in allreduces together.
struct RankRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool has_allreduce = false;  // some rank takes part in one
};
/// Returns the ranks of each job, or all ranks of a program without jobs.
std::vector<RankRange> collective_groups(const Program& program);

/// Returns true if any rank takes part in an allreduce.
bool has_allreduce(const Program& program);
/// Returns true if any rank sends nonblocking messages.
bool has_isend(const Program& program);
/// Returns true if any rank takes messages in the order of their arrival.
bool has_choices(const Program& program);
/// Returns true if any rank executes a delay.
bool has_delay(const Program& program);

/// Returns the names of tasks in results, all different: the name in the model; if several lists have it, `NAME (LINE)`
/// of its statement, and `NAME (LINE:COLUMN)` of those in one line.
std::vector<std::string> unique_task_names(const Program& program);

// Several programs as one, of which each has ranks of its own: the jobs of one machine.

struct JobProgram {
    std::string name;
    const Program* program = nullptr;  // without task lists and without jobs of its own
    Time start{};
};

/// Returns the program in which the ranks of each job follow those of the job before. It has no closed form and no
/// notes. Throws std::length_error if its statements or its ranks are more than a program can number.
Program side_by_side(std::span<const JobProgram> jobs);

}  // namespace warpfront::program
