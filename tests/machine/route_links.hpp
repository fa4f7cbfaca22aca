// The links of a route as a list.
#pragma once

#include "simulator/machine/routes/routing.hpp"
#include "simulator/units/ids.hpp"
#include "tests/preamble.hpp"

namespace warpfront::machine {

template <class Routes>
std::vector<LinkId> route_links(const Routes& routes, Host from, Host to) {
    std::vector<LinkId> links;
    routes.append_links(from, to, links);
    return links;
}

}  // namespace warpfront::machine
