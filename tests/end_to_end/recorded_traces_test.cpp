// Traces that SMPI recorded of codes such as Sweep3D and LU (tests/trace/recorded), beside SMPI's own replay of them.
#include "tests/end_to_end/replayed.hpp"

namespace {

const std::string kRecorded = WARPFRONT_SOURCE_DIR "/tests/trace/recorded/";

/// One of the recorded codes, on 4 x 3 ranks and a network with one row.
class Recorded {
public:
    Recorded(const std::string& code, const std::string& row) {
        scratch_.file("machine.yaml", kLikeSmpi + "    - " + row + "\ncollectives: {like: smpi}\n");
        scratch_.file("s.yaml", "trace: '" + kRecorded + code +
                                    ".txt'\nplatform: machine.yaml\n"
                                    "node: {columns: 1, rows: 1}\nranks: {columns: 4, rows: 3}\n");
        write_replay(code);
    }

    double seconds(const std::string& more = "") const { return result(more).at("time_s").get<double>(); }
    json result(const std::string& more = "") const {
        return json_of("run " + quoted(scratch_.folder() / "s.yaml") + " " + more);
    }
    double replayed() const { return replayed_seconds(scratch_.folder() / "traces"); }

private:
    /// Writes the replay. The platform and the script come from any model on the same machine; its traces are not used.
    void write_replay(const std::string& code) const {
        const std::filesystem::path folder = scratch_.folder() / "traces";
        REQUIRE(invoke("trace " + kSmall + "--set 'ranks={columns: 4, rows: 3}' --set 'node={columns: 1, rows: 1}' " +
                       "--set 'platform=" + (scratch_.folder() / "machine.yaml").string() + "' --out " + quoted(folder))
                    .status == 0);
        std::string list;
        for (int rank = 1; rank <= 12; ++rank)
            list += fmt::format("{}{}.txt_files/rank-{}.txt\n", kRecorded, code, rank);
        scratch_.file("traces/traces.txt", list);
    }

    Scratch scratch_;
};

const std::string kFreeReceive = "{protocol: eager, o_send: 3.85us, o_recv: 0us, L: 2us, G: 0.0004us/B}";
const std::string kOverheads = "{protocol: eager, o_send: 3.85us, o_recv: 3.85us, L: 0.36us, G: 0.0004us/B}";

}  // namespace

TEST_CASE("recorded codes take as long as in SMPI's replay, with its algorithms and receives that cost nothing") {
    for (const std::string code : {"sweep", "lu"}) {
        CAPTURE(code);
        const Recorded recorded(code, kFreeReceive);
        // SMPI's messages are 16 B = 6.4 ns longer, of some 2 us + 4 us each, and it prints its time in whole us
        const double replayed = recorded.replayed();
        CHECK(std::abs(recorded.seconds() - replayed) < 0.001 * replayed + 1e-6);
    }
}

TEST_CASE("a rendezvous whose sender resumes once all bytes are received takes as long as SMPI's replay") {
    // SMPI's blocking sends by rendezvous take no o_send. Its request takes no time, and its data a latency and 16 B:
    // here these are the acknowledgement's, so that they also precede the data if the receive is posted late.
    const std::string as_smpi = "--set platform.layers.network.L=0us --set platform.layers.network.o_ack=2.16us ";
    for (const std::string code : {"sweep", "lu"}) {
        CAPTURE(code);
        const Recorded recorded(code, "{protocol: rendezvous, o_send: 0us, o_recv: 0us, L: 2us, G: 0.01us/B}");
        const double replayed = recorded.replayed();
        const auto seconds = [&](const std::string& when) {
            return recorded.seconds(as_smpi + "--set platform.layers.network.sender_goes_on=" + when);
        };
        CHECK(std::abs(seconds("received") - replayed) < 1e-6);  // SMPI prints its time in whole us
        CHECK(seconds("acknowledged") < (code == "sweep" ? 0.9 : 0.95) * replayed);
    }
}

TEST_CASE("if receives cost time, rank 0 of a linear collective takes messages by arrival in SMPI, here by rank") {
    for (const std::string code : {"sweep", "lu"}) {
        CAPTURE(code);
        const Recorded recorded(code, kOverheads);
        // at most 11 receives of 3.85 us each later, for each of 2 (sweep) or 4 (lu) collectives that rank 0 collects
        const double later = 11 * 3.85e-6 * (code == "lu" ? 4 : 2);
        const double replayed = recorded.replayed();
        CHECK(recorded.seconds() > replayed - 2e-6);
        CHECK(recorded.seconds() < replayed + later);
    }
}

TEST_CASE("the algorithm of the barrier is the machine's, and the result names it") {
    const Recorded recorded("lu", kOverheads);
    const json linear = recorded.result();
    const json dissemination = recorded.result("--set platform.collectives.barrier=dissemination");
    // Linear: 11 messages of 3.85 us are received one after another and 11 sent. Dissemination: 4 steps of 3.85 us to
    // send, 0.36 us to arrive, 3.85 us to receive.
    CHECK(dissemination.at("time_s").get<double>() < linear.at("time_s").get<double>());
    const auto of_barrier = [](const json& result) {
        for (const json& use : result.at("collectives")) {
            if (use.at("operation") == "barrier") {
                return use.at("algorithm").get<std::string>() + ": " + use.at("because").get<std::string>();
            }
        }
        return std::string();
    };
    CHECK(of_barrier(linear) == "linear: SMPI 3.32");
    CHECK(of_barrier(dissemination) == "dissemination: hardware file");
}
