#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

const std::string& name_of_locality(Locality locality) {
    static const std::array<std::string, kLocalities> names{"chip", "node", "network"};
    return names[static_cast<std::size_t>(locality)];
}

const ProfileRow& row_for(const Profile& profile, Bytes size) {
    for (const ProfileRow& row : profile) {
        if (!row.up_to || size <= *row.up_to) return row;
    }
    return profile.back();
}

}  // namespace warpfront::machine
