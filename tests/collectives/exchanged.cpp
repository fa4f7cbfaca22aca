#include "tests/collectives/exchanged.hpp"

namespace warpfront::test {

using collectives::Exchange;

Schedule schedule_of(const std::function<collectives::Collective(std::uint32_t)>& call,
                     const collectives::Algorithms& algorithms, std::uint32_t members) {
    Schedule schedule(members);
    for (std::uint32_t member = 0; member < members; ++member) {
        collectives::for_each_exchange(call(member), algorithms, member, members,
                                       [&](const Exchange& step) { schedule[member].push_back(step); });
    }
    return schedule;
}

namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // sender, receiver

/// A member and its progress through its exchanges.
class Eager {
public:
    Eager(const Schedule& schedule, const std::vector<Participant>& participants)
        : schedule_(schedule),
          participants_(participants),
          at_(schedule.size()),
          sent_(schedule.size()),
          begun_(schedule.size()) {}

    std::string run() {
        while (std::exchange(moved_, false)) {
            for (std::uint32_t member = 0; member < at_.size(); ++member) {
                while (step(member)) moved_ = true;
            }
        }
        for (std::uint32_t member = 0; member < at_.size(); ++member) {
            if (at_[member] < schedule_[member].size()) return "member " + std::to_string(member) + " waits for ever";
            if (!begun_[member].empty()) return "member " + std::to_string(member) + " has receives that never end";
        }
        for (const auto& [pair, messages] : open_) {
            if (!messages.empty()) return "a message to member " + std::to_string(pair.second) + " is never received";
        }
        return "";
    }

private:
    bool step(std::uint32_t member) {
        if (at_[member] == schedule_[member].size()) return false;
        const Exchange& now = schedule_[member][at_[member]];
        if (now.to && !sent_[member]) {
            open_[{member, *now.to}].push(participants_[member].sends(now));
            sent_[member] = moved_ = true;
        }
        if (now.waits()) {
            while (!begun_[member].empty() && take(member, begun_[member].front())) begun_[member].pop();
            if (!begun_[member].empty()) return false;
        } else if (now.from && now.begins) {
            begun_[member].push(*now.from);
        } else if (now.from && !take(member, *now.from)) {
            return false;
        }
        sent_[member] = false;
        ++at_[member];
        return true;
    }

    bool take(std::uint32_t member, std::uint32_t from) {
        auto& messages = open_[{from, member}];
        if (messages.empty()) return false;
        participants_[member].receives(from, messages.front());
        messages.pop();
        return true;
    }

    bool moved_ = true;
    const Schedule& schedule_;
    const std::vector<Participant>& participants_;
    std::vector<std::size_t> at_;
    std::vector<bool> sent_;  // the message of the exchange at hand
    std::vector<std::queue<std::uint32_t>> begun_;
    std::map<Pair, std::queue<std::vector<Contributions>>> open_;
};

class Rendezvous {
public:
    explicit Rendezvous(const Schedule& schedule)
        : schedule_(schedule), at_(schedule.size()), entered_(schedule.size()), waited_(schedule.size()) {}

    bool run() {
        while (std::exchange(moved_, false)) {
            for (std::uint32_t member = 0; member < at_.size(); ++member) {
                while (step(member)) moved_ = true;
            }
        }
        for (std::uint32_t member = 0; member < at_.size(); ++member) {
            if (at_[member] < schedule_[member].size()) return false;
        }
        return true;
    }

private:
    struct Half {
        bool sends;
        Pair pair;
        std::size_t number;  // of the message of its pair
    };

    /// Returns true if a half is done: a receive once its send has begun, a send once its receive is posted.
    bool done(const Half& half) { return half.number < (half.sends ? posted_[half.pair] : begun_[half.pair]); }

    bool step(std::uint32_t member) {
        if (at_[member] == schedule_[member].size()) return false;
        const Exchange& now = schedule_[member][at_[member]];
        std::vector<Half>& waited = waited_[member];
        if (!entered_[member]) {
            entered_[member] = moved_ = true;
            if (now.from) {
                const Pair pair{*now.from, member};
                waited.push_back({false, pair, posted_[pair]++});
            }
            if (now.to) {
                const Pair pair{member, *now.to};
                waited.push_back({true, pair, begun_[pair]++});
            }
        }
        if (!now.begins) {
            for (const Half& half : waited) {
                const bool of_now = (half.sends && now.to && half.pair == Pair{member, *now.to}) ||
                                    (!half.sends && now.from && half.pair == Pair{*now.from, member});
                if ((now.waits() || of_now) && !done(half)) return false;
            }
            std::erase_if(waited, [&](const Half& half) { return done(half); });
        }
        entered_[member] = false;
        ++at_[member];
        return true;
    }

    bool moved_ = true;
    const Schedule& schedule_;
    std::vector<std::size_t> at_;
    std::vector<bool> entered_;
    std::vector<std::vector<Half>> waited_;
    std::map<Pair, std::size_t> posted_;
    std::map<Pair, std::size_t> begun_;
};

}  // namespace

std::string perform(const Schedule& schedule, const std::vector<Participant>& participants) {
    return Eager(schedule, participants).run();
}

bool ends_by_rendezvous(const Schedule& schedule) { return Rendezvous(schedule).run(); }

}  // namespace warpfront::test
