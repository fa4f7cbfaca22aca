#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

const std::string& layer_name(Layer layer) {
    static const std::array<std::string, kLayers> names{"chip", "node", "network"};
    return names[static_cast<std::size_t>(layer)];
}

const ProfileRow& row_for(const Profile& profile, Bytes size) {
    for (const ProfileRow& row : profile) {
        if (!row.up_to || size <= *row.up_to) return row;
    }
    return profile.back();
}

}  // namespace warpfront::machine
