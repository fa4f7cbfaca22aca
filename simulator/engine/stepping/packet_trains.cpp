#include "simulator/engine/stepping/packet_trains.hpp"

namespace warpfront::engine {

void PacketTrain::pass(Time granted) {
    const network::PacketStages stages = times->of(packet);
    clocks.wire = granted + std::max(stages.wire, slowest.of(packet));
    clocks.out = std::max(clocks.out, clocks.wire) + stages.out;
    ++packet;
    if (!over()) clocks.in += times->of(packet).in;
}

}  // namespace warpfront::engine
