// The data of members after a collective: each algorithm, on many numbers of members, powers of two or not.
//
// Not pinned here: the order of messages (collectives_test.cpp), and the choice of the algorithm (decisions_test.cpp).
#include <bit>

#include "tests/collectives/exchanged.hpp"

using namespace warpfront::collectives;

namespace {

const std::vector<std::uint32_t> kMembers{1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 16, 17, 24, 31, 33};

/// A case of one algorithm.
struct Trial {
    Kind kind = Kind::barrier;
    Algorithm algorithm = Algorithm::linear;
    std::uint32_t members = 1;
    std::uint32_t root = 0;
    std::int64_t elements = 1;  // of the message, or of the shares that are equal
    bool equal = true;          // shares

    std::int64_t share(std::uint32_t member) const { return equal ? elements : elements * (member % 3); }
    std::int64_t before(std::uint32_t member) const {
        std::int64_t sum = 0;
        for (std::uint32_t other = 0; other < member; ++other) sum += share(other);
        return sum;
    }
    bool has_shares() const {
        using enum Kind;
        const std::set<Kind> shared{gather,     gatherv,  scatter,   scatterv,      allgather,
                                    allgatherv, alltoall, alltoallv, reduce_scatter};
        return shared.contains(kind);
    }
    std::int64_t vector() const { return has_shares() ? before(members) : elements; }

    Collective call(std::uint32_t member) const {
        Collective made{kind, root, {share(kind == Kind::gatherv ? member : 0) * kElement}, {}, {kElement}};
        if (!has_shares()) made.bytes = {elements * kElement};
        if (kind == Kind::barrier) made.bytes = {};
        using enum Kind;
        const bool by_member = kind == gatherv || kind == scatterv || kind == allgatherv || kind == alltoallv ||
                               (kind == reduce_scatter && !equal);
        for (std::uint32_t other = 0; by_member && other < members; ++other) {
            made.shares.push_back({share(other) * kElement});
        }
        return made;
    }
    Schedule schedule() const {
        Algorithms algorithms;
        algorithms.set(kind, algorithm);
        return schedule_of([this](std::uint32_t member) { return call(member); }, algorithms, members);
    }
    std::string text() const {
        return std::string(name_of(kind)) + " by " + std::string(name_of(algorithm)) + ", " + std::to_string(members) +
               " members, root " + std::to_string(root) + ", " + std::to_string(elements) + " elements" +
               (equal ? "" : " times 0, 1, 2");
    }
};

std::int64_t elements(Bytes bytes) {
    if (bytes.count % kElement != 0) FAIL("a part of an element");
    return bytes.count / kElement;
}

/// Calls `visit` with each algorithm of the kinds, on all numbers of members.
template <class Visit>
void for_each_trial(const std::vector<Kind>& kinds, const Visit& visit) {
    using enum Kind;
    const std::set<Kind> rooted{bcast, reduce, gather, gatherv, scatter, scatterv};
    const std::set<Kind> varied{gatherv, scatterv, allgatherv, alltoallv, reduce_scatter};
    for (const Offer& offer : offers()) {
        if (std::ranges::find(kinds, offer.kind) == kinds.end()) continue;
        for (const Algorithm algorithm : offer.algorithms) {
            for (const std::uint32_t members : kMembers) {
                std::set<std::uint32_t> roots{0};
                if (rooted.contains(offer.kind)) roots = {0, members / 2};
                for (const std::uint32_t root : roots) {
                    // fewer elements than members, and so many that blocks differ
                    for (const std::int64_t elements : {std::int64_t{2}, std::int64_t{members + members / 2 + 1}}) {
                        Trial trial{offer.kind, algorithm, members, root, elements};
                        visit(trial);
                        if (!varied.contains(offer.kind)) continue;
                        trial.equal = false;
                        visit(trial);
                    }
                }
            }
        }
    }
}

/// A vector that all members have, with the contributions of each member to its elements. A message replaces a member's
/// element if the message contains all of the element's contributions, and is added if it contains none of them; one of
/// the two must hold.
class Vectors {
public:
    Vectors(const Trial& trial, Contributions complete)
        : trial_(trial),
          complete_(complete),
          own_(trial.members, std::vector<Contributions>(static_cast<std::size_t>(trial.vector()))),
          last_(trial.members) {}

    std::vector<Contributions>& of(std::uint32_t member) { return own_[member]; }
    void fill(std::uint32_t member, std::int64_t first, std::int64_t size, Contributions value) {
        std::fill_n(own_[member].begin() + first, size, value);
    }

    void run() {
        std::vector<Participant> participants;
        for (std::uint32_t member = 0; member < trial_.members; ++member) {
            participants.push_back({[this, member](const Exchange& step) { return send(member, step); },
                                    [this, member](std::uint32_t, const Message& got) { receive(member, got); }});
        }
        CHECK(perform(trial_.schedule(), participants) == "");
        CHECK(wrong_ == "");
    }

    bool complete(std::uint32_t member, std::int64_t first, std::int64_t size) const {
        return std::all_of(own_[member].begin() + first, own_[member].begin() + first + size,
                           [this](Contributions each) { return each == complete_; });
    }

private:
    /// A message, with the number of its first element in front.
    using Message = std::vector<Contributions>;

    Message send(std::uint32_t member, const Exchange& step) {
        // A reduce_scatter by doubling sends on what was received last; a member's own sums would count twice.
        const bool sends_on =
            trial_.kind == Kind::reduce_scatter && trial_.algorithm == Algorithm::recursive_doubling && !step.from;
        if (sends_on) {
            if (std::ssize(last_[member]) != elements(step.bytes) + 1) wrong_ = "sends on another size";
            return last_[member];
        }
        const auto at = static_cast<std::size_t>(elements(step.at));
        const auto size = static_cast<std::size_t>(elements(step.bytes));
        const std::vector<Contributions>& own = own_[member];
        Message message{at};
        for (std::size_t k = at; k < at + size; ++k) message.push_back(own[k < own.size() ? k : k - own.size()]);
        if (std::ranges::find(message.begin() + 1, message.end(), 0U) != message.end()) {
            wrong_ = "sends what it does not have";
        }
        return message;
    }

    void receive(std::uint32_t member, const Message& message) {
        std::vector<Contributions>& all = own_[member];
        for (std::size_t k = 1; k < message.size(); ++k) {
            const std::size_t at = message[0] + k - 1;
            Contributions& own = all[at < all.size() ? at : at - all.size()];
            if ((own & message[k]) != 0 && (own & ~message[k]) != 0) wrong_ = "counts twice";
            own |= message[k];
        }
        last_[member] = message;
    }

    const Trial& trial_;
    Contributions complete_;
    std::vector<std::vector<Contributions>> own_;
    std::vector<Message> last_;
    std::string wrong_;
};

Contributions bit(std::uint32_t member) { return Contributions{1} << member; }
Contributions all_of(std::uint32_t members) { return bit(members) - 1; }

}  // namespace

TEST_CASE("after a bcast, a scatter and an allgather each member has what is its own") {
    using enum Kind;
    for_each_trial({bcast, scatter, scatterv, gather, gatherv, allgather, allgatherv}, [](const Trial& trial) {
        CAPTURE(trial.text());
        Vectors vectors(trial, 1);
        const bool from_root = trial.kind == bcast || trial.kind == scatter || trial.kind == scatterv;
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            if (!from_root) vectors.fill(member, trial.before(member), trial.share(member), 1);
        }
        if (from_root) vectors.fill(trial.root, 0, trial.vector(), 1);
        vectors.run();
        const bool to_root = trial.kind == gather || trial.kind == gatherv;
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            if (to_root && member != trial.root) continue;
            const bool own_share = trial.kind == scatter || trial.kind == scatterv;
            CHECK(vectors.complete(member, own_share ? trial.before(member) : 0,
                                   own_share ? trial.share(member) : trial.vector()));
        }
    });
}

TEST_CASE("after a reduction every contribution is in the result, once") {
    using enum Kind;
    for_each_trial({reduce, allreduce, reduce_scatter}, [](const Trial& trial) {
        CAPTURE(trial.text());
        Vectors vectors(trial, all_of(trial.members));
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            vectors.fill(member, 0, trial.vector(), bit(member));
        }
        vectors.run();
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            if (trial.kind == reduce && member != trial.root) continue;
            const bool own_share = trial.kind == reduce_scatter;
            CHECK(vectors.complete(member, own_share ? trial.before(member) : 0,
                                   own_share ? trial.share(member) : trial.vector()));
        }
    });
}

TEST_CASE("after an alltoall each member has the share of each other one that is for it") {
    for_each_trial({Kind::alltoall, Kind::alltoallv}, [](const Trial& trial) {
        if (trial.algorithm == Algorithm::bruck) return;
        CAPTURE(trial.text());
        std::vector<Contributions> got(trial.members);
        std::vector<Participant> participants;
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            const auto send = [&trial](const Exchange& step) {
                CHECK(elements(step.bytes) == trial.share(*step.to));
                CHECK(elements(step.at) == trial.before(*step.to));
                return std::vector<Contributions>{};
            };
            const auto receive = [&got, member](std::uint32_t from, const std::vector<Contributions>&) {
                CHECK((got[member] & bit(from)) == 0);
                got[member] |= bit(from);
            };
            participants.push_back({send, receive});
        }
        CHECK(perform(trial.schedule(), participants) == "");
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            CHECK(got[member] == (all_of(trial.members) & ~bit(member)));
        }
    });
}

TEST_CASE("Bruck's alltoall: block k of each member comes to the one k further, by way of others") {
    for (const std::uint32_t members : kMembers) {
        CAPTURE(members);
        const Trial trial{Kind::alltoall, Algorithm::bruck, members, 0, 1};
        const Schedule schedule = trial.schedule();
        std::vector<std::vector<std::uint32_t>> block(members);  // whose it is, by member and number
        for (std::uint32_t member = 0; member < members; ++member) block[member].assign(members, member);
        std::vector<std::size_t> at(members);
        for (std::uint32_t far = 1; far < members; far *= 2) {
            const auto before = block;
            for (std::uint32_t member = 0; member < members; ++member) {
                const Exchange& step = schedule[member].at(at[member]++);
                CHECK(step.to == (member + far) % members);
                CHECK(step.from == (member + members - far) % members);
                std::int64_t sent = 0;
                for (std::uint32_t k = 1; k < members; ++k) {
                    if ((k & far) == 0) continue;
                    ++sent;
                    block[member][k] = before[*step.from][k];
                }
                CHECK(elements(step.bytes) == sent);
            }
        }
        for (std::uint32_t member = 0; member < members; ++member) {
            CHECK(at[member] == schedule[member].size());
            for (std::uint32_t k = 0; k < members; ++k) CHECK(block[member][k] == (member + members - k) % members);
        }
    }
}

TEST_CASE("after a scan a member has the contributions of all before it, and no others") {
    for_each_trial({Kind::scan, Kind::exscan}, [](const Trial& trial) {
        CAPTURE(trial.text());
        std::vector<Contributions> partial(trial.members);  // sent on; by hypercube also of members behind
        std::vector<Contributions> result(trial.members);
        for (std::uint32_t member = 0; member < trial.members; ++member) partial[member] = bit(member);
        std::vector<Participant> participants;
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            const auto send = [&, member](const Exchange& step) {
                CHECK(elements(step.bytes) == trial.elements);
                return std::vector<Contributions>{partial[member]};
            };
            const auto receive = [&, member](std::uint32_t from, const std::vector<Contributions>& got) {
                if (trial.algorithm != Algorithm::linear) {
                    CHECK((partial[member] & got[0]) == 0);
                    partial[member] |= got[0];
                }
                if (from < member) result[member] |= got[0];
            };
            participants.push_back({send, receive});
        }
        CHECK(perform(trial.schedule(), participants) == "");
        for (std::uint32_t member = 0; member < trial.members; ++member) CHECK(result[member] == bit(member) - 1);
    });
}

TEST_CASE("no member leaves a barrier before all have come to it") {
    for_each_trial({Kind::barrier}, [](const Trial& trial) {
        CAPTURE(trial.text());
        std::vector<Contributions> known(trial.members);
        std::vector<Participant> participants;
        for (std::uint32_t member = 0; member < trial.members; ++member) {
            known[member] = bit(member);
            participants.push_back(
                {[&known, member](const Exchange& step) {
                     CHECK(step.bytes == Bytes{});
                     return std::vector<Contributions>{known[member]};
                 },
                 [&known, member](std::uint32_t, const std::vector<Contributions>& got) { known[member] |= got[0]; }});
        }
        CHECK(perform(trial.schedule(), participants) == "");
        for (const Contributions each : known) CHECK(each == all_of(trial.members));
    });
}

TEST_CASE("no algorithm needs a send that ends before its receive is posted") {
    std::vector<Kind> all;
    for (const Offer& offer : offers()) all.push_back(offer.kind);
    for_each_trial(all, [](const Trial& trial) {
        CAPTURE(trial.text());
        CHECK(ends_by_rendezvous(trial.schedule()));
    });
}

namespace {

/// Returns the bytes that all members send, with 8 B elements.
std::int64_t sent(Kind kind, Algorithm algorithm, std::uint32_t members, std::int64_t elements_each) {
    std::int64_t sum = 0;
    const Trial trial{kind, algorithm, members, 0, elements_each};
    for (const auto& steps : trial.schedule()) {
        for (const Exchange& step : steps) sum += step.to ? step.bytes.count : 0;
    }
    return sum;
}

}  // namespace

TEST_CASE("an allreduce moves 2 n (P - 1) bytes by ring, as many by halves on powers of two, n P log2 P by doubling") {
    using enum Algorithm;
    for (const std::uint32_t members : {2U, 4U, 8U, 16U, 32U}) {
        CAPTURE(members);
        const std::int64_t n = 96 * kElement;  // a multiple of every P
        const std::int64_t others = members - 1;
        CHECK(sent(Kind::allreduce, ring, members, 96) == 2 * n * others);
        CHECK(sent(Kind::allreduce, rabenseifner, members, 96) == 2 * n * others);
        CHECK(sent(Kind::allreduce, halving_doubling, members, 96) == 2 * n * others);
        CHECK(sent(Kind::allreduce, recursive_doubling, members, 96) == n * members * std::countr_zero(members));
    }
    CHECK(sent(Kind::allreduce, ring, 7, 70) == 2 * 560 * 6);
    // 4 of 6 members remain: 2 pairs exchange halves (4 n / 2), the odd ones send a half (2 n / 2) and get all (2 n).
    CHECK(sent(Kind::allreduce, rabenseifner, 6, 96) == 768 * (2 + 1 + 2) + 2 * 768 * 3);
    // Or the even ones send all and get all.
    CHECK(sent(Kind::allreduce, halving_doubling, 6, 96) == 768 * (2 + 2) + 2 * 768 * 3);
}

TEST_CASE("an allgather moves the share of each member to each other one, whatever the algorithm") {
    using enum Algorithm;
    for (const std::uint32_t members : {2U, 6U, 8U, 13U, 32U}) {
        for (const Algorithm algorithm : {ring, linear, bruck, recursive_doubling, neighbour_exchange}) {
            CAPTURE(members);
            CAPTURE(name_of(algorithm));
            CHECK(sent(Kind::allgather, algorithm, members, 5) == 5 * kElement * members * (members - 1));
        }
    }
}

TEST_CASE("a reduce_scatter moves (P - 1) results from each member, more if it folds, goes through one, or doubles") {
    using enum Algorithm;
    const std::int64_t share = 5 * kElement;
    for (const Algorithm algorithm : {pairwise, ring}) {
        CHECK(sent(Kind::reduce_scatter, algorithm, 8, 5) == 8 * 7 * share);
        CHECK(sent(Kind::reduce_scatter, algorithm, 13, 5) == 13 * 12 * share);
    }
    CHECK(sent(Kind::reduce_scatter, recursive_halving, 8, 5) == 8 * 7 * share);
    // By mirrored numbers 1 and 4, 3 and 6 exchange their own elements.
    CHECK(sent(Kind::reduce_scatter, butterfly, 8, 5) == (8 * 7 + 4) * share);
    // 6 members: two send all 6 and get 1; four halve blocks of 2, 2, 1, 1.
    CHECK(sent(Kind::reduce_scatter, recursive_halving, 6, 5) ==
          (2 * 6 + 2 * 1 + (2 * 2 + 2 * 4) + (2 * 2 + 2 * 1)) * share);
    // By doubling each sends all but its group: 7 + 6 + 4.
    CHECK(sent(Kind::reduce_scatter, recursive_doubling, 8, 5) == 8 * (7 + 6 + 4) * share);
}

TEST_CASE("a bcast by scatter moves n P / 2 log2 P / P bytes down the tree and n (P - 1) around") {
    for (const Algorithm algorithm : {Algorithm::scatter_allgather, Algorithm::scatter_ring}) {
        CHECK(sent(Kind::bcast, algorithm, 8, 64) == 512 * 3 / 2 + 512 * 7);
    }
    for (const Algorithm algorithm : {Algorithm::binomial, Algorithm::binomial_doubling, Algorithm::knomial,
                                      Algorithm::binary, Algorithm::chain, Algorithm::linear}) {
        CHECK(sent(Kind::bcast, algorithm, 8, 64) == 512 * 7);
    }
    // Halves down a tree of 8, and 3 pairs exchange theirs; the last one gets the other from the root.
    CHECK(sent(Kind::bcast, Algorithm::split_binary, 8, 64) == 256 * 7 + 256 * 6 + 256);
}

TEST_CASE("a reduction by halves gathers the blocks of the result") {
    // n (P - 1) in the halving, and n / 2 log2 P to the root.
    for (const Algorithm algorithm : {Algorithm::rabenseifner, Algorithm::halving_doubling}) {
        CHECK(sent(Kind::reduce, algorithm, 8, 64) == 512 * 7 + 512 * 3 / 2);
    }
}
