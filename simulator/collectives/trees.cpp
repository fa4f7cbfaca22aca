#include "simulator/collectives/patterns.hpp"

#include <bit>
#include <vector>

namespace warpfront::collectives {

namespace {

/// The parent and the children of a position in a tree. Position 0 is the root.
struct Place {
    std::optional<std::uint32_t> parent;
    std::vector<std::uint32_t> children;  // in the order of the messages to them
};

Place in_doubling(std::uint32_t position, std::uint32_t members) {
    Place place;
    if (position > 0) place.parent = position ^ std::bit_floor(position);
    for (std::uint64_t bit = std::bit_floor(std::uint64_t{position}) * 2 + (position == 0 ? 1 : 0);
         position + bit < members; bit *= 2) {
        place.children.push_back(static_cast<std::uint32_t>(position + bit));
    }
    return place;
}

/// Returns the neighbours in a k-nomial tree with Open MPI's default radix.
Place in_knomial(std::uint32_t position, std::uint32_t members) {
    constexpr std::uint64_t kRadix = 4;
    Place place;
    std::uint64_t far = 1;
    while (far < members && position % (kRadix * far) == 0) far *= kRadix;
    if (far < members) place.parent = static_cast<std::uint32_t>(position / (kRadix * far) * (kRadix * far));
    for (far /= kRadix; far > 0; far /= kRadix) {
        for (std::uint64_t digit = 1; digit < kRadix; ++digit) {
            if (position + digit * far < members) {
                place.children.push_back(static_cast<std::uint32_t>(position + digit * far));
            }
        }
    }
    return place;
}

/// Returns the neighbours in a binary tree. Level l has 2^l positions, from 2^l - 1 on. Odd positions are below
/// position 1, and even positions are below position 2.
Place in_binary(std::uint32_t position, std::uint32_t members) {
    Place place;
    const std::uint64_t width = std::bit_floor(std::uint64_t{position} + 1);
    if (position > 0) {
        const std::uint64_t above = width / 2;  // number of positions on the parent's level
        const bool left = position - above < width - 1;
        place.parent = static_cast<std::uint32_t>(position - (left ? above : 2 * above));
    }
    for (const std::uint64_t child : {position + width, position + 2 * width}) {
        if (child < members) place.children.push_back(static_cast<std::uint32_t>(child));
    }
    return place;
}

Place in_chain(std::uint32_t position, std::uint32_t members) {
    Place place;
    if (position > 0) place.parent = position - 1;
    if (position + 1 < members) place.children.push_back(position + 1);
    return place;
}

/// Returns the neighbours of a member (not a position) in a binary tree that keeps the order of operands. The last
/// member is the root. Of the other members, the second half is the left subtree, and the first half is the right
/// subtree. The root of a subtree is its last member.
Place in_order(std::uint32_t own, std::uint32_t members) {
    Place place;
    std::uint32_t first = 0;
    std::uint32_t size = members;
    while (true) {
        const std::uint32_t root = first + size - 1;
        const std::uint32_t right = size / 2;  // number of members in the right subtree, which are the first ones
        const std::uint32_t left_root = root - 1;
        const std::uint32_t right_root = first + right - 1;
        const bool has_left = size > 1;
        const bool has_right = size > 2;
        if (own == root) {
            if (has_left) place.children.push_back(left_root);
            if (has_right) place.children.push_back(right_root);
            return place;
        }
        const bool in_right = has_right && own <= right_root;
        place.parent = root;
        if (in_right) {
            size = right;
        } else {
            const std::uint32_t taken = has_right ? right : 0;
            first += taken;
            size -= taken + 1;
        }
    }
}

Place place_of(Algorithm algorithm, std::uint32_t position, std::uint32_t members) {
    if (algorithm == Algorithm::binomial_doubling) return in_doubling(position, members);
    if (algorithm == Algorithm::knomial) return in_knomial(position, members);
    return algorithm == Algorithm::binary ? in_binary(position, members) : in_chain(position, members);
}

/// Returns the number of members in the subtree of a position whose lowest bit is `bit`. This is `bit`, or fewer in the
/// last subtree.
std::uint64_t subtree(const Member& member, std::uint64_t position, std::uint64_t bit) {
    return std::min(bit, member.members - position);
}

/// Sends data from the root to the leaves of a binomial tree. The root has position 0. The parent of a position is the
/// position without its lowest bit. `data` is called with a child's position and its lowest bit.
template <class Data>
void down(const Member& member, const Data& data) {
    const std::uint32_t position = member.position();
    std::uint64_t bit =
        position == 0 ? std::bit_ceil(std::uint64_t{member.members}) : position & -std::uint64_t{position};
    if (position != 0) member.receive(member.at(position - bit));
    for (bit /= 2; bit > 0; bit /= 2) {
        if (position + bit < member.members) member.send(member.at(position + bit), data(position + bit, bit));
    }
}

template <class Data>
void up(const Member& member, const Data& data) {
    const std::uint32_t position = member.position();
    for (std::uint64_t bit = 1; bit < member.members; bit *= 2) {
        if ((position & bit) != 0) return member.send(member.at(position - bit), data(position, bit));
        if (position + bit < member.members) member.receive(member.at(position + bit));
    }
}

}  // namespace

void spread_tree(const Member& member, Algorithm algorithm) {
    const Place place = place_of(algorithm, member.position(), member.members);
    if (place.parent) member.receive(member.at(*place.parent));
    for (const std::uint32_t child : place.children) member.begin_send(member.at(child), member.whole());
    if (!place.children.empty()) member.await_all();
}

void collect_tree(const Member& member, Algorithm algorithm) {
    const bool ordered = algorithm == Algorithm::in_order_binary;
    const std::uint32_t last = member.members - 1;
    const auto rank_of = [&](std::uint32_t of_tree) { return ordered ? of_tree : member.at(of_tree); };
    const Place place =
        ordered ? in_order(member.own, member.members) : place_of(algorithm, member.position(), member.members);
    for (const std::uint32_t child : place.children) member.begin_receive(rank_of(child));
    if (!place.children.empty()) member.await_all();
    if (place.parent) member.send(rank_of(*place.parent), member.whole());
    if (!ordered || member.call.root == last) return;
    if (member.own == last) member.send(member.call.root, member.whole());
    if (member.own == member.call.root) member.receive(last);
}

void spread_binomial(const Member& member) {
    down(member, [&](auto, auto) { return member.whole(); });
}

void collect_binomial(const Member& member) {
    up(member, [&](auto, auto) { return member.whole(); });
}

void scatter_binomial(const Member& member) {
    const Blocks shares = member.shares();
    down(member, [&](std::uint64_t position, std::uint64_t bit) {
        return shares.range(member.at(position), subtree(member, position, bit));
    });
}

void gather_binomial(const Member& member) {
    const Blocks shares = member.shares();
    up(member, [&](std::uint64_t position, std::uint64_t bit) {
        return shares.range(member.at(position), subtree(member, position, bit));
    });
}

void scatter_message(const Member& member) {
    const Blocks blocks = member.message(member.members);
    down(member, [&](std::uint64_t position, std::uint64_t bit) {
        return blocks.range(position, subtree(member, position, bit));
    });
}

/// Performs a bcast by split_binary. Odd positions are below position 1 and receive the first half. Even positions are
/// below position 2 and receive the second half. Then neighbouring positions exchange their halves. If the number of
/// members is even, the last position has no neighbour and receives the other half from the root.
void spread_split_binary(const Member& member) {
    const std::uint32_t position = member.position();
    const Blocks halves = member.message(2);
    const auto half_of = [&](std::uint32_t of) { return halves.range((of + 1) % 2, 1); };
    const Place place = in_binary(position, member.members);
    if (place.parent) member.receive(member.at(*place.parent));
    for (const std::uint32_t child : place.children) member.send(member.at(child), half_of(child));
    const std::uint32_t last = member.members - 1;
    if (member.members % 2 == 0 && (position == 0 || position == last)) {
        return position == 0 ? member.send(member.at(last), halves.range(1, 1)) : member.receive(member.at(0));
    }
    if (position == 0) return;
    member.exchange(member.at(position % 2 == 1 ? position + 1 : position - 1), half_of(position));
}

}  // namespace warpfront::collectives
