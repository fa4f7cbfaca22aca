// The processor of a machine: the achieved rate of one core on the kind of code that is predicted, such as 110 Mflop/s
// on Sweep3D. It is a measured rate and not the peak. Only the ratio of two machines' rates is used, to carry computing
// times from one machine to another (simulator/scenario/measured_times.hpp states the law).
#pragma once

#include <string>

#include "simulator/units/rate.hpp"

namespace warpfront::machine {

struct Processor {
    std::string name;  // for messages; may be empty
    FlopRate speed;    // of one core, kSlowestProcessor to kFastestProcessor
};

/// Within these bounds the ratio of two speeds, and a time multiplied by it, are finite.
inline constexpr FlopRate kSlowestProcessor{1.0};
inline constexpr FlopRate kFastestProcessor{1e21};

}  // namespace warpfront::machine
