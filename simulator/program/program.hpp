// The rank program: the instructions of every rank, as data. No parsing, no machine, no clock.
//
// Ranks are instances of one program (SPMD). Ranks share a class if their instructions are equal, with peers relative
// to the rank: a wavefront code on any number of ranks has a handful of classes (corners, edges, interior). A class is
// a flat array of 16-byte instructions; loops are kept as loops. The lowering has already evaluated all expressions of
// parameters and coordinates.
//
// Invariants (kept by the lowering, checked by `validate` in tests):
//   loops       nest properly and at most kMaxLoopDepth deep
//   sends       between an isend and its wait_send, no other message is sent on its send endpoint; between an ireply
//               and its wait_reply, none on the send endpoints of its reply
//   receives    a channel has one posted receive at a time
//   irecv_any   a choice has one such receive at a time; while it is open, only receives of irecv_any take messages
//               from the channels of the choice
//   iterations  every class executes Program::iterations marks `iteration`, or as many as its job has iterations
//   amounts     are >= 0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "simulator/program/operation.hpp"
#include "simulator/program/task_lists.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::program {

/// The calls of one collective that one algorithm performs for one reason, as listed in results.
struct CollectiveUse {
    std::string
        operation;  // name in lower case, such as "bcast", or "bcast in allreduce" for a part of another collective
    std::string algorithm;
    std::string because;
    std::uint32_t fewest_ranks = 0;
    std::uint32_t most_ranks = 0;
    /// Smallest size of the message, or of each share; nothing if members of the communicator differ in it.
    std::optional<Bytes> least{};
    std::optional<Bytes> most{};
    friend bool operator==(const CollectiveUse&, const CollectiveUse&) = default;
};

/// Extends the use that has the same operation, algorithm and reason; appends a new one if there is none.
void add_use(std::vector<CollectiveUse>& uses, const CollectiveUse& use);

inline constexpr unsigned kMaxLoopDepth = 4;

struct Instruction {
    Op op = Op::finish;
    std::uint8_t depth = 0;     // nesting depth of loop and end_loop; 0 is outermost
    std::uint16_t site = 0;     // statement of the instruction: index into Program::sites, the same in every class
    std::uint32_t operand = 0;  // index whose meaning depends on the operation (operation.hpp)
    std::int64_t amount = 0;    // picoseconds, bytes or loop iterations
    friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};
static_assert(sizeof(Instruction) == 16);

/// The highest of the additional tags. Tags of the code are not negative. Negative tags above this one belong to
/// messages within collectives. This tag and those below it belong to the code: to further communicators of a trace,
/// and to requests with one tag that are open at the same time.
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

/// A set of receive endpoints. The receive takes the message that arrives first; of two messages at the same time, the
/// one whose endpoint is listed first. Messages of one source are taken in the order of sending, except by a wait_any:
/// there each endpoint has a posted receive of its own.
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
    std::vector<Channel> send_endpoints;     // channels on which this class sends
    std::vector<Channel> receive_endpoints;  // channels on which this class receives
    std::vector<Choice> choices{};
    std::vector<Reply> replies{};
    friend bool operator==(const RankClass&, const RankClass&) = default;
};

/// Returns the send or receive endpoints that an instruction may use: the endpoint that it names, or those among which
/// the run decides. Both arguments must outlive the result.
std::span<const std::uint32_t> endpoints_of(const Instruction& step, const RankClass& rank_class);

/// The source of a statement, for reports (deadlocks, hot spots).
struct Site {
    std::string file;
    unsigned line = 0;    // line of the file, from 1
    unsigned column = 0;  // column of the file, from 1
    std::string text;     // the statement as written, without line breaks
};

// The parameters of a wavefront code for the closed forms: the model's `closed_form` block, evaluated. Notation of
// Mudalige 2009, table 4.1: W_pre, W, message sizes, tiles = Nz / Htile, the sweep order from which n_full and n_diag
// follow, and the non-wavefront part of an iteration.

/// Corner ranks of the process grid: northwest = (1,1), northeast = (n,1), southwest = (1,m), southeast = (n,m).
enum class Corner : std::uint8_t { northwest, northeast, southwest, southeast };

/// An exchange of `count` messages of one size with neighbours outside the sweeps. Each is charged the total time of a
/// message between nodes.
struct Exchange {
    std::int64_t count = 0;
    Bytes bytes;
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Consecutive equal iterations.
struct WavefrontPhase {
    std::int64_t iterations = 1;
    Time pre_work;                // W_pre, work before the receives of a tile
    Time work;                    // W, work of a tile after its receives
    std::int64_t tiles = 1;       // number of tiles, Nz / Htile
    Bytes east_west;              // bytes of one message in x
    Bytes north_south;            // bytes of one message in y
    std::vector<Corner> corners;  // where each sweep of one iteration starts, in order
    std::int64_t allreduces = 0;  // number of allreduces in an iteration
    Bytes allreduce_bytes;
    std::vector<Exchange> exchanges;  // boundary exchanges of an iteration
    Time other;                       // other computing of an iteration, such as a stencil
    friend bool operator==(const WavefrontPhase&, const WavefrontPhase&) = default;
};

/// One of several codes that run side by side, on consecutive ranks, with consecutive classes.
struct Job {
    std::string name;
    std::uint32_t first_rank = 0;
    std::uint32_t ranks = 0;
    std::uint32_t first_class = 0;
    std::uint32_t classes = 0;
    Time start{};  // time at which the ranks of the job begin
    friend bool operator==(const Job&, const Job&) = default;
};

struct Program {
    std::string name;
    RankGrid grid;
    std::int64_t iterations = 1;
    std::vector<std::uint32_t> class_of;  // class of each rank; grid.ranks() entries
    std::vector<RankClass> classes;
    std::vector<Site> sites;
    std::vector<std::string> phases;          // names of phases; the first is number 1 of instructions
    std::vector<WavefrontPhase> closed_form;  // phases for the closed forms; empty if the model declares none
    std::vector<std::string> notes;           // notes for the user, such as on sizes that were rounded up
    std::vector<CollectiveUse> collectives;   // algorithms of the program's collectives
    std::shared_ptr<const TaskLists> tasks;   // null, or lists of tasks that replace the code of the ranks
    std::vector<Job> jobs;  // jobs in the order of their ranks (`side_by_side`); empty for one code on all ranks

    const RankClass& of(Rank rank) const { return classes[class_of[rank.index]]; }
};

/// Consecutive ranks that take part in allreduces together.
struct RankRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool has_allreduce = false;  // true if some rank of the range takes part in an allreduce
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

/// Returns the names of tasks in results, all different: NAME as in the model, `NAME (LINE)` if several tasks have this
/// name, and `NAME (LINE:COLUMN)` if several of these are in one line.
std::vector<std::string> unique_task_names(const Program& program);

/// Returns the program as text, class by class, as the engine executes it; `warpfront check --ir` prints it:
///
///   class 2 of 9: rank 1 (column 2, row 1) and 125 more
///     loop 500 times                            pipeline.psl:5
///       recv from rank - 1, tag 0               pipeline.psl:7
///       compute 158.976us                       pipeline.psl:9
///
/// Every number is a constant; partners are relative to the rank. Task lists are shown with their bounds. Files of
/// sites are shown without their folders.
std::string listing(const Program& program);

// The jobs of one machine: several programs as one, each with its own ranks.

struct JobProgram {
    std::string name;
    const Program* program = nullptr;  // program of the job, without task lists and without jobs
    Time start{};
};

/// Returns one program in which the ranks of each job follow those of the previous job. The program has no closed form
/// and no notes. Throws std::length_error if the jobs have more statements or ranks than a program can number.
Program side_by_side(std::span<const JobProgram> jobs);

}  // namespace warpfront::program
