// The steps of one rank, converted from its events: sends, receives, waits and collectives, each with one request and
// the computing before it. A sendrecv is a posted receive, a send and a wait, as in rank programs. A wait for several
// requests is one step for each request: the sends first, then the receives, each in the order in which they were
// started (PSL's `waitall`).
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "simulator/collectives/collective.hpp"
#include "simulator/trace/recorded_run.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::learning {

enum class StepKind : std::uint8_t {
    send,
    ssend,
    isend,
    issend,
    recv,
    irecv,
    wait,
    collective,
    gather_in_turn,  // messages of all other ranks to the first one, and the reverse (in_turn.hpp)
    scatter_in_turn,
    corners,  // the begin of a call of `all_corners`; its messages follow by tile (all_corners.hpp)
    corners_east_west,
    corners_north_south
};

struct Step {
    StepKind kind = StepKind::send;
    collectives::Kind collective{};
    Rank peer;  // of messages and of waits for them; the root of a collective
    std::int32_t tag = 0;
    Bytes bytes;  // as in trace::Event; the mean share of a collective whose shares differ
    std::uint32_t communicator = 0;
    std::uint32_t begun = 0;  // wait: the index of the step that starts its request
    bool joined = false;      // a wait of the same MPI call as the step before, or a message of the same turn
    Time work;                // computing since the last MPI call
    std::uint32_t site = 0;
    std::uint32_t phase = 0;
    std::uint32_t event = 0;       // of the recorded rank
    std::uint32_t operations = 1;  // number of recorded operations that the step represents
    double deviation = 0.0;        // standard deviation of the shares of a collective, bytes; 0: all are equal
};

/// A reason why a run, or a part of it, cannot be learnt.
struct Refusal {
    std::string what;  // with its place in the code if known
    std::uint64_t times = 0;
};

/// An operation that steps cannot represent: a receive from any source, a wait that leaves some of its requests open,
/// a nonblocking collective.
struct Unsaid {
    std::uint32_t event = 0;
    std::string what;            // with its place in the code
    std::optional<Rank> from{};  // of a receive from any source: the sender of the message that it took
};

struct RankSteps {
    std::vector<Step> steps;
    Time work_after;
    std::vector<Unsaid> unsaid;
    std::vector<std::uint32_t> freed{};  // sends whose requests the code frees or drops
};

/// Calls in the code, by their place.
using Calls = std::set<std::tuple<std::string, unsigned, std::string>>;
bool contains(const Calls& calls, const trace::RecordedSite& site);
/// Returns the calls by which some rank of some run sends and receives at once (MPI_Sendrecv). Between two ranks all
/// ranks may only send or only receive there.
Calls exchanges_of(const std::vector<const trace::RecordedRun*>& runs);

/// Converts a run to steps, without messages from a rank to itself. A receive by one of the `exchanges` is half of it.
/// The wait for a send whose request the code drops is placed where it takes no time: before the next collective that
/// the receiver enters after the receive, or at the end.
/// A collective that the root calls at another place in the code than the other ranks has the place of the last rank.
/// Appends to `refused` the operations that cannot be part of a model, even as a trace.
std::vector<RankSteps> steps_of(const trace::RecordedRun& run, const Calls& exchanges, std::vector<Refusal>& refused);
/// Returns the operations of all ranks that steps cannot represent: for each call in the code the first one, and for
/// receives from any source the first two that took messages of different ranks.
std::vector<Refusal> refusals_of(const trace::RecordedRun& run, const std::vector<RankSteps>& ranks);

/// Returns whether the messages of every pair of ranks are received in the order in which they were sent, regardless of
/// tags and communicators. Then neither affects the matching, and a model needs none.
bool tags_do_not_matter(const std::vector<RankSteps>& ranks);
/// Replaces tags by the smallest ones that give the same matching: for every pair of ranks, the number of other
/// messages by which a message is received sooner or later than it was sent. So tags that count iterations become equal
/// in all iterations.
void number_tags(std::vector<RankSteps>& ranks);

inline bool is_send(StepKind kind) { return kind <= StepKind::issend; }
inline bool is_in_turn(StepKind kind) { return kind == StepKind::gather_in_turn || kind == StepKind::scatter_in_turn; }
/// Returns whether a step has a partner, that is, is no collective.
inline bool has_partner(StepKind kind) { return kind < StepKind::collective; }
inline bool is_receive(StepKind kind) { return kind == StepKind::recv || kind == StepKind::irecv; }
/// Formats a step in turn for messages.
std::string in_turn_text(StepKind kind);
inline bool begins(StepKind kind) {
    return kind == StepKind::isend || kind == StepKind::issend || kind == StepKind::irecv;
}

}  // namespace warpfront::learning
