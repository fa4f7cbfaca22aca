// What ranks may take as it comes (choices.hpp), by choice in the order in which it is taken: by the time at which it is there,
// then by place in the choice. A receive endpoint has one candidate at most, the first message of its channel. Every change of
// that message updates it (MessageProtocol::refresh_candidate), so finding the first of a choice costs no search through its
// endpoints. Times are picoseconds of virtual time.
//
// By rank and endpoint, looked up and never iterated; used by one thread at a time.
#pragma once

#include <cstdint>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "simulator/engine/state/layout.hpp"

namespace warpfront::engine {

struct Candidate {
    std::int64_t time = kHorizon.ps;
    std::uint32_t index = 0;  // in its choice
    std::uint32_t receive_endpoint = kNone;

    bool exists() const { return receive_endpoint != kNone; }
    bool before(const Candidate& other) const { return time != other.time ? time < other.time : index < other.index; }
};

class Candidates {
public:
    explicit Candidates(const Layout& layout) : layout_(layout) {}

    /// Of a receive endpoint of the rank, in the class of the rank: `time` says since when there is one, kHorizon that there
    /// is none; `posted` whether a receive is posted there.
    void set(std::uint32_t rank, std::uint32_t rank_class, std::uint32_t receive_endpoint, std::int64_t time,
             bool posted);
    Candidate first(std::uint32_t rank, std::uint32_t choice) const;

    std::uint64_t bytes() const;

private:
    struct Known {
        std::int64_t time = kHorizon.ps;
        bool posted = false;
        friend bool operator==(const Known&, const Known&) = default;
    };
    using InOrder = std::set<std::pair<std::int64_t, std::uint32_t>>;  // time, index

    static std::uint64_t key(std::uint32_t rank, std::uint32_t choice) { return std::uint64_t{rank} << 32U | choice; }

    const Layout& layout_;
    std::unordered_map<std::uint32_t, Known> known_;  // by receive endpoint
    std::unordered_map<std::uint64_t, InOrder> in_order_;
};

}  // namespace warpfront::engine
