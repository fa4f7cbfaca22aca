// The flow control of one channel, where the machine limits eager messages that no receive is posted for.
//
// Message m (counted from 1) may leave once post k is known to its sender: the first post after which messages k + 1 to
// m, their number and their bytes, are within the limit. A message beyond the limit by itself waits for its own post,
// k = m, as a rendezvous does. The sender learns of a post one `answer` after it is made (network/cost.hpp), so the
// message leaves at max(the sender's clock, time of post k + answer). Real MPI libraries count such credits for each
// pair of processes; here each channel (sender, receiver, tag) has its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "simulator/machine/profile.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::engine {

class EagerWindow {
public:
    /// The next message is about to be sent; true where it needs a post that none before it did.
    bool begin_eager(Bytes size, const machine::EagerLimit& limit);
    /// The same, of a message that waits for its own post by its protocol.
    void begin_rendezvous();
    /// The next post becomes known, in picoseconds; posts are made in order.
    void add_post(std::int64_t posted);

    /// Whether the post is known that the latest message has to wait for.
    bool admits() const { return needed_ <= posted_; }
    /// When that was made; before all times where it waits for none.
    std::int64_t needed_at() const { return needed_at_; }

    /// What decides how the channel goes on, in words; times count from `cut`, those before it as the cut.
    void describe(std::int64_t cut, std::vector<std::uint64_t>& words) const;
    bool untouched() const { return sent_ == 0 && posted_ == 0; }
    std::uint64_t bytes() const;

private:
    /// What is appended at the end and taken from the front.
    class Queue {
    public:
        void push(std::int64_t value) { values_.push_back(value); }
        std::int64_t pop();
        bool empty() const { return first_ == values_.size(); }
        std::size_t size() const { return values_.size() - first_; }
        std::int64_t operator[](std::size_t at) const { return values_[first_ + at]; }
        std::uint64_t bytes() const { return values_.capacity() * sizeof(std::int64_t); }

    private:
        std::vector<std::int64_t> values_;
        std::size_t first_ = 0;
    };

    void need_next();

    std::uint64_t sent_ = 0;    // messages
    std::uint64_t posted_ = 0;  // posts known
    std::uint64_t needed_ = 0;  // the post that the latest message waits for; 0: none
    std::int64_t needed_at_ = -kHorizon.ps;
    Queue sizes_;            // of messages needed_ + 1 .. sent_
    std::int64_t held_ = 0;  // their sum
    Queue times_;            // of posts needed_ + 1 .. posted_
};

}  // namespace warpfront::engine
