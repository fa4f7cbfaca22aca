// Writes the messages of one class of ranks: sends, receives, requests and the waits for them, collectives, traces.
//
// A request without a name is open until the next `waitall` of its rank, or until `waitany` has taken it. The wait for
// a request must be in the loop iteration that begins the request, so a request that is open at a statement is open
// there in every iteration.
//
// An open receive from any rank may take any message with its tag. Until the rank waits for this receive, it must not
// post a receive from a named rank with the same tag. Other receives from any rank are permitted: the one that was
// posted first takes a message first. An open `isend` to the source of a receive excludes other sends with its tag in
// the same way.
//
// The receives that are open at a first `waitany` form a group. Each `waitany` takes one of them. The number of
// remaining receives is known here; the run determines which receives remain. If a loop contains the `waitany`, but not
// the receives, each iteration takes one.
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

    /// The scope in which the body of a loop with this number of iterations is written.
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

    /// Writes a send, ssend or isend to a partner known before the run; nothing if there is no such rank. Error:
    /// overlapping_sends.
    void send(const ResidualStatement& each, program::Op op);
    /// Writes a recv or irecv from a partner known before the run; nothing if there is no such rank. Error:
    /// overlapping_receives.
    void receive(const ResidualStatement& each, program::Op op);
    /// Writes the wait for an isend (`sends`) or irecv whose partner is known before the run.
    void wait_for(const ResidualStatement& each, bool sends);
    /// Writes a receive from any rank. Its sources are found once all classes are written. No other posted receive may
    /// match its message. Error: overlapping_receives.
    void receive_any(const ResidualStatement& each);
    /// Writes a message to the source of a receive. Since the source may be any rank, no other send with this tag may
    /// be open. Error: overlapping_sends.
    void answer(const ResidualStatement& each);
    /// Writes the wait for the latest request of the statement that the `wait` names.
    void wait_for_any_partner(const ResidualStatement& each);
    /// Writes waits for the requests without a name: first for the sends, then for the receives, each in the order in
    /// which they were begun. Error: unwaited_request, if a request was begun before the enclosing loop.
    void wait_for_all(const ResidualStatement& each);
    /// Writes a `waitany`. Error: unknown_request, if fewer receives are open.
    void wait_for_any(const ResidualStatement& each);
    void collective(const ResidualStatement& each);
    /// Writes an allreduce over all ranks as one instruction.
    void allreduce(const ResidualStatement& each);
    /// Writes the operations of a rank's trace, which waits for all its requests. Errors: overlapping_receives,
    /// overlapping_sends, if a request of the model is open on one of its channels.
    void trace(const ResidualStatement& each, const program::RankClass& operations);
    /// Throws unwaited_request if a request of this loop iteration, or of the iteration of the code, is open.
    void refuse_open() const;

private:
    using Tag = std::optional<std::int32_t>;  // tag of a message; nothing for any tag
    struct AnyPartner {
        std::uint32_t operand = 0;  // number of the choice of a receive, or of the reply of a send
        Tag tag;
        /// Returns true if both tags may match. Tags of collectives are negative.
        bool may_have(const Tag& other) const { return (!tag && other.value_or(0) >= 0) || !other || tag == other; }
    };
    struct Open {
        program::Channel channel;  // channel of the request, unless the run decides its partner
        bool sends = false;
        bool named = false;
        const ResidualStatement* statement = nullptr;
        std::size_t depth = 0;            // number of enclosing loops
        bool grouped = false;             // true if a `waitany` waits for the request
        std::optional<AnyPartner> any{};  // set if the run decides the partner of the request
    };
    struct Group {
        std::uint32_t choice = 0;
        std::int64_t left = 0;
        std::size_t depth = 0;  // number of loops that enclose the receives of the group
    };

    /// Returns the channel to or from the partner; nothing if there is no such rank.
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
