// Routes of an irregular platform: latency and links of each requested pair. Links are numbered in the order of first
// use. No message waits for a FATPIPE link (SimGrid), but no message is faster than it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct TableRoutes {
    struct Entry {
        Time latency;                 // latency of the whole route
        std::uint32_t links = 0;      // number of links of the whole route
        std::uint32_t contended = 0;  // number of links that messages wait for: `contended` below, from `first` on
        std::uint64_t first = 0;
        std::optional<LinkId> slowest{};  // the first link of the route with the lowest bandwidth
    };
    std::unordered_map<std::uint64_t, Entry> entries;  // by key(); for lookup only, never iterated
    std::vector<LinkId> contended;                     // links of all routes, one route after another
    std::vector<Gap> gaps;                             // by link
    std::vector<std::string> names{};                  // by link, as in the platform; may be empty
    std::vector<Time> latencies{};                     // by link; may be empty
    std::uint32_t fatpipes = 0;                        // number of links that no message waits for

    static std::uint64_t key(Host from, Host to) { return std::uint64_t{from.index} << 32 | to.index; }
    void add(Host from, Host to, Entry entry) { entries[key(from, to)] = entry; }
    const Entry& at(Host from, Host to) const { return entries.at(key(from, to)); }  // the table must contain the pair
    std::uint32_t links(Host from, Host to) const { return at(from, to).links; }
    Time latency(Host from, Host to) const { return at(from, to).latency; }
    std::uint64_t link_count() const { return gaps.size(); }
    void append_links(Host from, Host to, std::vector<LinkId>& links) const {
        const Entry& entry = at(from, to);
        const auto first = contended.begin() + static_cast<std::ptrdiff_t>(entry.first);
        links.insert(links.end(), first, first + entry.contended);
    }
    Gap gap(LinkId link) const { return gaps[link.index]; }
    std::optional<LinkId> slowest_link(Host from, Host to) const { return at(from, to).slowest; }
};

}  // namespace warpfront::machine
