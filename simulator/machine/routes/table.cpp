#include "simulator/machine/routes/table.hpp"

#include <cstddef>

namespace warpfront::machine {

namespace {

std::uint64_t key(Host from, Host to) { return std::uint64_t{from.index} << 32 | to.index; }

}  // namespace

void TableRoutes::add(Host from, Host to, Entry entry) { entries[key(from, to)] = entry; }

const TableRoutes::Entry& TableRoutes::at(Host from, Host to) const { return entries.at(key(from, to)); }

void TableRoutes::append_links(Host from, Host to, std::vector<LinkId>& links) const {
    const Entry& entry = at(from, to);
    const auto first = contended.begin() + static_cast<std::ptrdiff_t>(entry.first);
    links.insert(links.end(), first, first + entry.contended);
}

}  // namespace warpfront::machine
