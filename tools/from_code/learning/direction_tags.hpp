// Tags for the directions of messages around closed axes.
//
//   irecv from east_around tag 1;  irecv from west_around tag 2;  isend 8B to east_around tag 2;  ...
//
// On an axis of two ranks both directions lead to the same rank. A model that begins messages of both directions before
// it waits for one of them has a tag for each direction, so that they are no messages of one pair with one tag there.
#pragma once

#include <cstdint>
#include <map>

#include "tools/from_code/learning/structure.hpp"

namespace warpfront::learning {

/// Returns a tag for each pattern of a message, one for each direction. There are none if no rank has two open requests
/// that a closed axis of two ranks directs to one rank.
std::map<std::uint32_t, std::int32_t> direction_tags(const Structure& structure);

}  // namespace warpfront::learning
