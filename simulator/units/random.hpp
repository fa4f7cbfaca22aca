// Random numbers that depend only on their purpose. The generator is counter-based: a number has the same value
// whenever it is drawn, in any order and by any thread.
//
// Philox4x32-10 (Salmon, Moraes, Dror & Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"): ten rounds of
//   (x0, x1, x2, x3) <- (high(M1 x2) ^ x1 ^ k0, low(M1 x2), high(M0 x0) ^ x3 ^ k1, low(M0 x0))
// between which the key grows by (W0, W1). Only integers are used, so every compiler and processor agrees.
//
// A stream is named by (seed, purpose, a, b). The seed is the key. The other three, with the number of the block drawn,
// are the counter:
//   key = seed   counter = (low b, high b, a, block * 2^16 + purpose)
// So no two streams of a seed share a block. A stream repeats after 2^17 numbers, so it serves a few draws only.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpfront {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Returns the block of four random words for `counter` and `key`.
constexpr PhiloxCounter philox(PhiloxCounter counter, PhiloxKey key) {
    constexpr std::uint64_t kM0 = 0xD2511F53, kM1 = 0xCD9E8D57;
    constexpr std::uint32_t kW0 = 0x9E3779B9, kW1 = 0xBB67AE85;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t first = kM0 * counter[0];
        const std::uint64_t second = kM1 * counter[2];
        counter = {static_cast<std::uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(second),
                   static_cast<std::uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(first)};
        key[0] += kW0;
        key[1] += kW1;
    }
    return counter;
}

/// The seed, which a user varies for another run with the same statistics.
struct Seed {
    std::uint64_t value = 0;
    friend constexpr bool operator==(Seed, Seed) = default;
};

/// The purpose of a stream. Results depend on these values, so never change one.
enum class Purpose : std::uint16_t {
    placement = 1,
    taken_hosts = 2,
    topology = 3,
    intermediate = 4,
    compute_noise = 16,
    periodic_phase = 17,
    speed_class = 18,
    cores_there = 19,
    interruptions = 20,
    figure = 32,
};

/// The numbers of one stream, one after another.
class Random {
public:
    constexpr Random(Seed seed, Purpose purpose, std::uint32_t a, std::uint64_t b)
        : key_{static_cast<std::uint32_t>(seed.value), static_cast<std::uint32_t>(seed.value >> 32)},
          counter_{static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(b >> 32), a,
                   static_cast<std::uint32_t>(purpose)} {}

    /// Returns 64 uniform bits: the two halves of a block, low word first.
    constexpr std::uint64_t bits() {
        if (!half_left_) {
            block_ = philox(counter_, key_);
            counter_[3] += std::uint32_t{1} << 16;
        }
        half_left_ = !half_left_;
        const std::size_t low = half_left_ ? 0 : 2;
        return std::uint64_t{block_[low + 1]} << 32 | block_[low];
    }
    /// Returns a uniform number in [0, 1), a multiple of 2^-53.
    constexpr double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
    /// Returns a uniform integer in 0 .. bound - 1; `bound` is not 0. All results are equally likely: bits from the
    /// incomplete last multiple of `bound` are drawn again.
    constexpr std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t left_over = (0 - bound) % bound;  // 2^64 mod bound
        for (;;) {
            const std::uint64_t drawn = bits();
            if (drawn >= left_over) return drawn % bound;
        }
    }

private:
    PhiloxKey key_;
    PhiloxCounter counter_;
    PhiloxCounter block_{};
    bool half_left_ = false;
};

}  // namespace warpfront
