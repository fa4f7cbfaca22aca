#include "tests/campaign/shrink.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace warpfront::campaign {

namespace {

class Shrinking {
public:
    Shrinking(std::vector<Choice> made, const StillFails& still_fails, const std::function<bool()>& go_on)
        : made_(std::move(made)), still_fails_(still_fails), go_on_(go_on) {}

    /// Shrinks until a whole pass changes nothing.
    std::vector<Choice> run() {
        while (pass()) {}
        return std::move(made_);
    }

private:
    bool pass() {
        bool changed = false;
        for (std::size_t at = 0; at < made_.size(); ++at) changed = lower(at) || changed;
        return changed;
    }

    /// Tries the simplest value first, then steps towards it, each half of the last.
    bool lower(std::size_t at) {
        const std::int64_t before = made_[at].value;
        if (before == made_[at].simplest) return false;
        if (attempt(at, made_[at].simplest)) return true;
        bool changed = false;
        for (std::int64_t step = (before - made_[at].simplest) / 2; step > 0; step /= 2) {
            while (at < made_.size() && made_[at].value - step > made_[at].simplest &&
                   attempt(at, made_[at].value - step)) {
                changed = true;
            }
            if (at >= made_.size()) break;
        }
        return changed;
    }

    bool attempt(std::size_t at, std::int64_t value) {
        if (!go_on_()) return false;
        Fixed fixed = fixed_of(made_);
        fixed[made_[at].name] = value;
        auto made = still_fails_(fixed);
        if (!made) return false;
        made_ = std::move(*made);
        return true;
    }

    std::vector<Choice> made_;
    const StillFails& still_fails_;
    const std::function<bool()>& go_on_;
};

}  // namespace

std::vector<Choice> shrink(std::vector<Choice> made, const StillFails& still_fails,
                           const std::function<bool()>& go_on) {
    return Shrinking(std::move(made), still_fails, go_on).run();
}

}  // namespace warpfront::campaign
