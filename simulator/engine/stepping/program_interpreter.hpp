// Executes the programs of the ranks of one partition, instruction by instruction.
//
// A rank is simulated until it must wait: for a message, for its partner's post, or for a shared resource. Only
// requests for shared resources need an order; each becomes an event of the calendar. Everything else is dataflow: the
// completion of a wait determines the time at which the rank continues, for any order of simulating the ranks. So ranks
// run ahead of the calendar until they need a shared resource. The message protocol performs the operations of messages
// (message_protocol.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "simulator/engine/stepping/iteration_tracker.hpp"
#include "simulator/engine/stepping/message_protocol.hpp"
#include "simulator/engine/stepping/partition_context.hpp"
#include "simulator/engine/stepping/shared_memory.hpp"
#include "simulator/variation/noise.hpp"

namespace warpfront::engine {

template <bool kPlain>
class ProgramInterpreter {
public:
    static constexpr std::uint64_t kAll = ~std::uint64_t{0};

    explicit ProgramInterpreter(PartitionContext& context)
        : context_(context),
          layout_(context.layout),
          state_(context.state),
          run_{layout_, state_},
          ranks_(state_.ranks),
          code_(layout_.code),
          protocol_(context),
          memory_(context),
          takes_nominal_(context.compute_time == nullptr && !run_.memory_shared() && !run_.progress_in_calls()) {}

    /// Simulates until no rank can continue without an event or the end of its pause, or until `most` ranks have been
    /// simulated.
    void run_until_quiescent(std::uint64_t most = kAll);
    bool quiescent() const { return context_.ready.empty(); }
    /// Serves the event, and simulates all ranks that can continue after it.
    [[gnu::always_inline]] void serve(EventId event);

    /// Returns the time at which a rank between iterations, as in `line`, first requests a resource or sends; kHorizon
    /// if it waits for a message before that.
    std::int64_t acts_at(Rank rank, const RankLine& beginning) const;
    /// Moves paused ranks that have left their loops to the beginning of the next loop.
    void enter_loops();
    void release_held();

    MessageProtocol<kPlain>& protocol() { return protocol_; }
    const MessageProtocol<kPlain>& protocol() const { return protocol_; }

private:
    [[gnu::always_inline]] void serve_request(Rank rank);
    [[gnu::always_inline]] void serve_arrival(ReceiveEndpointId receive_endpoint);
    void serve_revocable(const RevocableEvent& event);
    void end_block(Rank rank);
    void run(Rank rank);
    [[gnu::always_inline]] Next execute(Rank rank, RankLine& line, const program::Instruction& step);
    Next compute(Rank rank, RankLine& line, Time nominal);
    Next delay(Rank rank, RankLine& line, Time time);
    Time alone(Rank rank, const RankLine& line, Time nominal) const;
    Next next_call(Rank rank, RankLine& line);
    Next end_trip(Rank rank, RankLine& line, const program::Instruction& end);
    Next allreduce(Rank rank, RankLine& line, SizeId size);
    Next step_of_allreduce(Rank rank, RankLine& line, std::uint32_t step, SizeId size);
    Next end_iteration(Rank rank, RankLine& line);
    void pass_loop_borders(Rank rank, RankLine& line);

    PartitionContext& context_;
    const Layout& layout_;
    State& state_;
    const Features<kPlain> run_;
    const IndexedSpan<Rank, RankLine> ranks_;
    const IndexedSpan<InstructionId, const program::Instruction> code_;
    MessageProtocol<kPlain> protocol_;
    SharedMemory memory_;
    const bool takes_nominal_;  // true if blocks take the times of their programs
};

}  // namespace warpfront::engine
