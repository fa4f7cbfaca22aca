// How many elements each array of a State has. Known exactly from the layout of a run (state.cpp), and estimated from
// program and machine before there is one (estimate.cpp).
#pragma once

#include <cstdint>

namespace warpfront::engine {

struct Extents {
    std::uint64_t ranks = 0;
    std::uint64_t channels = 0;              // receive endpoints of channels
    std::uint64_t receive_endpoints = 0;     // of channels and collectives
    std::uint64_t send_endpoints = 0;        // that may need post notices
    std::uint64_t quiet_send_endpoints = 0;  // the others
    std::uint64_t servers = 0;
    std::uint64_t turns = 0;
    std::uint64_t links = 0;  // servers that are links
    std::uint64_t delays = 0;
    std::uint64_t before_post = 0;
    std::uint64_t eager_windows = 0;
    std::uint64_t phase_times = 0;
    std::uint64_t overheads = 0;
};

}  // namespace warpfront::engine
