// The processes of a run and this one among them; without a process group, this one alone.
//
// Rounds. All processes meet in rounds: each sends one message to each other and receives one from each. A message begins
// with whether its sender goes on, has failed or ends. A process that fails sends that in the next round, whatever the round
// is for, so no process waits for another that has stopped. What the process of least index has failed with is thrown in
// all of them. In the last round all end; where one has ended before, the others throw PeerEnded and meet no more.
//
// In a round each process appends to `to(p)` what process p is to receive, calls `meet`, and reads `from(p)`, in the same
// order. Values are trivially copyable. One thread at a time.
#pragma once

#include <cstring>
#include <exception>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "simulator/engine/process_group.hpp"

namespace warpfront::engine {

/// Appends values to a message.
class MessageWriter {
public:
    explicit MessageWriter(ProcessGroup::Message& message) : message_(&message) {}

    template <typename Value>
    void put(const Value& value) {
        put_all(std::span<const Value>(&value, 1));
    }
    /// Their number is to be known to who reads them.
    template <typename Value>
    void put_all(std::span<const Value> values) {
        static_assert(std::is_trivially_copyable_v<Value>);
        const std::span<const std::byte> bytes = std::as_bytes(values);
        message_->insert(message_->end(), bytes.begin(), bytes.end());
    }
    /// With their number in front.
    template <typename Value>
    void put_list(const std::vector<Value>& values) {
        put(std::uint64_t{values.size()});
        put_all(std::span<const Value>(values));
    }

private:
    ProcessGroup::Message* message_;
};

/// Takes the values off again, in the order in which they were put.
class MessageReader {
public:
    explicit MessageReader(const ProcessGroup::Message& message) : rest_(message) {}

    template <typename Value>
    Value get() {
        Value value;
        get_all(std::span<Value>(&value, 1));
        return value;
    }
    template <typename Value>
    void get_all(std::span<Value> values) {
        static_assert(std::is_trivially_copyable_v<Value>);
        if (values.empty()) return;
        std::memcpy(values.data(), rest_.data(), values.size_bytes());
        rest_ = rest_.subspan(values.size_bytes());
    }
    /// Appends them.
    template <typename Value>
    void get_list(std::vector<Value>& values) {
        const std::size_t before = values.size();
        values.resize(before + get<std::uint64_t>());
        get_all(std::span(values).subspan(before));
    }

private:
    std::span<const std::byte> rest_;
};

/// How a program ends: its exit status, and why where that is not 0.
struct Ending {
    std::int32_t status = 0;
    std::string message{};
    std::uint32_t process = 0;
};

/// Another process has ended while this one was still at work.
class PeerEnded : public std::runtime_error {
public:
    explicit PeerEnded(Ending ending) : std::runtime_error(ending.message), ending_(std::move(ending)) {}
    const Ending& ending() const { return ending_; }

private:
    Ending ending_;
};

class Peers {
public:
    /// Null: this process is alone.
    explicit Peers(ProcessGroup* group);

    bool alone() const { return count_ == 1; }
    std::uint32_t index() const { return index_; }
    std::uint32_t count() const { return count_; }

    /// What process `p` receives in the next round. Of no use to this process itself.
    MessageWriter to(std::uint32_t p) { return MessageWriter(out_[p]); }
    /// The round. Throws what another has failed with.
    void meet();
    /// What process `p`, another one, sent in it.
    MessageReader from(std::uint32_t p) const;

    /// Rounds of their own; alone they return what they are given.
    std::int64_t least(std::int64_t mine);
    bool all(bool mine) { return least(mine ? 1 : 0) == 1; }
    std::int64_t sum(std::int64_t mine);

    /// This process fails with `failure`, which was not thrown by a round: sends that in a round, then throws what all
    /// throw.
    [[noreturn]] void fail(const std::exception_ptr& failure);

    /// The last round, when the program ends. Returns the first ending, by process, whose status is not 0; else `mine`.
    Ending end(const Ending& mine);
    /// Whether the last round has thrown a failure.
    bool failed() const { return failed_; }

private:
    void begin_round();
    void throw_if_ended();
    void throw_failure_before(std::uint32_t end);
    Ending ending_of(std::uint32_t p) const;

    ProcessGroup* group_;
    std::uint32_t index_ = 0;
    std::uint32_t count_ = 1;
    bool failed_ = false;
    std::vector<ProcessGroup::Message> out_;  // by process; each begins with how its sender goes on
    std::vector<ProcessGroup::Message> in_;
};

}  // namespace warpfront::engine
