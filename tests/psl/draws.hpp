// Numbers that look random and are the same on every run.
#pragma once

#include "tests/preamble.hpp"

namespace warpfront::psl {

/// SplitMix64 of a counter.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : counter_(seed * 1'000'003) {}
    std::size_t below(std::size_t limit) {
        std::uint64_t z = (++counter_) * 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
        return static_cast<std::size_t>((z ^ (z >> 31U)) % limit);
    }

private:
    std::uint64_t counter_;
};

}  // namespace warpfront::psl
