#include "tests/campaign/choices.hpp"

#include <rapidcheck.h>

namespace warpfront::campaign {

namespace {

constexpr Purpose kCampaign{64};  // apart from every purpose of the simulator

/// Returns the hash FNV-1a, 64 bits.
std::uint64_t hash_of(const std::string& name) {
    std::uint64_t hash = 0xCBF29CE484222325;
    for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001B3;
    return hash;
}

}  // namespace

Choices::Choices(Seed seed, std::uint32_t trial) : seed_(seed), trial_(trial) {}

Choices::Choices(Fixed fixed) : drawn_(false), fixed_(std::move(fixed)) {}

template <typename Draw>
std::int64_t Choices::make(const std::string& name, std::int64_t least, std::int64_t most, const Draw& draw) {
    const bool again = std::any_of(made_.begin(), made_.end(), [&](const Choice& each) { return each.name == name; });
    if (again) throw std::logic_error("two choices are called " + name);
    std::int64_t value = least;
    if (drawn_) {
        Random random(seed_, kCampaign, trial_, hash_of(name));
        value = draw(random);
    } else if (const auto it = fixed_.find(name); it != fixed_.end()) {
        value = it->second;
    }
    value = std::clamp(value, least, std::max(least, most));
    made_.push_back({name, least, value});
    return value;
}

std::int64_t Choices::size(const std::string& name, std::int64_t least, std::int64_t most) {
    return make(name, least, most, [&](Random& random) {
        const double shift = least < 1 ? 1.0 - static_cast<double>(least) : 0.0;  // a logarithm begins at 1
        const double low = static_cast<double>(least) + shift;
        const double high = static_cast<double>(std::max(least, most)) + shift + 1.0;
        return static_cast<std::int64_t>(std::floor(low * std::pow(high / low, random.unit()) - shift));
    });
}

std::int64_t Choices::below(const std::string& name, std::int64_t count) {
    return make(name, 0, count - 1, [count](Random& random) {
        return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(count)));
    });
}

std::int64_t Choices::weighted(const std::string& name, std::initializer_list<double> weights) {
    const auto last = static_cast<std::int64_t>(weights.size()) - 1;
    return make(name, 0, last, [&](Random& random) {
        double left = random.unit() * std::accumulate(weights.begin(), weights.end(), 0.0);
        std::int64_t chosen = 0;
        for (const double weight : weights) {
            left -= weight;
            if (left < 0.0) break;
            ++chosen;
        }
        return std::min(chosen, last);
    });
}

bool Choices::chance(const std::string& name, double probability) {
    return make(name, 0, 1, [=](Random& random) { return random.unit() < probability ? 1 : 0; }) == 1;
}

Fixed fixed_of(std::span<const Choice> made) {
    Fixed fixed;
    for (const Choice& each : made) fixed[each.name] = each.value;
    return fixed;
}

std::vector<Choice> shrink(std::vector<Choice> made, const StillFails& still_fails,
                           const std::function<bool()>& go_on) {
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t at = 0; at < made.size(); ++at) {
            auto simpler = rc::shrink::towards(made[at].value, made[at].simplest);
            while (const auto value = simpler.next()) {
                if (!go_on()) return made;
                Fixed fixed = fixed_of(made);
                fixed[made[at].name] = *value;
                std::optional<std::vector<Choice>> still = still_fails(fixed);
                if (!still) continue;
                made = std::move(*still);
                changed = true;
                if (at >= made.size()) break;
                simpler = rc::shrink::towards(made[at].value, made[at].simplest);
            }
        }
    }
    return made;
}

}  // namespace warpfront::campaign
