// Percent: of a difference relative to a reference, or of a share of a whole.
#pragma once

namespace warpfront {

struct Percent {
    double value = 0.0;
};

}  // namespace warpfront
