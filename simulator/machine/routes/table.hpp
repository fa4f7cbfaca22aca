// The routes of an irregular platform: latency and links of each requested pair. Links are numbered in the order of
// first use. Messages do not wait for a FATPIPE link (SimGrid), but no message is faster than it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/bytes.hpp"
#include "simulator/units/ids.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::machine {

struct TableRoutes {
    static constexpr bool kHasNicCables = false;
    struct Entry {
        /// latency of the route; in SimGrid's Vivaldi zones it is more than the sum of the links
        Time latency;
        std::uint32_t links = 0;  // number of links of the route
        std::uint64_t first = 0;  // index of the route's first link in `crossed`
        friend bool operator==(const Entry&, const Entry&) = default;
    };
    std::unordered_map<std::uint64_t, Entry> entries;  // routes by the key of their hosts
    std::vector<LinkId> crossed;                       // links of all routes, one route after another
    std::vector<Gap> gaps;                             // time per byte of each link
    std::vector<Time> latencies{};                     // latency of each link
    std::vector<std::string> names{};                  // name of each link in the platform; may be empty
    /// true for links for which messages do not wait; empty if there are none
    std::vector<bool> fatpipe{};

    static std::uint64_t key(Host from, Host to) { return std::uint64_t{from.index} << 32 | to.index; }
    static Host from(std::uint64_t key) { return {static_cast<std::uint32_t>(key >> 32)}; }
    static Host to(std::uint64_t key) { return {static_cast<std::uint32_t>(key)}; }
    void add(Host from, Host to, Entry entry) { entries[key(from, to)] = entry; }
    const Entry& at(Host from, Host to) const { return entries.at(key(from, to)); }  // the table must contain the pair
    std::uint32_t links(Host from, Host to) const { return at(from, to).links; }
    Time latency(Host from, Host to) const { return at(from, to).latency; }
    std::uint64_t link_count() const { return gaps.size(); }
    /// Returns all links of the route, in order.
    std::span<const LinkId> route(const Entry& entry) const {
        return std::span(crossed).subspan(entry.first, entry.links);
    }
    bool is_waited_for(LinkId link) const { return fatpipe.empty() || !fatpipe[link.index]; }
    void append_links(Host from, Host to, std::vector<LinkId>& links) const {
        for (const LinkId link : route(at(from, to))) {
            if (is_waited_for(link)) links.push_back(link);
        }
    }
    void append_latencies(Host from, Host to, std::vector<Time>& of_links) const {
        for (const LinkId link : route(at(from, to))) of_links.push_back(latencies[link.index]);
    }
    Gap gap(LinkId link) const { return gaps[link.index]; }
    std::optional<LinkId> slowest_link(Host from, Host to) const {
        const std::span<const LinkId> links = route(at(from, to));
        if (links.empty()) return std::nullopt;
        return *std::ranges::max_element(links, {}, [&](LinkId link) { return gap(link); });
    }
    friend bool operator==(const TableRoutes&, const TableRoutes&) = default;
};

}  // namespace warpfront::machine
