// Writes the messages of one class of ranks: sends, receives, requests and what waits for them, collectives, traces.
//
// A request without a name is open until the next `waitall` of its rank. It must be waited for in the trip of the loop
// that begins it, so one that is open at a statement is open there on every trip.
#pragma once

#include <vector>

#include "psl/code_writer.hpp"
#include "psl/collective_steps.hpp"

namespace warpfront::psl {

class MessageWriter {
public:
    MessageWriter(CodeWriter& code, const Graph& graph, RankValues& values, CollectiveSteps& steps)
        : code_(code), graph_(graph), values_(values), steps_(steps) {}

    /// The body of a loop is written while this stands.
    class Trip {
    public:
        explicit Trip(MessageWriter& writer) : writer_(writer), outer_(writer.before_loop_) {
            writer.before_loop_ = writer.open_.size();
        }
        ~Trip() { writer_.before_loop_ = outer_; }
        Trip(const Trip&) = delete;
        Trip& operator=(const Trip&) = delete;

    private:
        MessageWriter& writer_;
        std::size_t outer_;
    };

    /// A send, receive, isend, irecv or a wait for one of them. Faults: overlapping_receives, overlapping_sends.
    void message(const ResidualStatement& each);
    /// Waits for the requests without a name: first for the sends, since what holds a resource leaves no sooner than its
    /// rank waits for it, then for the receives, each in the order of their beginning. Fault: unwaited_request, where one was
    /// begun before the loop around.
    void wait_for_all(const ResidualStatement& each);
    void collective(const ResidualStatement& each);
    /// The operations of a rank's trace, which waits for all its requests. Faults: overlapping_receives, overlapping_sends,
    /// where a request of the model is open on one of its channels.
    void trace(const ResidualStatement& each, const program::RankClass& operations);
    /// Fault unwaited_request where a request of this trip, or of the iteration, is open.
    void refuse_open() const;

private:
    struct Open {
        program::Channel channel;
        bool sends = false;
        bool named = false;
        const ResidualStatement* statement = nullptr;
    };

    void wait(std::uint16_t site, const program::Channel& channel, bool sends);
    [[noreturn]] void refuse_in_loop(const ResidualStatement& each) const;
    void refuse_second(const ResidualStatement& each, const program::Channel& channel, bool sends) const;
    void exchange(std::uint16_t site, std::int32_t tag, const CollectiveStep& step,
                  std::vector<const CollectiveStep*>& begun);

    CodeWriter& code_;
    const Graph& graph_;
    RankValues& values_;
    CollectiveSteps& steps_;
    std::vector<Open> open_;       // in the order of their beginning
    std::size_t before_loop_ = 0;  // how many were open where the innermost loop begins
};

}  // namespace warpfront::psl
