#include "simulator/results/digest.hpp"

#include <array>

#include "simulator/input/sha256.hpp"

namespace warpfront::results {

std::string digest(std::span<const WideTime> rank_finish) {
    input::Sha256 hash;
    std::array<char, sizeof(Wide)> bytes{};
    for (const WideTime time : rank_finish) {
        Wide rest = time.ps;
        for (char& byte : bytes) {
            byte = static_cast<char>(static_cast<unsigned char>(rest & 0xFF));
            rest >>= 8;
        }
        hash.update({bytes.data(), bytes.size()});
    }
    return hash.hex();
}

}  // namespace warpfront::results
