#include "simulator/machine/loading/cost_limits.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::machine {

namespace {

using input::FaultKind;
using input::Faults;
using input::Place;

void check_held(const HardwareFile& file, const ProfileRow& row, Bytes size, Faults& faults) {
    if (row.holds_bus && file.bus) check_cost(size, file.bus->G_dma, file.G_dma_place, faults);
    if (row.holds_nic && file.nic) {
        check_cost(size, file.nic->injection, file.injection_place, faults);
        check_cost(size, file.nic->ejection, file.ejection_place, faults);
    }
}

bool in_use(Layer layer, const Machine& machine, const Request& request) {
    bool found = false;
    request.pairs([&](Rank a, Rank b) { found = found || machine.layer(a, b) == layer; });
    return found;
}

}  // namespace

bool check_cost(Bytes size, Gap gap, const Place& place, Faults& faults) {
    if (cost_of(size, gap)) return true;
    faults.add(FaultKind::cost_too_large, place,
               fmt::format("a message of {} B takes {} s", size.count,
                           static_cast<double>(size.count) * gap.seconds_per_byte),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
    return false;
}

bool check_row(const ProfileRow& row, Bytes size, const RowPlaces& places, Faults& faults) {
    if (network::pipeline_of(row, size)) return true;
    bool bytes_alone = true;
    for (const auto& [gap, place] : {std::pair{row.G_send, &places.G_send}, {row.G, &places.G},
                                     {row.G_recv, &places.G_recv}}) {
        bytes_alone = check_cost(size, gap, *place, faults) && bytes_alone;
    }
    if (!bytes_alone) return false;
    faults.add(FaultKind::cost_too_large, places.row,
               fmt::format("the {} packets of a message of {} B take too long", network::segment(row.packet, size).count,
                           size.count),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
    return false;
}

void check_messages(const HardwareFile& file, const Machine& machine, const Request& request, Faults& faults) {
    for (const Layer layer : {Layer::chip, Layer::node, Layer::network}) {
        const auto at = static_cast<std::size_t>(layer);
        const Profile& profile = file.layers[at];
        if (profile.empty()) continue;
        Faults found;
        for (const Bytes size : request.sizes) {
            const ProfileRow& row = row_for(profile, size);
            check_row(row, size, file.row_places[at][static_cast<std::size_t>(&row - profile.data())], found);
            check_held(file, row, size, found);
            if (!found.empty()) break;  // what holds for the largest message suffices
        }
        if (!found.empty() && in_use(layer, machine, request)) faults.add(found);
    }
}

}  // namespace warpfront::machine
