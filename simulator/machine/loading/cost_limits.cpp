#include "simulator/machine/loading/cost_limits.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "simulator/network/packet_pipeline.hpp"

namespace warpfront::machine {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceRange;

void check_hold_times(const HardwareFile& file, const ProfileRow& row, Bytes size, Diagnostics& faults) {
    if (row.holds_bus && file.bus) check_cost(size, file.bus->G_dma, file.G_dma_range, faults);
    if (row.holds_nic && file.nic) {
        check_cost(size, file.nic->injection, file.injection_range, faults);
        check_cost(size, file.nic->ejection, file.ejection_range, faults);
    }
}

bool in_use(Locality locality, const Machine& machine, const MachineRequest& request) {
    bool found = false;
    request.pairs([&](Rank a, Rank b) { found = found || machine.locality(a, b) == locality; });
    return found;
}

}  // namespace

bool check_cost(Bytes size, Gap gap, const SourceRange& range, Diagnostics& faults) {
    if (cost_of(size, gap)) return true;
    faults.add(
        DiagnosticKind::cost_too_large, range,
        fmt::format("a message of {} B takes {} s", size.count, static_cast<double>(size.count) * gap.seconds_per_byte),
        fmt::format("expected at most {} s", seconds(kLongestCost)));
    return false;
}

bool check_row(const ProfileRow& row, Bytes size, const RowPlaces& places, Diagnostics& faults) {
    if (network::pipeline_of(row, size)) return true;
    bool bytes_alone = true;
    for (const auto& [gap, range] :
         {std::pair{row.G_send, &places.G_send}, {row.G, &places.G}, {row.G_recv, &places.G_recv}}) {
        bytes_alone = check_cost(size, gap, *range, faults) && bytes_alone;
    }
    if (!bytes_alone) return false;
    faults.add(DiagnosticKind::cost_too_large, places.row,
               fmt::format("the {} packets of a message of {} B take too long",
                           network::segment(row.packet, size).count, size.count),
               fmt::format("expected at most {} s", seconds(kLongestCost)));
    return false;
}

void check_messages(const HardwareFile& file, const Machine& machine, const MachineRequest& request,
                    Diagnostics& faults) {
    for (std::size_t at = 0; at < file.layers.size(); ++at) {
        const Layer& layer = file.layers[at];
        const Profile& profile = layer.profile;
        if (profile.empty()) continue;
        Diagnostics found;
        for (const Bytes size : request.sizes) {
            const ProfileRow& row = row_for(profile, size);
            check_row(row, size, layer.row_places[static_cast<std::size_t>(&row - profile.data())], found);
            check_hold_times(file, row, size, found);
            if (!found.empty()) break;  // the largest message suffices
        }
        if (!found.empty() && in_use({static_cast<std::uint8_t>(at)}, machine, request)) faults.add(found);
    }
}

}  // namespace warpfront::machine
