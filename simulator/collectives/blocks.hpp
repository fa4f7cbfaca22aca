// The vector of a collective in blocks. They are numbered on a circle: behind the last comes the first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "simulator/units/bytes.hpp"

namespace warpfront::collectives {

/// A part of a vector, which may pass its end and go on at its beginning.
struct Range {
    Bytes at;
    Bytes size;
};

class Blocks {
public:
    static Blocks equal(Bytes each, std::uint32_t blocks) { return {each, 1, 0, blocks}; }
    /// Of `elements` of `element` bytes; blocks differ by one element at most, the larger ones first.
    static Blocks divided(Bytes element, std::int64_t elements, std::uint32_t blocks) {
        return {element, elements / blocks, elements % blocks, blocks};
    }
    /// A block for each share.
    static Blocks of(std::span<const Bytes> shares) {
        Blocks blocks{{}, 0, 0, static_cast<std::uint32_t>(shares.size())};
        blocks.begins_.push_back({});
        for (const Bytes share : shares) blocks.begins_.push_back(blocks.begins_.back() + share);
        return blocks;
    }

    std::uint32_t count() const { return blocks_; }
    Range all() const { return range(0, blocks_); }
    /// So many blocks from `first`, at most all.
    Range range(std::uint64_t first, std::uint64_t blocks) const {
        first %= blocks_;
        const std::uint64_t end = first + blocks;
        const Bytes at = begin(first);
        if (end <= blocks_) return {at, {begin(end).count - at.count}};
        return {at, {begin(blocks_).count - at.count + begin(end - blocks_).count}};
    }

private:
    Blocks(Bytes element, std::int64_t each, std::int64_t more, std::uint32_t blocks)
        : element_(element), each_(each), more_(more), blocks_(blocks) {}

    Bytes begin(std::uint64_t block) const {
        if (!begins_.empty()) return begins_[block];
        const auto number = static_cast<std::int64_t>(block);
        return {element_.count * (number * each_ + std::min(number, more_))};
    }

    Bytes element_;
    std::int64_t each_;  // elements
    std::int64_t more_;  // blocks with one more
    std::uint32_t blocks_;
    std::vector<Bytes> begins_;  // where shares differ; the last is the end
};

}  // namespace warpfront::collectives
