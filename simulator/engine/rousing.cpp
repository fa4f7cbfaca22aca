// Who is woken between two phases, and why (resting.hpp).
#include "simulator/engine/resting.hpp"

namespace warpfront::engine {

void Resting::rouse(std::uint32_t node, std::int64_t now) {
    Stepper& stepper = stepper_of(node);
    stepper.begin_phase(now, now);
    stepper.rouse(node);
}

void Resting::wake_all(std::int64_t now) {
    for (std::uint32_t node = 0; node < layout_.nodes; ++node) {
        if (rests(node)) rouse(node, now);
    }
    for (const auto& region : regions_) region->schedule();
}

void Resting::wake_owners(std::int64_t now) {
    for (const auto& region : regions_) {
        for (const std::uint32_t outlet : region->stepper.crossing()) {
            const std::uint32_t from = layout_.node_of[layout_.rank_of_outlet(outlet)];
            const std::uint32_t to = layout_.node_of[layout_.rank_of_inlet(state_.outlet(outlet).inlet)];
            route_.clear();
            layout_.routes->append_links(layout_.host_of[from], layout_.host_of[to], route_);
            for (const machine::LinkId link : route_) {
                const std::uint32_t server = layout_.link_server[link.index];
                const std::uint32_t desk = server / layout_.desk.stride;
                const std::uint32_t user = desk < layout_.nodes ? desk : companies_.user(server);
                if (user == kNone) continue;
                bars_[user] |= kCrossed;
                if (rest_ && rest_->rests(user)) rouse(user, now);
            }
        }
        region->stepper.crossing().clear();
    }
    for (const auto& region : regions_) region->schedule();
}

}  // namespace warpfront::engine
