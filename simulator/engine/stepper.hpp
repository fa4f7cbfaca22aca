// Steps ranks through their programs: the protocol of every message, acted out on the state.
//
// A rank is stepped until it must wait: for a message, for its partner's acknowledgement, or for its node's bus. Only
// the last needs an order; it is put to the caller as a timed request (`ask`), and answered through `serve` in the
// total order (time, age, rank) of that node. All else is dataflow: whoever completes a wait computes when the waiter
// goes on and wakes it, whatever the order in which ranks are stepped.
//
// Protocol (machine/profile.hpp gives the costs):
//   eager      busy_send; bus; leaves; arrives `flight` later
//   handshake  busy_send; request arrives `request` later; met by the posted receive at the later of the two times;
//              acknowledgement `request` back; bus; leaves, the sender goes on; arrives `flight` later
//   receive    at the later of posting and arrival: bus; busy_recv; goes on
// A message that holds the bus waits for its grant at the points named `bus`; a rank goes on only once granted.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "simulator/engine/layout.hpp"
#include "simulator/engine/marks.hpp"
#include "simulator/engine/noise.hpp"
#include "simulator/engine/state.hpp"

namespace warpfront::engine {

class Stepper {
public:
    /// No `compute_time`: every block takes what its program says.
    Stepper(const Layout& layout, State& state, Marks& marks, const ComputeTime* compute_time);

    /// Ranks that asked for a timed resource since this was last cleared, in the order they asked.
    std::vector<std::uint32_t>& asked() { return asked_; }
    /// Ranks held at a mark; only if `hold_at_marks`.
    std::vector<std::uint32_t>& held() { return held_; }
    bool hold_at_marks = false;

    void start(std::uint32_t rank, std::uint32_t entry);
    /// Grants the timed request of `rank`, which is the earliest of its node, and steps on.
    void serve(std::uint32_t rank);
    /// A rank held at its mark goes on.
    void release(std::uint32_t rank);
    /// Steps until nobody can go on without a timed request (or a release).
    void settle();

    std::uint32_t done() const { return done_; }
    std::uint64_t messages() const { return messages_; }
    std::uint64_t events() const { return events_; }
    /// True once since the last call if an iteration was passed by its last rank.
    bool iteration_ended() { return std::exchange(iteration_ended_, false); }

private:
    enum class Next : std::uint8_t { go_on, stop };

    void run(std::uint32_t rank);
    void wake(std::uint32_t rank, RankLine& line);
    void ask(std::uint32_t rank, RankLine& line, RankState what, std::uint32_t cost, std::uint64_t age);
    void compute(std::uint32_t rank, RankLine& line, Time nominal);
    Next send(std::uint32_t rank, RankLine& line, std::uint32_t channel, std::uint32_t peer, std::uint32_t cost);
    void post(RankLine& line, std::uint32_t channel, std::uint32_t sender);
    Next await(std::uint32_t rank, RankLine& line, std::uint32_t channel);
    Next receive(std::uint32_t rank, RankLine& line, Message& head);
    Next collective(std::uint32_t rank, RankLine& line, std::uint32_t size);
    Next pass_mark(std::uint32_t rank, RankLine& line);
    void leave(RankLine& sender, std::uint32_t channel, std::uint32_t peer, std::uint32_t cost, std::uint64_t age);
    void queue_behind(Message& head, const Message& message);
    void take(std::uint32_t rank, RankLine& line, Time busy_recv);
    void pop(Message& head);

    std::uint64_t age_of(const RankLine& line) const {
        return ((line.wave + (line.micro + 2U) / 3) << kSiteBits) | layout_.code[line.at].site;
    }
    static void advance(RankLine& line) { line.micro > 0 ? ++line.micro : ++line.at; }
    std::uint32_t outgoing_channel(std::uint32_t rank, const RankLine& line, std::uint32_t& peer) const;

    const Layout& layout_;
    State& state_;
    Marks& marks_;
    const ComputeTime* compute_time_;
    std::vector<std::uint32_t> ready_;
    std::vector<std::uint32_t> turn_;
    std::vector<std::uint32_t> asked_;
    std::vector<std::uint32_t> held_;
    std::uint32_t done_ = 0;
    std::uint64_t messages_ = 0;
    std::uint64_t events_ = 0;
    bool iteration_ended_ = false;
};

}  // namespace warpfront::engine
