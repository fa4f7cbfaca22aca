// The events of one rank as steps: what it sends, receives, waits for and takes part in, one request at a time, with
// the computing before each. A sendrecv is a posted receive, a send and a wait, as in rank programs; a wait for several
// requests is a step for each, the sends first, then the receives, each in the order of their beginning (PSL's
// `waitall`).
#pragma once

#include <cstdint>
#include <string>
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
    corners,  // a call of `all_corners` begins, and what it sends by tile follows (all_corners.hpp)
    corners_east_west,
    corners_north_south
};

struct Step {
    StepKind kind = StepKind::send;
    collectives::Kind collective{};
    Rank peer;  // of messages and of waits for them; the root of a collective
    std::int32_t tag = 0;
    Bytes bytes;  // as of trace::Event
    std::uint32_t communicator = 0;
    std::uint32_t begun = 0;  // wait: the index of the step that begins its request
    bool joined = false;      // a wait of the same MPI call as the step before
    Time work;                // computing since the last MPI call
    std::uint32_t site = 0;
    std::uint32_t phase = 0;
    std::uint32_t event = 0;       // of the recorded rank
    std::uint32_t operations = 1;  // of the recorded ones, those for which it stands
};

/// Why a run, or a part of it, cannot be learnt.
struct Refusal {
    std::string what;  // with its place in the code where known
    std::uint64_t times = 0;
};

/// What steps cannot say: receives from any source, waits for any that leave others open, begun collectives.
struct Unsaid {
    std::uint32_t event = 0;
    std::string what;
};

struct RankSteps {
    std::vector<Step> steps;
    Time work_after;
    std::vector<Unsaid> unsaid;
    std::vector<std::uint32_t> freed{};  // sends whose requests the code frees or drops
};

/// A run as steps, without what a rank sends to itself. A send whose request the code drops is waited for where that
/// takes no time: in front of the next collective that its receiver comes to behind the receive, else at the end.
/// `refused` gets what can be no part of a model, not even as a trace.
std::vector<RankSteps> steps_of(const trace::RecordedRun& run, std::vector<Refusal>& refused);
/// What is unsaid on all ranks, each once.
std::vector<Refusal> refusals_of(const std::vector<RankSteps>& ranks);

/// Whether messages of every pair of ranks are received in the order of sending whatever their tags and communicators.
/// Then neither changes what is matched, and a model needs none.
bool tags_do_not_matter(const std::vector<RankSteps>& ranks);
/// Gives messages the least tags that match them as they were matched: of every pair of ranks, by how many others a
/// message is received sooner or later than it was sent. So tags that count iterations are the same in each of them.
void number_tags(std::vector<RankSteps>& ranks);

inline bool is_send(StepKind kind) { return kind <= StepKind::issend; }
/// Not of a step in which all ranks take part.
inline bool has_partner(StepKind kind) { return kind < StepKind::collective; }
inline bool is_receive(StepKind kind) { return kind == StepKind::recv || kind == StepKind::irecv; }
inline bool begins(StepKind kind) {
    return kind == StepKind::isend || kind == StepKind::issend || kind == StepKind::irecv;
}

}  // namespace warpfront::learning
