#include "simulator/collectives/patterns.hpp"

#include <bit>

namespace warpfront::collectives {

namespace {

enum class Stay : std::uint8_t { even, odd };

/// Members whose number is a power of two, after other members have left. The first members form pairs, and one of each
/// pair leaves. The remaining members are numbered in order.
class Core {
public:
    Core(std::uint32_t members, Stay stay)
        : power_(std::bit_floor(members)), pairs_(members - power_), odd_(stay == Stay::odd ? 1 : 0) {}

    std::uint32_t power() const { return power_; }
    bool has_pair(std::uint32_t member) const { return member < 2 * pairs_; }
    static std::uint32_t other_of_pair(std::uint32_t member) { return member ^ 1U; }
    std::optional<std::uint32_t> number(std::uint32_t member) const {
        if (!has_pair(member)) return member - pairs_;
        return member % 2 == odd_ ? std::optional(member / 2) : std::nullopt;
    }
    std::uint32_t member(std::uint32_t number) const { return number < pairs_ ? 2 * number + odd_ : number + pairs_; }
    /// Returns the first of the members whose data the remaining member with this number combines.
    std::uint32_t first(std::uint32_t number) const { return number < pairs_ ? 2 * number : number + pairs_; }

private:
    std::uint32_t power_;
    std::uint32_t pairs_;
    std::uint32_t odd_;
};

/// The blocks of a member: those that it still reduces, or has already put together again.
struct Window {
    std::uint32_t first = 0;
    std::uint32_t size = 0;

    /// Halves the window. A member keeps the upper half if `keeps_upper`, and the lower half otherwise. Returns the
    /// other half.
    Window halve(bool keeps_upper) {
        size /= 2;
        const Window upper{first + size, size};
        const Window lower{first, size};
        *this = keeps_upper ? upper : lower;
        return keeps_upper ? lower : upper;
    }
    void unite(bool was_upper) {
        if (was_upper) first -= size;
        size *= 2;
    }
};

/// Sends the data of members that leave to their partners. With `by_halves`, each of the two members keeps one half.
void enter(const Member& member, const Core& core, const Blocks& blocks, bool by_halves) {
    if (!core.has_pair(member.own)) return;
    const std::uint32_t pair = Core::other_of_pair(member.own);
    const bool stays = core.number(member.own).has_value();
    if (!by_halves) return stays ? member.receive(pair) : member.send(pair, blocks.all());
    const std::uint32_t half = core.power() / 2;
    const Range lower = blocks.range(0, half);
    const Range upper = blocks.range(half, half);
    member.exchange(pair, stays ? upper : lower);
    stays ? member.receive(pair) : member.send(pair, upper);
}

/// Reduces with the members at distance 1, 2, 4, ... Returns the block whose result this member has.
Window reduce_halves(const Member& member, const Core& core, const Blocks& blocks, std::uint32_t number) {
    Window window{0, core.power()};
    for (std::uint32_t bit = 1; bit < core.power(); bit *= 2) {
        const Window given = window.halve((number & bit) != 0);
        member.exchange(core.member(number ^ bit), blocks.range(given.first, given.size));
    }
    return window;
}

/// Gathers the results on the root. The root is one of the remaining members or replaces the first of them.
void gather_halves(const Member& member, const Core& core, const Blocks& blocks, std::optional<std::uint32_t> number,
                   Window window) {
    const std::uint32_t root = member.call.root;
    const bool outside = !core.number(root);
    const std::uint32_t first = core.member(0);
    if (outside && member.own == first) return member.send(root, blocks.range(window.first, window.size));
    if (outside && member.own == root) {
        member.receive(first);
        number = 0;
        window = {0, 1};
    }
    if (!number) return;
    const std::uint32_t goal = core.number(root).value_or(0);
    for (std::uint32_t bit = core.power() / 2; bit > 0; bit /= 2) {
        const std::uint32_t partner = *number ^ bit;
        const std::uint32_t to = outside && partner == 0 ? root : core.member(partner);
        if (partner / bit == goal / bit) return member.send(to, blocks.range(window.first, window.size));
        member.receive(to);
        window.unite((*number & bit) != 0);
    }
}

/// Returns the shares of all members whose data the window combines.
Range shares_of(const Core& core, const Blocks& shares, Window window) {
    const std::uint32_t first = core.first(window.first);
    return shares.range(first, core.first(window.first + window.size) - first);
}

std::uint32_t mirrored(std::uint32_t number, std::uint32_t power) {
    std::uint32_t other = 0;
    for (std::uint32_t bit = 1; bit < power; bit *= 2) other = 2 * other + ((number & bit) != 0 ? 1 : 0);
    return other;
}

}  // namespace

void allreduce_halving(const Member& member, bool by_halves) {
    const Core core(member.members, by_halves ? Stay::even : Stay::odd);
    const Blocks blocks = member.message(core.power());
    enter(member, core, blocks, by_halves);
    const std::optional<std::uint32_t> number = core.number(member.own);
    if (number) {
        Window window = reduce_halves(member, core, blocks, *number);
        for (std::uint32_t bit = core.power() / 2; bit > 0; bit /= 2) {
            member.exchange(core.member(*number ^ bit), blocks.range(window.first, window.size));
            window.unite((*number & bit) != 0);
        }
    }
    if (!core.has_pair(member.own)) return;
    const std::uint32_t pair = Core::other_of_pair(member.own);
    number ? member.send(pair, blocks.all()) : member.receive(pair);
}

void reduce_halving(const Member& member, bool by_halves) {
    const Core core(member.members, Stay::even);
    const Blocks blocks = member.message(core.power());
    enter(member, core, blocks, by_halves);
    const std::optional<std::uint32_t> number = core.number(member.own);
    const Window window = number ? reduce_halves(member, core, blocks, *number) : Window{};
    gather_halves(member, core, blocks, number, window);
}

void reduce_scatter_halving(const Member& member) {
    const Core core(member.members, Stay::odd);
    const Blocks shares = member.shares();
    enter(member, core, shares, false);
    const std::optional<std::uint32_t> number = core.number(member.own);
    Window window{0, core.power()};
    for (std::uint32_t bit = number ? core.power() / 2 : 0; bit > 0; bit /= 2) {
        const Window given = window.halve((*number & bit) != 0);
        member.exchange(core.member(*number ^ bit), shares_of(core, shares, given));
    }
    if (!core.has_pair(member.own)) return;
    const std::uint32_t pair = Core::other_of_pair(member.own);
    number ? member.send(pair, shares.range(pair, 1)) : member.receive(pair);
}

/// Performs the butterfly. After the halving, the results are on the members whose numbers have the bits in the
/// opposite order.
void reduce_scatter_butterfly(const Member& member) {
    const Core core(member.members, Stay::odd);
    const Blocks shares = member.shares();
    enter(member, core, shares, false);
    const std::optional<std::uint32_t> number = core.number(member.own);
    if (!number) return member.receive(core.member(mirrored(member.own / 2, core.power())));
    Window window{0, core.power()};
    for (std::uint32_t bit = 1; bit < core.power(); bit *= 2) {
        const Window given = window.halve((*number & bit) != 0);
        member.exchange(core.member(*number ^ bit), shares_of(core, shares, given));
    }
    const std::uint32_t owner = core.member(window.first);
    if (core.has_pair(owner)) {
        const std::uint32_t pair = Core::other_of_pair(owner);
        member.send(pair, shares.range(pair, 1));
    }
    if (owner != member.own) member.exchange(owner, shares.range(owner, 1));
}

}  // namespace warpfront::collectives
