// Skips repeated iterations exactly (README.md contains the proof). Suppose that the machine's state equals its state
// at an earlier time, up to a shift in time and the counters of the recurring loop. Then the events in between recur
// until a rank leaves this loop. (In max-plus algebra the system is eventually periodic: Cohen, Dubois, Quadrat & Viot
// 1985.) One earlier state is kept. It is replaced at observations 1, 2, 4, 8, ... (Brent 1980), so longer periods are
// found too. If the draws of noise repeat after R iterations, the state is observed after every R iterations, since
// states at other times cannot be equal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "simulator/engine/recurrence/state_signature.hpp"
#include "simulator/engine/recurrence/sums.hpp"
#include "simulator/engine/state/layout.hpp"
#include "simulator/engine/state/state.hpp"
#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/partition.hpp"
#include "simulator/program/execution.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

/// The data from which the state is described.
struct Observed {
    const Layout& layout;
    State& state;
    Iterations& iterations;
    const std::vector<std::unique_ptr<Partition>>& partitions;
    const IndexedVector<Node, std::uint16_t>& partition_of;
    Skipped& skipped;
    const std::int64_t& granted_until;  // all events before this time have taken place
    std::int64_t draws_repeat_after;    // iterations after which draws repeat; a period contains a multiple of them

    Partition& partition(Node node) const { return *partitions[partition_of[node]]; }
};

class Recurrence {
public:
    explicit Recurrence(const Observed& machine);

    /// Sets the earliest time at which states are compared. This is the end of a timeline's window, if there is one.
    void begin_at(Time time) { begins_ = time.ps; }

    /// Observes the state at `cut`, when no rank can continue without an event. Skips the periods that are known to
    /// recur. Returns false if nothing was skipped.
    bool observe(std::int64_t cut);
    /// Observes the state when all ranks are paused at the beginning of an iteration. Then loops may be skipped to
    /// their ends.
    bool observe_paused(std::int64_t cut);

    std::uint64_t bytes() const;

private:
    bool all_in_loops() const;
    bool describe(std::int64_t cut, bool whole);
    bool too_long_to_describe() const;
    void describe_begun(StateWriter& words) const;
    void describe_link_requests(StateWriter& words) const;
    static void describe_train(const PacketTrain& train, StateWriter& words);
    void describe_progress(StateWriter& words) const;
    void describe_acknowledged(ReceiveEndpointId endpoint, StateWriter& words) const;
    void describe_open_iterations(StateWriter& words) const;
    std::uint32_t& iterations_left(RankLine& line) const { return line.iterations_left[depth_[line.at]]; }
    void keep(std::int64_t cut);
    bool skip(std::int64_t cut);
    bool begins_loop_iteration(const RankLine& line) const;
    std::int64_t skippable(Rank rank) const;
    void skip_loop_iterations(Rank rank, std::int64_t count);
    /// A number of iterations of the recurring loop, and of the iterations of the code in them.
    struct LoopIterations {
        std::int64_t of_loop = 0;
        std::int64_t of_code = 0;
        friend bool operator==(const LoopIterations&, const LoopIterations&) = default;
    };
    LoopIterations made(Rank rank) const;
    LoopIterations made_by_all() const;
    std::uint64_t messages() const;

    bool paused_ = false;
    std::int64_t begins_ = 0;
    Observed machine_;
    /// depth of the recurring loop around each instruction, or kNoLoop
    IndexedVector<InstructionId, std::uint8_t> depth_;
    /// number of the model's iterations in one loop iteration
    IndexedVector<InstructionId, std::int64_t> iterations_in_;
    std::vector<std::uint64_t> now_;  // present state as words
    std::vector<std::uint64_t> kept_;
    IndexedVector<Rank, std::uint32_t> kept_left_;
    std::vector<Wide> kept_sums_;  // the sums at the kept cut, by SumPlaces
    std::int64_t kept_cut_ = 0;
    std::uint64_t kept_ended_ = 0;  // iterations that had ended at the kept cut
    std::uint64_t kept_messages_ = 0;
    std::uint64_t observations_ = 0;
};

}  // namespace warpfront::engine
