// Percent: of a difference to what is compared with, or of a share of a whole.
#pragma once

namespace warpfront {

struct Percent {
    double value = 0.0;
};

}  // namespace warpfront
