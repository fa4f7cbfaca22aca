// `warpfront explain` and `run --path`: the longest chain of events, and the changes that shorten it.
#include "tests/end_to_end/program.hpp"

namespace {

const std::string kOnce = kSmall + "--set iterations=1 ";

double sum_of(const json& path) {
    double sum = 0.0;
    for (const char* part : {"compute_s", "overhead_s", "latency_s", "bandwidth_s", "contention_s"}) {
        sum += path.at(part).get<double>();
    }
    return sum;
}

std::string in_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

}  // namespace

TEST_CASE("explain names the limits and the remedies, and changes no time") {
    const auto [table, result] = answer_of("explain " + kOnce);
    CHECK(lacking(table, {"predicted time", "the longest chain of events consists of", "latency",
                          " is the largest part: "}) == "");
    const json run = json_of("run " + kOnce);
    CHECK(result["digest"] == run["digest"]);
    CHECK(sum_of(result["critical_path"]) == approx(run["time_s"].get<double>()).epsilon(1e-12));
    CHECK_FALSE(run.contains("critical_path"));
}

TEST_CASE("the savings that explain states are those of runs with a tenth less of a cost") {
    // A tenth less processing shortens the longest chain by much more than the run, which another chain then limits.
    const std::string arguments = "models/chimaera/chimaera.yaml --set iterations=1 ";
    const auto [table, result] = answer_of("explain " + arguments);
    const auto without = [&](const std::string& sets) {
        return result.at("time_s").get<double>() - time_of("run " + arguments + sets);
    };
    const auto rerun =
        std::ranges::find(result.at("reruns"), "processing", [](const json& each) { return each["part"]; });
    REQUIRE(rerun != result.at("reruns").end());
    const double saved = without("--set platform.layers.network.processing=0.9x");
    const double stated = result.at("time_s").get<double>() - rerun->at("time_s").get<double>();
    CHECK(stated == warpfront::test::approx(saved).epsilon(1e-3));
    CHECK(rerun->at("time_s").get<double>() - rerun->at("foreseen_s").get<double>() > 5 * saved);
    CHECK(holds(in_one_line(table), fmt::format(", processing of messages {:.6g}us", 1e6 * stated)));
    CHECK_FALSE(holds(table, "run again with"));
}

TEST_CASE("an ensemble has no critical path") {
    CHECK(invoke("run --path --seeds 3 " + kSmall + "--set noise.cv=0.1").status == 2);
    CHECK(invoke("run --path --engine analytic " + kSmall).status == 2);
}

TEST_CASE("the quantities of run, explain and estimate are available as CSV") {
    CHECK(holds(invoke("run " + kOnce + "--csv -").out, "\ntime_s,"));
    CHECK(holds(invoke("explain " + kOnce + "--csv -").out, "\ncritical_path.compute_s,"));
    CHECK(holds(invoke("estimate " + kSmall + "--csv -").out, "\nmessages,"));
}

TEST_CASE("run and explain name the ranks that wait most") {
    const json most = json_of("run " + kOnce).at("most_waiting");
    REQUIRE(most.size() == 3);
    CHECK(most[0].at("all_s") >= most[1].at("all_s"));
    CHECK_FALSE(most[0].contains("first_iteration"));
    CHECK(json_of("explain " + kOnce).at("most_waiting")[0].at("rank") == most[0].at("rank"));
}

TEST_CASE("explain has the statements of every rank that it lists, over the whole run where that has few messages") {
    const auto [shown, result] = answer_of("explain " + kSmall + "--set iterations=3");
    const json explained = result.at("most_waiting");
    REQUIRE(explained.size() == 3);
    CHECK(explained[0].at("first_iteration")[0].at("line") > 0);
    for (const json& rank : explained) {
        CAPTURE(rank.dump());
        const auto waited = [&](const char* key) {
            double sum = 0.0;
            for (const json& statement : rank.at(key)) sum += statement.at("time_s").get<double>();
            return sum;
        };
        CHECK(waited("first_iteration") > 0.0);
        CHECK(waited("whole_run") > waited("first_iteration"));
        // the breakdown counts all of a collective, these statements its waits
        CHECK(waited("whole_run") <= rank.at("all_s").get<double>() * (1 + 1e-9));
        CHECK(holds(shown,
                    fmt::format("rank {} waits in these statements in the whole run\n", rank.at("rank").get<int>())));
    }
}

namespace {

/// A Jacobi code on 8 x 8 ranks of one node with one memory, described by `memory`.
class SharedMemoryCode : public OwnModel {
public:
    explicit SharedMemoryCode(const std::string& memory)
        : OwnModel(iterating("repeat 20 { irecv from west irecv from east isend 1kB to east isend 1kB to west "
                             "waitall compute 100us }"),
                   "{columns: 8, rows: 8}", "node: {columns: 8, rows: 8}\n",
                   "name: m\nsize: exact\ncores: 64\ntopology: {kind: torus, dimensions: [2], bandwidth: 10GBps, "
                   "latency: 1us}\nmemory: {" +
                       memory +
                       "}\nlayers:\n  chip: [{protocol: eager, o_send: 0.2us, o_recv: 0.2us, L: 0.3us, G: 6GBps}]\n"
                       "  network: [{protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1GBps}]\n") {}
};

}  // namespace

TEST_CASE("explain foresees the effect of more memory bandwidth, of the resource by its name") {
    // 64 cores draw 512 of 200 GB/s: computing takes 2.56 times as long, so 1 % more bandwidth saves about 1 % of all
    // computing, and twice the bandwidth about a half
    const SharedMemoryCode code("bandwidth: 200GBps, per_core: 8GBps");
    const auto [table, explained] = answer_of("explain " + code.argument());
    const double time = explained.at("time_s");
    const double saturated = explained.at("critical_path").at("memory_saturated_s");
    const auto saved = [&](const std::string& bandwidth) {
        return time - time_of("run " + code.argument() + "--set platform.memory.bandwidth=" + bandwidth);
    };
    CHECK(saturated == approx(20 * 100e-6 * 2.56).epsilon(0.01));
    CHECK(saved("202GBps") == approx(saturated * (1 - 1 / 1.01)).epsilon(0.01));
    CHECK(saved("400GBps") == approx(saturated / 2).epsilon(0.01));
    const std::string text = in_one_line(table);
    CHECK(holds(text, "Memory bandwidth that cores share is the largest part"));
    CHECK(holds(text, fmt::format("time per byte of memory {:.6g}us", 1e6 * saved("222.222222222222GBps"))));
    CHECK_FALSE(holds(text, "cluster memory"));
}

TEST_CASE("every part of the path can be run again with a tenth less of its cost, as it foresees") {
    const SharedMemoryCode code("bandwidth: 200GBps, per_core: 8GBps");
    const json explained = json_of("explain --reruns " + code.argument());
    std::size_t parts = 0;
    for (const char* part : {"compute", "overhead", "latency", "bandwidth", "bus", "nic", "link", "memory", "wire"}) {
        if (explained.at("critical_path").at(std::string(part) + "_s") > 0.0) ++parts;
    }
    CHECK(explained.at("reruns").size() == parts);
    for (const json& each : explained.at("reruns")) {
        CAPTURE(each.dump());
        CHECK(each.at("time_s").get<double>() == approx(each.at("foreseen_s").get<double>()).epsilon(2e-3));
    }
}

TEST_CASE("a message rate that binds is named, and twice the rate saves what the path says") {
    // 64 ranks of a node send 64 B at once through one NIC, which takes a message in 2 us: the last leaves 63 * 2 us
    // after the first. The empty answers are 2 us apart, as their messages are, and wait for no NIC.
    const std::string pairs =
        "models/bandwidth/hippi.yaml --set platform=../../platforms/epyc.yaml --set ranks.rows=64 --set node.rows=64 "
        "--set parameters.size=64B --set parameters.answer=0 --set iterations=1 --set platform.nic.g=";
    const auto [table, explained] = answer_of("explain --reruns " + pairs + "2us");
    const json path = explained.at("critical_path");
    CHECK(path.at("message_rate_s").get<double>() == approx(126e-6));
    CHECK(path.at("nic_s") == 0.0);
    CHECK(path.at("contention_s").get<double>() >= path.at("message_rate_s").get<double>());
    CHECK(holds(in_one_line(table), "The message rate of network interfaces is the largest part: "));
    const json rerun = explained.at("reruns").back();
    CHECK(rerun.at("part") == "message rate");
    CHECK(rerun.at("time_s").get<double>() == approx(rerun.at("foreseen_s").get<double>()));
    CHECK(time_of("run " + pairs + "1us") == approx(explained.at("time_s").get<double>() - 63e-6));
}

namespace {

/// Returns twelve tasks of `work` and of twice as much in turn, on two cores.
OwnModel tasks_of_two_lengths() {
    return OwnModel(
        "application m {\n"
        "    param work: time = 100us\n"
        "    tasks on core { task t[i in 1..12] { compute (if i % 2 == 0 then 2 * work else work) } }\n"
        "}\n",
        "{columns: 2, rows: 1}", "node: {columns: 2, rows: 1}\ncalibration: off\n");
}

}  // namespace

TEST_CASE("the path through tasks adds up to the time, and its computing is divided by task") {
    const OwnModel model = tasks_of_two_lengths();
    const json result = json_of("explain " + model.argument());
    const json path = result.at("critical_path");
    double sum = 0.0;
    for (const char* part : {"compute_s", "manager_s", "latency_s", "data_s", "sharing_s", "absent_s"}) {
        sum += path.at(part).get<double>();
    }
    CHECK(sum == approx(result.at("time_s").get<double>()).epsilon(1e-12));
    CHECK(path.at("tasks")[0].at("name") == "t");
    CHECK(path.at("tasks")[0].at("compute_s") == path.at("compute_s"));
    CHECK(json_of("run --path " + model.argument()).at("critical_path") == path);
}

TEST_CASE("a run of tasks with a tenth less computing is that of a model with a tenth less work") {
    // the time depends on work alone: 18 of it, on two cores, the last task of two on one: 10
    const OwnModel model = tasks_of_two_lengths();
    CHECK(time_of("run " + model.argument()) == approx(1000e-6));
    CHECK(time_of("run " + model.argument() + "--set parameters.work=90us") == approx(900e-6));
    const auto [table, explained] = answer_of("explain --reruns " + model.argument());
    CHECK(holds(table, "  compute x 0.9                            900us        900us\n"));
    const json reruns = explained.at("reruns");
    REQUIRE(reruns.size() == 1);  // nothing else takes time
    CHECK(reruns[0].at("part") == "compute");
    CHECK(reruns[0].at("factor") == 0.9);
    CHECK(reruns[0].at("foreseen_s").get<double>() == approx(900e-6));
    CHECK(reruns[0].at("time_s").get<double>() == approx(900e-6));
}

TEST_CASE("the path through tasks has a run again for memory bandwidth and for absent workers") {
    const OwnModel model = tasks_of_two_lengths();
    // Two cores draw twice the bandwidth of their memory while both compute, so their tasks take twice as long.
    const std::string shared = model.argument() + "--set 'platform.memory={bandwidth: 8GBps, per_core: 8GBps}' ";
    const json explained = json_of("explain --reruns " + shared);
    const json reruns = explained.at("reruns");
    REQUIRE(reruns.size() == 2);
    CHECK(reruns[0].at("part") == "compute");
    CHECK(reruns[1].at("part") == "memory");
    CHECK(explained.at("critical_path").at("memory_saturated_s") > explained.at("critical_path").at("memory_s"));
    for (const json& each : reruns) {
        CHECK(each.at("time_s").get<double>() == approx(each.at("foreseen_s").get<double>()).epsilon(1e-3));
    }
    // Both cores come after 500 us; without that the run takes 1,000 us.
    const auto schedule = model.file("late.csv", "at,node,cores\n0us,0,0\n500us,0,2\n");
    const json late = json_of("explain --reruns " + model.argument() + "--set workers.schedule=" + quoted(schedule));
    CHECK(late.at("time_s").get<double>() == approx(1500e-6));
    const json without = late.at("reruns").back();
    CHECK(without.at("part") == "absent");
    CHECK(without.at("factor") == 0.0);
    CHECK(without.at("foreseen_s").get<double>() == approx(1000e-6));
    CHECK(without.at("time_s").get<double>() == approx(1000e-6));
}

TEST_CASE("explain lists the pairs of ranks of which one waits longest for the messages of the other") {
    // Rank 1 of 2 x 1 is the only one that waits for rank 0, and the other way round: each for all that it waits for.
    const std::string pair = kOnce + "--set 'ranks={columns: 2, rows: 1}' --set 'node={columns: 1, rows: 1}' ";
    const auto [table, explained] = answer_of("explain " + pair);
    const json waiting = explained.at("most_waiting_pairs");
    CHECK(waiting.at("of") == "whole_run");
    CHECK(!waiting.contains("until_s"));
    REQUIRE(waiting.at("pairs").size() == 2);
    for (const json& each : waiting.at("pairs")) {
        CHECK(each.at("receiver").get<int>() == 1 - each.at("sender").get<int>());
        for (const json& rank : explained.at("most_waiting")) {
            if (rank.at("rank") != each.at("receiver")) continue;
            CHECK(each.at("time_s").get<double>() > 0.0);
            CHECK(each.at("time_s").get<double>() <= rank.at("all_s").get<double>() * (1 + 1e-9));
        }
    }
    CHECK(waiting.at("pairs")[0].at("time_s") >= waiting.at("pairs")[1].at("time_s"));
    CHECK(
        holds(table,
              fmt::format("longest waits of one rank for the messages of another, in the whole run:\n  rank {} (column",
                          waiting.at("pairs")[0].at("receiver").get<int>())));
    const json first = json_of("explain " + kSmall + "--set iterations=100000").at("most_waiting_pairs");
    CHECK(first.at("of") == "first_iteration");
}

TEST_CASE("explain lists the nodes whose ranks wait most on average, and the links that messages wait for") {
    const auto [table, explained] = answer_of("explain " + kOnce);
    const json nodes = explained.at("most_waiting_nodes");
    REQUIRE(nodes.size() == 3);
    CHECK(nodes[0].at("mean_s") >= nodes[1].at("mean_s"));
    CHECK(nodes[1].at("mean_s") >= nodes[2].at("mean_s"));
    // 16 ranks on 8 nodes: the rank that waits most is on a node whose mean is at most its own waiting
    CHECK(nodes[0].at("mean_s") <= explained.at("most_waiting")[0].at("all_s"));
    CHECK(holds(table,
                fmt::format("the nodes whose ranks wait most, on average\n  node {}", nodes[0].at("node").get<int>())));
}
