// Any other platform: latency and links of each pair asked for. Links are numbered in the order of their first use.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/machine/routes/link.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct TableRoutes {
    struct Entry {
        Time latency;                 // of the whole route
        std::uint32_t links = 0;      // all that it crosses
        std::uint32_t contended = 0;  // those that have a number: so many of `contended` below, from `first`
        std::uint64_t first = 0;
    };
    std::unordered_map<std::uint64_t, Entry> entries;  // key = from << 32 | to; looked up, never iterated
    std::vector<LinkId> contended;                     // of all routes, one after another
    std::vector<Gap> gaps;                             // by link
    std::vector<std::string> names{};                  // by link, as the platform calls it; may be empty

    void add(Node from, Node to, Entry entry);
    const Entry& at(Node from, Node to) const;  // the pair must have been asked for
    std::uint32_t links(Node from, Node to) const { return at(from, to).links; }
    Time latency(Node from, Node to) const { return at(from, to).latency; }
    std::uint64_t link_count() const { return gaps.size(); }
    void append_links(Node from, Node to, std::vector<LinkId>& links) const;
    Gap gap(LinkId link) const { return gaps[link.index]; }
};

}  // namespace warpfront::machine
