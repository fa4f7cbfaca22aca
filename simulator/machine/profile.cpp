#include "simulator/machine/profile.hpp"

namespace warpfront::machine {

const ProfileRow& row_for(const Profile& profile, Bytes size) {
    for (const ProfileRow& row : profile) {
        if (!row.up_to || size <= *row.up_to) return row;
    }
    return profile.back();
}

}  // namespace warpfront::machine
