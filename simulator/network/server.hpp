// A shared resource as a first-come first-served server in virtual time: the memory bus of a node.
//
// Protocol: requests are put to it in their total order (request time, age of the message, rank; the engine sees to
// that); it answers when each is granted. Only the time until the grant is extra, so the caller adds nothing for the
// service itself. Holding it costs the next request max(0, free_at - request).
#pragma once

#include <algorithm>

#include "simulator/units/time.hpp"

namespace warpfront::network {

struct Server {
    Time free_at;

    Time grant(Time request, Time service) {
        const Time granted = std::max(request, free_at);
        free_at = granted + service;
        return granted;
    }
};

}  // namespace warpfront::network
