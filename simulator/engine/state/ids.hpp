// Numbers for the objects of a run. Each kind of object has a number type of its own, so that the compiler
// distinguishes them. The numbers of ranks and nodes are defined in units/ids.hpp. A layout assigns the numbers
// (layout.hpp). An array accepts only the number type of its elements as an index (indexed_vector.hpp).
#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace warpfront::engine {

/// A core of a node. Only cores that have ranks in a full patch are counted, in the order of cores.
struct Core {
    std::uint16_t index = 0;
    friend constexpr auto operator<=>(Core, Core) = default;
};

/// An instruction in the code of a layout. A rank's program counter is such a number.
struct InstructionId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(InstructionId, InstructionId) = default;
    friend constexpr InstructionId operator+(InstructionId at, std::uint32_t steps) { return {at.index + steps}; }
    friend constexpr InstructionId operator-(InstructionId at, std::uint32_t steps) { return {at.index - steps}; }
    constexpr InstructionId& operator++() {
        ++index;
        return *this;
    }
};

/// The receiver's end of a channel, or of a step of its rank's collectives.
struct ReceiveEndpointId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(ReceiveEndpointId, ReceiveEndpointId) = default;
};

/// The sender's end of a channel, or of a step of its rank's collectives.
struct SendEndpointId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(SendEndpointId, SendEndpointId) = default;
};

/// A server: message processing, a bus, one direction of a NIC, or a link.
struct ServerId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(ServerId, ServerId) = default;
    friend constexpr ServerId operator+(ServerId first, std::uint32_t offset) { return {first.index + offset}; }
};

/// A server that is a link. Only links are counted (Layout::link_of).
struct LinkServerId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(LinkServerId, LinkServerId) = default;
};

/// A request for links, in the list of its partition (stepping/event_order.hpp).
struct LinkRequestId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(LinkRequestId, LinkRequestId) = default;
};

/// A message of several packets on its way through links (stepping/packet_trains.hpp).
struct TrainId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(TrainId, TrainId) = default;
};

/// A size of messages in the program. Synchronous messages have separate sizes.
struct SizeId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(SizeId, SizeId) = default;
};

/// The cost of a message of one size on one path.
struct CostId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(CostId, CostId) = default;
};

/// A set of receive endpoints, of which the first message is taken (stepping/matching.hpp).
struct ChoiceId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(ChoiceId, ChoiceId) = default;
};
/// A list of receive endpoints of one rank for messages of one source. Choices take these messages in the order of
/// sending.
struct SendOrderId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(SendOrderId, SendOrderId) = default;
};
/// The replies to the message that was taken from a choice.
struct ReplyId {
    std::uint32_t index = 0;
    friend constexpr auto operator<=>(ReplyId, ReplyId) = default;
};

/// An exclusive limit for the number of receive endpoints, of send endpoints, and so of ranks. An event stores these
/// numbers in 29 bits (stepping/event.hpp).
inline constexpr std::uint64_t kMostEndpoints = std::uint64_t{1} << 29;

/// An index that differs from that of every rank, node and endpoint.
struct None {
    static constexpr std::uint32_t index = 0xFFFFFFFF;

    template <typename Id>
        requires std::same_as<decltype(Id::index), std::uint32_t>
    constexpr operator Id() const { return {index}; }
};
inline constexpr None kNone;

/// A hash function for numbers, and for pairs of numbers.
struct IdHash {
    template <typename Id>
    std::size_t operator()(Id id) const {
        return id.index;
    }
    template <typename First, typename Second>
    std::size_t operator()(std::pair<First, Second> ids) const {
        return std::size_t{ids.first.index} << 32U | ids.second.index;
    }
};

}  // namespace warpfront::engine
