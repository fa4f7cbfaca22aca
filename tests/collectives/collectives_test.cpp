// Collectives as messages.
//
// Not pinned here: the data that arrive (data_test.cpp); the choice of an algorithm (decisions_test.cpp) and its
// configuration in a hardware file (tests/loading/hardware_file_test.cpp); the ranks that take part, and the
// instructions that exchanges become (tests/psl/collectives_test.cpp, tests/trace); times (tests/engine).
#include "simulator/collectives/exchanges.hpp"

#include "simulator/collectives/recursive_doubling.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::collectives;
using collectives::RecursiveDoubling;

namespace {

Collective collective(Kind kind, std::uint32_t root, std::uint32_t ranks) {
    Collective made{kind, root, {100}};
    const bool shared = kind == Kind::allgatherv || kind == Kind::alltoallv;
    for (std::uint32_t rank = 0; shared && rank < ranks; ++rank) made.shares.push_back({rank + 1});
    return made;
}

std::vector<Exchange> exchanges(const Collective& made, std::uint32_t rank, std::uint32_t ranks,
                                const Algorithms& algorithms = {}) {
    std::vector<Exchange> all;
    for_each_exchange(made, algorithms, rank, ranks, [&all](const Exchange& step) { all.push_back(step); });
    return all;
}

const std::vector<Kind> kAll{Kind::barrier, Kind::bcast,          Kind::reduce,     Kind::allreduce, Kind::gather,
                             Kind::gatherv, Kind::allgather,      Kind::allgatherv, Kind::alltoall,  Kind::alltoallv,
                             Kind::scatter, Kind::reduce_scatter, Kind::scan,       Kind::exscan};

/// Returns every available algorithm, with defaults for the others, and those of the libraries.
std::vector<Algorithms> every_choice() {
    std::vector<Algorithms> all;
    for (const Library library : {Library::smpi, Library::open_mpi, Library::mpich}) {
        all.push_back(Algorithms::like(library));
    }
    for (const Offer& offer : offers()) {
        for (const Algorithm algorithm : offer.algorithms) {
            all.emplace_back();
            all.back().set(offer.kind, algorithm);
        }
    }
    return all;
}

}  // namespace

TEST_CASE("there are never more exchanges than the limit, and every started exchange is waited for") {
    for (const Algorithms& algorithms : every_choice()) {
        for (const Kind kind : kAll) {
            for (const std::uint32_t ranks : {1U, 2U, 3U, 8U, 13U}) {
                for (std::uint32_t rank = 0; rank < ranks; ++rank) {
                    CAPTURE(name_of(kind));
                    const Collective made = collective(kind, 0, ranks);
                    const auto steps = exchanges(made, rank, ranks, algorithms);
                    CHECK(steps.size() <= most_exchanges(made, algorithms, ranks));
                    const auto begins = [](const Exchange& step) { return step.begins; };
                    const auto last = std::find_if(steps.rbegin(), steps.rend(), begins);
                    if (last != steps.rend()) CHECK(std::prev(last)->waits());
                }
            }
        }
    }
}

TEST_CASE("a broadcast reaches every rank once, in a binomial tree") {
    // Eight ranks, root 0: 0 sends to 4, 2, 1; 4 to 6, 5; 2 to 3; 6 to 7.
    const Collective made = collective(Kind::bcast, 0, 8);
    CHECK(exchanges(made, 0, 8).size() == 3);
    CHECK(exchanges(made, 0, 8)[0].to == 4);
    CHECK(exchanges(made, 4, 8)[0].from == 0);
    CHECK(exchanges(made, 4, 8)[1].to == 6);
    CHECK(exchanges(made, 7, 8).size() == 1);
    CHECK(exchanges(made, 7, 8)[0].from == 6);
}

TEST_CASE("an allreduce by recursive doubling: five ranks fold to four, double twice, and unfold") {
    // Ranks 0 and 1 are a pair: 0 sends to 1, which exchanges for both with 2 (bit 0) and 3 (bit 1), and sends back.
    const Collective made = collective(Kind::allreduce, 0, 5);
    const auto even = exchanges(made, 0, 5);
    REQUIRE(even.size() == 2);
    CHECK(even[0].to == 1);
    CHECK(even[1].from == 1);
    const auto odd = exchanges(made, 1, 5);
    REQUIRE(odd.size() == 4);
    CHECK(odd[0].from == 0);
    CHECK(odd[1].to == 2);
    CHECK(odd[1].from == 2);
    CHECK(odd[2].to == 3);
    CHECK(odd[3].to == 0);
}

TEST_CASE("a power of two needs log2 P steps, other counts two more than the power below; all send all messages") {
    using Row = std::pair<std::uint32_t, std::uint32_t>;
    for (const auto& [ranks, steps] :
         {Row{1, 0}, Row{2, 1}, Row{5, 2 + 2}, Row{64, 6}, Row{65, 6 + 2}, Row{127, 6 + 2}}) {
        CAPTURE(ranks);
        const RecursiveDoubling doubling(ranks);
        CHECK(doubling.steps() == steps);
        std::uint64_t sent = 0;
        for (std::uint32_t step = 0; step < steps; ++step) {
            for (std::uint32_t rank = 0; rank < ranks; ++rank) sent += doubling.step({rank}, step).send_to ? 1U : 0U;
        }
        CHECK(doubling.messages() == sent);
    }
}
