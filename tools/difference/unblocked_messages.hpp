// Messages of the run without back-pressure (unblocked_run.hpp): what they cost, and those that are on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "simulator/analytic/message.hpp"
#include "simulator/machine/machine.hpp"
#include "simulator/network/cost.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::tools {

/// Whether receives and allreduces cost what is simulated or what the closed form says.
enum class MessageFormulas : std::uint8_t { simulated, closed_form };

/// Messages that a queue holds at first. It bounds memory: a sender at the limit is stepped later, at no cost in time.
inline constexpr std::size_t kFirstCapacity = 32;

/// What one message costs, as in unblocked_run.hpp.
struct UnblockedCost {
    Time send;
    Time isend;
    Time flight;  // a - s
    Time take;
    Time lag;
};

/// By locality and size, each computed once; references stay valid.
class UnblockedCosts {
public:
    UnblockedCosts(const machine::Machine& machine, MessageFormulas formulas)
        : machine_(machine), formulas_(formulas) {}

    const UnblockedCost& of(machine::Locality locality, Bytes size) {
        const auto [found, is_new] = costs_.try_emplace({locality.index, size.count});
        if (is_new) found->second = make(machine::row_for(machine_.profile(locality), size), size);
        return found->second;
    }

private:
    UnblockedCost make(const machine::ProfileRow& row, Bytes size) const {
        const analytic::MessageTime formula = analytic::message_cost(row, size);
        const network::MessageCost cost = network::fold(row, size, {}, machine_);
        const bool lags = cost.rendezvous || formulas_ == MessageFormulas::closed_form;
        return {.send = formula.send,
                .isend = cost.busy_send + cost.busy_after,
                .flight = formula.total - cost.busy_recv,
                .take = cost.busy_recv,
                .lag = lags ? formula.recv - cost.busy_recv : Time{}};
    }

    const machine::Machine& machine_;
    MessageFormulas formulas_;
    std::map<std::pair<std::uint8_t, std::int64_t>, UnblockedCost> costs_;
};

struct UnblockedMessage {
    WideTime arrival;
    const UnblockedCost* cost = nullptr;
};

/// The messages of one channel that are not received yet, in order.
class UnblockedQueue {
public:
    bool empty() const { return first_ == messages_.size(); }
    std::size_t size() const { return messages_.size() - first_; }
    void push(UnblockedMessage message) { messages_.push_back(message); }
    UnblockedMessage pop() {
        const UnblockedMessage message = messages_[first_++];
        if (first_ == messages_.size()) {
            messages_.clear();
            first_ = 0;
        } else if (first_ > kFirstCapacity && 2 * first_ > messages_.size()) {
            messages_.erase(messages_.begin(), messages_.begin() + static_cast<std::ptrdiff_t>(first_));
            first_ = 0;
        }
        return message;
    }

private:
    std::vector<UnblockedMessage> messages_;
    std::size_t first_ = 0;
};

}  // namespace warpfront::tools
