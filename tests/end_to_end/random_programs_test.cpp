// SimGrid matches and waits in the same way as the event engine. Random programs of every MPI event, on a network where
// nothing is shared and every message is eager, end at the same time in SMPI's replay of their traces, to the last
// digit that it prints. The costs are a thousand times those of a network, so that digit, a microsecond, is a tenth of
// a millionth of a message's time. SMPI sends 16 B with every message; the engine's L includes their time.
#include "tests/end_to_end/replayed.hpp"
#include "tests/psl/draws.hpp"

using warpfront::psl::Draws;

namespace {

/// Returns a network with L of 0.36 ms and 0.8 ms; 16 B take 6.4 us and 12.8 us.
std::string network(const std::string& small_L, const std::string& large_L) {
    return kLikeSmpi +
           fmt::format(
               "    - {{up_to: 1024B, protocol: eager, o_send: 3.85ms, o_recv: 3.85ms, L: {}, G: 0.4us/B}}\n"
               "    - {{protocol: eager, o_send: 4.5ms, o_recv: 5ms, L: {}, G: 0.8us/B, G_recv: 0.1us/B}}\n",
               small_L, large_L);
}

template <std::size_t N>
std::string one_of(Draws& draws, const std::array<const char*, N>& choices) {
    return choices[draws.below(N)];
}

/// Draws a size near the limit between the two rows, or any size.
std::string size(Draws& draws) {
    return fmt::format("{}B", draws.below(3) == 0 ? 1023 + draws.below(3) : draws.below(5000));
}

std::string work(Draws& draws) {
    return fmt::format("compute 1ms * (({} * rank + {}) % {})\n", draws.below(7), draws.below(9), 1 + draws.below(30));
}

/// Draws requests to and from opposite neighbours, with waits in random order.
std::string requests(Draws& draws) {
    static constexpr std::array<std::array<const char*, 2>, 4> kWays{
        {{"east", "west"}, {"west", "east"}, {"south", "north"}, {"north", "south"}}};
    const auto& [to, from] = kWays[draws.below(kWays.size())];
    const std::string receive = fmt::format("irecv from_there from {} tag 1\n", from);
    const std::string send = fmt::format("isend to_there {} to {} tag 1\n", size(draws), to);
    const std::string posted = draws.below(2) == 0 ? receive + send : send + receive;
    const std::string waits = draws.below(2) == 0 ? "wait from_there\n" + work(draws) + "wait to_there\n"
                                                  : "wait to_there\nwait from_there\n";
    return posted + work(draws) + waits;
}

std::string all_neighbours(Draws& draws) {
    std::string text;
    for (const char* from : {"north", "west", "east", "south"}) text += fmt::format("irecv from {} tag 2\n", from);
    for (const char* to : {"west", "south", "north", "east"}) {
        text += fmt::format("{} {} to {} tag 2\n", one_of(draws, std::array{"isend", "send"}), size(draws), to);
    }
    return text + work(draws) + "waitall\n";
}

std::string sweep(Draws& draws) {
    const std::string corner = one_of(draws, std::array{"northwest", "northeast", "southwest", "southeast"});
    return fmt::format(
        "repeat {0} {{\nrecv from upstream_x({1})\nrecv from upstream_y({1})\n{2}send {3} to downstream_x({1})\n"
        "send {4} to downstream_y({1})\n}}\n",
        1 + draws.below(5), corner, work(draws), size(draws), size(draws));
}

/// Draws sendrecvs along lines of ranks, or within pairs of neighbours.
std::string sendrecv(Draws& draws) {
    return fmt::format("sendrecv {} to {} tag 3\n", size(draws),
                       one_of(draws, std::array{"south from north", "west from east",
                                                "(if column % 2 == 1 then east else west) from "
                                                "(if column % 2 == 1 then east else west)"}));
}

std::string collective(Draws& draws) {
    const std::string name = one_of(draws, std::array{"barrier", "allreduce", "scan", "broadcast", "reduce", "scatter",
                                                      "gather", "allgather", "alltoall", "reduce_scatter"});
    const std::string over = one_of(draws, std::array{"", " over row", " over column", " over rank % 2"});
    return name + (name == "barrier" ? "" : " " + size(draws)) + over + "\n";
}

std::string step(Draws& draws) {
    switch (draws.below(6)) {
        case 0: return requests(draws);
        case 1: return all_neighbours(draws);
        case 2: return sweep(draws);
        case 3: return sendrecv(draws);
        case 4: return work(draws);
        default: return collective(draws);
    }
}

std::string model(Draws& draws) {
    std::string text = "application random {\niteration {\n";
    for (std::size_t steps = 3 + draws.below(10); steps > 0; --steps) {
        text += fmt::format("repeat {} {{\n{}}}\n", 1 + draws.below(3), step(draws));
    }
    return text + "}\n}\n";
}

std::string scenario(const std::string& platform, Draws& draws) {
    return fmt::format(
        "model: m.psl\nplatform: {}.yaml\nranks: {{columns: {}, rows: {}}}\ncalibration: off\niterations: {}\n",
        platform, 1 + draws.below(5), 1 + draws.below(4), 1 + draws.below(3));
}

}  // namespace

TEST_CASE("twenty random programs end when SimGrid's replay of their traces ends") {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        Draws draws(seed);
        const Scratch scratch;
        const std::string text = model(draws);
        scratch.file("m.psl", text);
        scratch.file("smpi.yaml", network("0.36ms", "0.8ms"));
        scratch.file("engine.yaml", network("0.3664ms", "0.8128ms"));
        Draws same = draws;
        const auto traced = scratch.file("traced.yaml", scenario("smpi", draws));
        const auto stepped = scratch.file("stepped.yaml", scenario("engine", same));
        CAPTURE(seed);
        CAPTURE(text);
        CAPTURE(text_of(stepped));
        const Outcome written = invoke("trace " + quoted(traced) + " --out " + quoted(scratch.folder() / "traces"));
        REQUIRE_MESSAGE(written.status == 0, written.err);
        const double event = json_of("run " + quoted(stepped)).at("time_s").get<double>();
        CHECK(std::abs(replayed_seconds(scratch.folder() / "traces") - event) < 0.6e-6);
    }
}
