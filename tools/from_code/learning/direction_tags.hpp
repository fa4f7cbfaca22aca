// Tags for the directions of messages around closed axes.
//
//   irecv from east_around tag 1;  irecv from west_around tag 2;  isend 8B to east_around tag 2;  ...
//
// On an axis of two ranks both directions lead to the same rank. If a model begins messages of both directions before
// it waits for one of them, each direction has a tag of its own, so that the messages of the two directions do not
// match.
#pragma once

#include <cstdint>
#include <map>

#include "tools/from_code/learning/structure.hpp"

namespace warpfront::learning {

/// Returns the tag of each pattern of a message in the structure; patterns of different directions have different tags.
/// Returns no tags if no rank has two open requests that a closed axis of two ranks directs to one rank, or if the
/// patterns of some direction only send or only receive.
std::map<std::uint32_t, std::int32_t> direction_tags(const Structure& structure);

}  // namespace warpfront::learning
