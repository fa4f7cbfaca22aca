// Writes the messages of one class of ranks: sends, receives, requests and the waits for them, collectives, traces.
//
// A request without a name is open until the next `waitall` of its rank, or until a `waitany` has taken it. A request
// must be waited for in the loop iteration that begins it. So if a request is open at a statement, it is open there in
// every iteration.
//
// An open receive from any rank may take any message with its tag. Until the rank waits for this receive, it must not
// post a receive from a named rank with the same tag. It may post other receives from any rank: the one that was posted
// first takes a message first. Similarly, while an `isend` to the source of a receive is open, the rank must not send
// other messages with its tag.
//
// The receives that are open at a first `waitany` form a group. Each `waitany` takes one of them. Their number is known
// here, but only the run determines which receive is taken. If a loop contains the `waitany`, but not the receives,
// each iteration takes one.
#pragma once

#include <optional>
#include <vector>

#include "psl/lowering/code_writer.hpp"
#include "psl/lowering/collective_steps.hpp"

namespace warpfront::psl {

class MessageWriter {
public:
    MessageWriter(CodeWriter& code, const Graph& graph, RankValues& values, CollectiveSteps& steps)
        : code_(code), graph_(graph), values_(values), steps_(steps) {}

    /// A scope in which the body of a loop is written. The loop has this number of iterations.
    class Iterations {
    public:
        Iterations(MessageWriter& writer, std::int64_t times) : writer_(writer) {
            writer_.iterations_.push_back(times);
        }
        ~Iterations() { writer_.iterations_.pop_back(); }
        Iterations(const Iterations&) = delete;
        Iterations& operator=(const Iterations&) = delete;

    private:
        MessageWriter& writer_;
    };

    /// Writes a send, ssend or isend to a partner that is known before the run. Writes nothing if there is no such
    /// rank. Error: overlapping_sends.
    void send(const ResidualStatement& each, program::Op op);
    /// Writes a recv or irecv from a partner that is known before the run. Writes nothing if there is no such rank.
    /// Error: overlapping_receives.
    void receive(const ResidualStatement& each, program::Op op);
    /// Writes the wait for an isend (`sends`) or irecv. Its partner is known before the run.
    void wait_for(const ResidualStatement& each, bool sends);
    /// Writes a receive from any rank. Its sources are added after all classes have been written. Error:
    /// overlapping_receives, if another posted receive could take its message.
    void receive_any(const ResidualStatement& each);
    /// Writes a message to the source of a receive. The source may be any rank, so no other send with this tag may be
    /// open. Error: overlapping_sends.
    void answer(const ResidualStatement& each);
    /// Writes the wait for the latest request of the statement that the `wait` names.
    void wait_for_any_partner(const ResidualStatement& each);
    /// Writes waits for all requests without a name, first for the sends, then for the receives. Both are in the order
    /// in which they were begun. Error: unwaited_request, if a request was begun before the enclosing loop.
    void wait_for_all(const ResidualStatement& each);
    /// Writes a `waitany`. Error: unknown_request, if there are not enough open receives.
    void wait_for_any(const ResidualStatement& each);
    void collective(const ResidualStatement& each);
    /// Writes an allreduce over all ranks as one instruction.
    void allreduce(const ResidualStatement& each);
    /// Writes the operations of a rank's trace, which contain all waits for its requests. Errors: overlapping_receives
    /// and overlapping_sends, if the model has an open request on a channel of the trace.
    void trace(const ResidualStatement& each, const program::RankClass& operations);
    /// Throws unwaited_request if a request is open that this loop iteration, or the iteration of the program, has
    /// begun.
    void refuse_open() const;

private:
    using Tag = std::optional<std::int32_t>;  // nothing for any tag
    struct AnyPartner {
        std::uint32_t operand = 0;  // number of the choice of a receive, or of a reply
        Tag tag;
        /// Returns true if messages may match both tags. Tags of collectives are negative.
        bool may_have(const Tag& other) const { return (!tag && other.value_or(0) >= 0) || !other || tag == other; }
    };
    struct Open {
        program::Channel channel;  // channel of the request, if its partner is known before the run
        bool sends = false;
        bool named = false;
        const ResidualStatement* statement = nullptr;
        std::size_t depth = 0;            // number of enclosing loops
        bool grouped = false;             // true if a `waitany` waits for the request
        std::optional<AnyPartner> any{};  // set if the partner is known only during the run
    };
    struct Group {
        std::uint32_t choice = 0;
        std::int64_t left = 0;
        std::size_t depth = 0;  // number of loops that enclose the receives of the group
    };

    /// Returns the channel to or from the partner. Returns nothing if there is no such rank.
    std::optional<program::Channel> channel_of(const ResidualStatement& each);
    void begin_any(const ResidualStatement& each, const Tag& tag);
    void wait(std::uint16_t site, const Open& request);
    void refuse_beside_group(const ResidualStatement& each, bool named) const;
    void refuse_beside_any(const ResidualStatement& each, const Tag& tag, bool sends) const;
    void begin(const ResidualStatement& each, const program::Channel& channel, bool sends);
    void begin_group(const ResidualStatement& each);
    [[noreturn]] void refuse_any_in_group(const ResidualStatement& each) const;
    void end_group();

    void wait(std::uint16_t site, const program::Channel& channel, bool sends);
    [[noreturn]] void refuse_in_loop(const ResidualStatement& each) const;
    void refuse_second(const ResidualStatement& each, const program::Channel& channel, bool sends) const;
    std::uint32_t choice_of(const program::RankClass& operations, std::uint32_t number);
    void exchange(std::uint16_t site, std::int32_t tag, const CollectiveStep& step,
                  std::vector<const CollectiveStep*>& begun);

    CodeWriter& code_;
    const Graph& graph_;
    RankValues& values_;
    CollectiveSteps& steps_;
    std::vector<Open> open_;                // open requests in the order in which they were begun
    std::vector<std::int64_t> iterations_;  // numbers of iterations of the enclosing loops, innermost last
    std::optional<Group> group_;
};

}  // namespace warpfront::psl
