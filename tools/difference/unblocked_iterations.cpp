#include "tools/difference/unblocked_iterations.hpp"

namespace warpfront::tools {

std::int64_t known_trips(const IterationState& before, const IterationState& now) {
    const WideTime shift = now.times.front() - before.times.front();
    for (std::size_t k = 0; k < now.times.size(); ++k) {
        // isends and irecvs that never happened have no time to shift
        const bool unused = now.times[k] == WideTime{} && before.times[k] == WideTime{};
        if (!unused && now.times[k] - before.times[k] != shift) return 0;
    }
    const std::int64_t trips = now.positions.front().trips_left[0] - 1;
    for (std::size_t k = 0; k < now.positions.size(); ++k) {
        program::Position next = before.positions[k];
        --next.trips_left[0];
        if (next != now.positions[k] || next.trips_left[0] - 1 != trips) return 0;
    }
    return trips;
}

}  // namespace warpfront::tools
