// The operations of one rank of a recorded run, message by message: collectives expanded, requests numbered, waits
// assigned to requests.
//
// Messages of one (sender, receiver, tag) are numbered from 0 in the order of their beginning, on both sides: MPI
// matches the k-th send with the k-th receive. Receives from any source, or of any tag, are described by a wildcard;
// the possible senders of their messages are found once all ranks are read (matching.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "simulator/collectives/algorithms.hpp"
#include "simulator/input/diagnostic.hpp"
#include "simulator/input/source.hpp"
#include "simulator/program/program.hpp"
#include "simulator/trace/open_requests.hpp"
#include "simulator/trace/recorded_run.hpp"
#include "simulator/units/bytes.hpp"

namespace warpfront::trace {

inline constexpr std::uint64_t kMostOperations = 20'000'000;  // limit for all ranks together
inline constexpr std::size_t kMostChannels = 100'000;         // limit for one rank; each direction counts
inline constexpr std::size_t kMostOpen = 1000;                // limit of open requests on one channel

struct Operation {
    program::Op op = program::Op::compute;
    Verb verb = 0;           // verb of the event
    std::uint32_t line = 0;  // line of the trace, from 1
    std::uint32_t site = 0;  // site in the recorded run; the line if the run has no sites
    ChannelEnd end;
    /// The number of the message on its channel. For recv_any, the number of its wildcard; for irecv_any and
    /// wait_recv_any, the number of its slot; for wait_any, the number of its group.
    std::uint32_t number = 0;
    std::int64_t amount = 0;  // picoseconds, bytes
    bool left_out = false;    // true for an irecv_any whose message is taken at its wait
};

/// A collective, which must be the same on all ranks of its communicator.
struct CollectiveCall {
    collectives::Kind kind{};
    std::uint32_t root = 0;  // a rank of the communicator
    std::uint32_t communicator = 0;
    std::uint32_t line = 0;
    std::uint32_t site = 0;
    std::optional<Bytes> bytes;  // size of a bcast, reduce or allreduce, if known
};

struct ExpandedTrace {
    struct Count {
        std::uint32_t begun = 0;
        std::uint32_t window = 1;  // largest number of messages from the oldest to the newest open request
    };
    struct Taken {
        Wildcard wildcard;
        std::uint64_t messages = 0;
        std::uint32_t line = 0;  // line of the first message
    };
    /// A posted receive, by its channel and the number of its message there.
    using Posted = std::pair<ChannelEnd, std::uint32_t>;

    /// Returns the range of a line of a text. In a binary format calls count as lines, and the range has the text
    /// `what`.
    SourceRange range_of(std::uint32_t line, std::string_view what) const;

    SourceFilePtr source;  // text of the trace; null for a binary format, whose calls count as lines
    std::string name;      // name of the trace's file
    std::vector<Operation> operations;
    std::vector<Taken> wildcards;
    std::vector<std::vector<Posted>> groups;  // receives of each group (open_requests.hpp); each waitany takes one
    std::vector<std::uint32_t> slots;         // wildcards of receives from any source that are open at once
    std::uint32_t postponed = 0;              // number of receives from any source that are matched at their wait
    std::vector<CollectiveCall> calls;
    std::vector<program::CollectiveUse> uses;  // collectives of communicators whose first member is this rank
    bool unlike_smpi = false;                  // true if SMPI uses another algorithm for one of the collectives
    std::map<ChannelEnd, Count> counts;
    std::uint32_t lines = 0;
    std::uint64_t begun_collectives = 0;   // nonblocking collectives, which are performed at their waits
    std::uint64_t to_itself = 0;           // messages of the rank to itself
    std::uint64_t begun_synchronous = 0;   // nonblocking synchronous sends, treated as isends
    std::uint64_t chosen_as_recorded = 0;  // waits for any that are not decided by the simulated run
    std::uint64_t taken_as_recorded = 0;   // receives from any source that are not decided by the simulated run
};

/// The communicators of a run, with the place of each rank in them.
class Communicators {
public:
    /// Adds the communicators that the run has gained since the last call.
    void update(const RecordedRun& run);
    /// Returns the place of a rank in a communicator; nothing if it is no member.
    std::optional<collectives::Membership> of(std::uint32_t communicator, std::uint32_t rank) const;
    /// Returns the number of the first communicator with the same name.
    std::uint32_t family(std::uint32_t communicator) const { return families_[communicator]; }

private:
    std::vector<std::vector<std::uint32_t>> ranks_;                // by member
    std::vector<std::map<std::uint32_t, std::uint32_t>> members_;  // by rank
    std::vector<std::uint32_t> families_;
    std::map<std::string, std::uint32_t> by_name_;
};

/// The speed and the algorithms with which a machine executes a recorded run.
struct Costs {
    FlopRate speed{1e12};  // rate of flops
    collectives::Algorithms collectives;
    double times_as_fast = 1.0;  // relative to the processor on which a run was recorded
};

/// The message that a wildcard receive, or a wait for any of several requests, takes.
///   first             the first message to arrive
///   recorded          the recorded message
///   recorded_sources  receives take the recorded message, waits the first to arrive
enum class Arrivals : std::uint8_t { first, recorded, recorded_sources };

/// Expands a rank of a recorded run; `faults` are trace_truncated, unknown_request, unwaited_request, cost_too_large
/// and trace_too_large. A rank of more than `most` operations is an error trace_too_large, and the result is cut.
ExpandedTrace expand_events(const RecordedRun& run, std::uint32_t number, const RecordedRank& rank,
                            const Communicators& communicators, const Costs& costs, Arrivals arrivals,
                            std::uint64_t most, Diagnostics& faults);

}  // namespace warpfront::trace
