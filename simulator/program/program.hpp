// The rank program: the instructions of every rank, as data. No parsing, no machine, no clock.
//
// Ranks are instances of one program (SPMD). Ranks share a class if their instructions are equal, with peers relative
// Ranks are instances of one program (SPMD). Ranks with equal instructions share a class; partners are stored relative
// to the rank. So a wavefront code on any number of ranks has a handful of classes (corners, edges, interior). A class
// is a flat array of 16-byte instructions; loops remain loops. The lowering has already evaluated all expressions of
// parameters and coordinates.
//
// Invariants (kept by the lowering, checked by `validate` in tests):
//   loops       nest properly and at most kMaxLoopDepth deep
//   sends       between an isend and its wait_send, no other message is sent on the same send endpoint; between an
//               ireply and its wait_reply, none on the send endpoints of its reply
//   receives    a channel has at most one posted receive
//   irecv_any   a choice has at most one posted irecv_any; until it has taken a message, no other operation
//               takes messages from the channels of the choice
//               from the channels of the choice
//   iterations  every class executes as many marks `iteration` as the program, or its job, has iterations
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

/// The calls of one MPI collective with the same algorithm, chosen for the same reason. Results list them.
struct CollectiveUse {
    std::string
        operation;  // name in lower case, such as "bcast", or "bcast in allreduce" for a part of another collective
    std::string algorithm;
    std::string because;
    std::uint32_t fewest_ranks = 0;
    std::uint32_t most_ranks = 0;
    /// Smallest size of the message, or of each rank's share. Empty if the ranks of the communicator call with
    /// different sizes.
    std::optional<Bytes> least{};
    std::optional<Bytes> most{};
    friend bool operator==(const CollectiveUse&, const CollectiveUse&) = default;
};

/// Adds the calls to an entry with the same operation, algorithm and reason, or as a new entry.
void add_use(std::vector<CollectiveUse>& uses, const CollectiveUse& use);

inline constexpr unsigned kMaxLoopDepth = 4;

struct Instruction {
    Op op = Op::finish;
    std::uint8_t depth = 0;     // nesting depth of loop and end_loop; 0 is outermost
    std::uint16_t site = 0;     // index of the statement in Program::sites, which all classes share
    std::uint32_t operand = 0;  // index whose array depends on the operation (operation.hpp)
    std::int64_t amount = 0;    // picoseconds, bytes or loop iterations
    friend constexpr bool operator==(const Instruction&, const Instruction&) = default;
};
static_assert(sizeof(Instruction) == 16);

/// The highest of the additional tags. Tags of the code are not negative. Negative tags above this one belong to
/// messages within collectives. This tag and lower ones are for messages of the code that need a tag of their own:
/// those of further communicators of a trace, and requests that are open at the same time with one tag.
inline constexpr std::int32_t kHighestExtraTag = -(1 << 30);

/// One end of a channel, as its rank refers to it: messages with this tag to or from rank + delta. A class lists each
/// pair of delta and tag once. Messages on one channel never overtake each other.
struct Channel {
    std::int32_t delta = 0;
    std::int32_t tag = 0;
    friend constexpr auto operator<=>(const Channel&, const Channel&) = default;
};

/// Returns the rank at the other end of a channel of `rank`.
inline Rank peer_of(Rank rank, const Channel& channel) {
    return {static_cast<std::uint32_t>(std::int64_t{rank.index} + channel.delta)};
}

/// A set of receive endpoints. The receive takes the message that arrives first. If two arrive at the same time, it
/// takes the one whose endpoint is listed first. Messages of one source are taken in the order of sending. A wait_any
/// is an exception, since each of its endpoints has a posted receive of its own.
struct Choice {
    std::vector<std::uint32_t> receive_endpoints;
    friend bool operator==(const Choice&, const Choice&) = default;
};

/// The send endpoints for replies to the sources of a choice.
struct Reply {
    std::uint32_t choice = 0;
    std::vector<std::uint32_t> send_endpoints;  // for each receive endpoint of the choice, the endpoint of the reply
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

/// Returns the endpoints that an instruction may use. There are several only if the run decides among them. Both
/// arguments must outlive the result.
std::span<const std::uint32_t> endpoints_of(const Instruction& step, const RankClass& rank_class);

/// The source of a statement, for reports (deadlocks, hot spots).
struct Site {
    std::string file;
    unsigned line = 0;    // line of the file, from 1
    unsigned column = 0;  // column of the file, from 1
    std::string text;     // the statement as in the file, without line breaks
};

// The parameters of a wavefront code for the closed forms, from the model's `closed_form` block. The notation is that
// of Mudalige 2009, table 4.1: W_pre, W, message sizes, tiles = Nz / Htile. n_full and n_diag follow from the order of
// the sweeps. The non-wavefront part of an iteration is included.

/// A corner rank of the process grid: northwest = (1,1), northeast = (n,1), southwest = (1,m), southeast = (n,m).
enum class Corner : std::uint8_t { northwest, northeast, southwest, southeast };

/// An exchange of `count` messages of one size with neighbours, outside the sweeps. Each message costs as much as one
/// between nodes.
struct Exchange {
    std::int64_t count = 0;
    Bytes bytes;
    friend bool operator==(const Exchange&, const Exchange&) = default;
};

/// Consecutive equal iterations of a wavefront code.
struct WavefrontPhase {
    std::int64_t iterations = 1;
    Time pre_work;                // W_pre, work before the receives of a tile
    Time work;                    // W, work of a tile after its receives
    std::int64_t tiles = 1;       // number of tiles, Nz / Htile
    Bytes east_west;              // bytes of one message in x
    Bytes north_south;            // bytes of one message in y
    std::vector<Corner> corners;  // the corner where each sweep of one iteration starts, in order
    std::int64_t allreduces = 0;  // number of allreduces in an iteration
    Bytes allreduce_bytes;
    std::vector<Exchange> exchanges;  // boundary exchanges of an iteration
    Time other;                       // time of other computing in an iteration, such as a stencil
    friend bool operator==(const WavefrontPhase&, const WavefrontPhase&) = default;
};

/// One of several codes that run at the same time on one machine. Its ranks and classes are consecutive.
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
    std::vector<std::uint32_t> class_of;  // for each rank, the index of its class
    std::vector<RankClass> classes;
    std::vector<Site> sites;
    std::vector<std::string> phases;          // names of the phases; the instruction `phase` counts them from 1
    std::vector<WavefrontPhase> closed_form;  // phases for the closed forms; empty if the model declares none
    std::vector<std::string> notes;           // notes for the user, such as on sizes that were rounded up
    std::vector<CollectiveUse> collectives;   // algorithms of the program's collectives
    std::shared_ptr<const TaskLists> tasks;   // null, or lists of tasks that replace the code of the ranks
    std::vector<Job> jobs;  // jobs in the order of their ranks (`side_by_side`); empty if one code runs on all ranks

    const RankClass& of(Rank rank) const { return classes[class_of[rank.index]]; }
};

/// Consecutive ranks that perform allreduces together.
struct RankRange {
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    bool has_allreduce = false;  // true if some rank of the range performs an allreduce
};
/// Returns the ranks of each job. A program without jobs has one range with all ranks.
std::vector<RankRange> collective_groups(const Program& program);

/// Returns true if any rank performs an allreduce.
bool has_allreduce(const Program& program);
/// Returns true if any rank sends nonblocking messages.
bool has_isend(const Program& program);
/// Returns true if any rank receives from any source.
bool has_choices(const Program& program);
/// Returns true if any rank executes a delay.
bool has_delay(const Program& program);

/// Returns a different name for each task, for results: NAME as in the model. If several tasks have this name it is
/// `NAME (LINE)`, and if these are in one line `NAME (LINE:COLUMN)`.
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

// Several programs as one, in which each has its own ranks: the jobs of one machine.

struct JobProgram {
    std::string name;
    const Program* program = nullptr;  // the program of the job; must have neither task lists nor jobs
    Time start{};
};

/// Returns one program in which the ranks of each job follow those of the previous job. The program has no closed form
/// and no notes. Throws std::length_error if the jobs have more statements or ranks than a program can number.
Program side_by_side(std::span<const JobProgram> jobs);

}  // namespace warpfront::program
