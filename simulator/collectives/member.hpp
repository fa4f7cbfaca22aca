// One member of a collective while it performs an algorithm: its position, its data in blocks, and its steps.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "simulator/collectives/blocks.hpp"
#include "simulator/collectives/collective.hpp"

namespace warpfront::collectives {

using Visit = std::function<void(const Exchange&)>;

/// The members on a circle, counted from a given member.
class Circle {
public:
    Circle(std::uint32_t member, std::uint32_t members) : member_(member), members_(members) {}
    std::uint32_t after(std::uint64_t steps) const { return static_cast<std::uint32_t>((member_ + steps) % members_); }
    std::uint32_t before(std::uint64_t steps) const {
        return static_cast<std::uint32_t>((member_ + members_ - steps % members_) % members_);
    }

private:
    std::uint64_t member_;
    std::uint64_t members_;
};

class Member {
public:
    /// `collective` and `visit` must outlive the object, which keeps references to them.
    Member(const Collective& collective, std::uint32_t member, std::uint32_t of_members, const Visit& visit)
        : call(collective), own(member), members(of_members), here(member, of_members), visit_(visit) {}

    /// Returns the message in the given number of blocks.
    Blocks message(std::uint32_t blocks) const {
        const Bytes element = element_of(call, call.bytes);
        return Blocks::divided(element, call.bytes.count / element.count, blocks);
    }
    Range whole() const { return {{}, call.bytes}; }
    /// Returns one block for each member.
    Blocks shares() const { return call.shares.empty() ? Blocks::equal(call.bytes, members) : Blocks::of(call.shares); }
    /// Returns the position of the member, counted from the root.
    std::uint32_t position() const { return here.before(call.root); }
    std::uint32_t at(std::uint64_t position) const { return Circle(call.root, members).after(position); }
    template <class Visitor>
    void for_each_other(const Visitor& visitor) const {
        for (std::uint32_t other = 0; other < members; ++other) {
            if (other != own) visitor(other);
        }
    }

    void send(std::uint32_t to, Range data) const { visit_({to, data.size, std::nullopt, false, data.at}); }
    void receive(std::uint32_t from) const { visit_({std::nullopt, {}, from}); }
    void exchange(std::uint32_t to, Range data, std::uint32_t from) const {
        visit_({to, data.size, from, false, data.at});
    }
    void exchange(std::uint32_t partner, Range data) const { exchange(partner, data, partner); }
    void begin_send(std::uint32_t to, Range data) const { visit_({to, data.size, std::nullopt, true, data.at}); }
    void begin_receive(std::uint32_t from) const { visit_({std::nullopt, {}, from, true}); }
    void await_all() const { visit_({}); }

    const Collective& call;
    const std::uint32_t own;
    const std::uint32_t members;
    const Circle here;

private:
    const Visit& visit_;
};

}  // namespace warpfront::collectives
