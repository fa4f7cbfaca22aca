// The data of a collective, divided into blocks. Blocks are numbered on a circle: the first block follows the last.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "simulator/units/bytes.hpp"
#include "simulator/units/time.hpp"

namespace warpfront::collectives {

/// A range of bytes in a vector. It may continue at the beginning of the vector after its end.
struct Range {
    Bytes at;
    Bytes size;
};

/// Returns the size, or the largest 64-bit size if it is larger. A message of that size exceeds virtual time and causes
/// an error.
inline Bytes bounded(Wide bytes) {
    return {static_cast<std::int64_t>(std::min<Wide>(bytes, std::numeric_limits<std::int64_t>::max()))};
}

class Blocks {
public:
    static Blocks equal(Bytes each, std::uint32_t blocks) { return {each, 1, 0, blocks}; }
    /// Divides `elements` of `element` bytes into blocks. Sizes of blocks differ by one element at most, and larger
    /// blocks come first.
    static Blocks divided(Bytes element, std::int64_t elements, std::uint32_t blocks) {
        return {element, elements / blocks, elements % blocks, blocks};
    }
    /// Returns one block for each share.
    static Blocks of(std::span<const Bytes> shares) {
        Blocks blocks{{}, 0, 0, static_cast<std::uint32_t>(shares.size())};
        blocks.begins_.push_back(0);
        for (const Bytes share : shares) blocks.begins_.push_back(blocks.begins_.back() + share.count);
        return blocks;
    }

    std::uint32_t count() const { return blocks_; }
    Range all() const { return range(0, blocks_); }
    /// Returns the bytes of the given number of blocks from `first` on, at most of all blocks.
    Range range(std::uint64_t first, std::uint64_t blocks) const {
        first %= blocks_;
        const std::uint64_t end = first + blocks;
        const Wide at = begin(first);
        const Wide size = end <= blocks_ ? begin(end) - at : begin(blocks_) - at + begin(end - blocks_);
        return {bounded(at), bounded(size)};
    }

private:
    Blocks(Bytes element, std::int64_t each, std::int64_t more, std::uint32_t blocks)
        : element_(element), each_(each), more_(more), blocks_(blocks) {}

    Wide begin(std::uint64_t block) const {
        if (!begins_.empty()) return begins_[block];
        const auto number = static_cast<std::int64_t>(block);
        return Wide{element_.count} * (Wide{number} * each_ + std::min(number, more_));
    }

    Bytes element_;
    std::int64_t each_;  // elements of a block
    std::int64_t more_;  // number of blocks with one element more
    std::uint32_t blocks_;
    std::vector<Wide> begins_;  // first byte of each block, and the end; empty if all shares are equal
};

}  // namespace warpfront::collectives
