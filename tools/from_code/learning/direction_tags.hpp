// Tags for the directions of messages around closed axes.
//
//   irecv from east_around tag 1;  irecv from west_around tag 2;  isend 8B to east_around tag 2;  ...
//
// On an axis of two ranks both directions lead to the same rank. So if messages of both directions are open at the same
// time, they could be matched with each other. To prevent this, each direction has a tag of its own.
#pragma once

#include <cstdint>
#include <map>

#include "tools/from_code/learning/structure.hpp"

namespace warpfront::learning {

/// Returns a tag for each pattern of a message. Patterns of different directions have different tags. Returns no tags
/// if they are not needed: no rank can have two open requests for the same partner on a closed axis of two ranks. Also
/// returns none if the patterns of some direction only send or only receive.
std::map<std::uint32_t, std::int32_t> direction_tags(const Structure& structure);

}  // namespace warpfront::learning
