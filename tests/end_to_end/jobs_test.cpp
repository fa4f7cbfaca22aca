// Several jobs on one machine: what each takes alone and beside the others, by hand; where their nodes are; and what is
// refused.
#include "tests/end_to_end/program.hpp"

namespace {

/// A ring of 5 nodes of one core, whose links of 1 GB/s messages wait for; a code in which the western of two ranks
/// sends 10,000 B to the eastern one; a scenario of it.
class Ring {
public:
    Ring() {
        scratch_.file("ring.yaml",
                      "name: ring\n"
                      "topology: {kind: torus, dimensions: [5], bandwidth: 1GBps, latency: 0ns}\n"
                      "size: exact\ncores: 1\nlinks: {enabled: on}\n"
                      "layers:\n  network:\n"
                      "    - {protocol: eager, o_send: 1us, o_recv: 1us, L: 1us, G: 1ns/B, holds: [links]}\n");
        scratch_.file("m.psl", iterating("send 10000B to east\nrecv from west"));
        scratch_.file("s.yaml", "model: m.psl\nplatform: ring.yaml\nranks: {columns: 2, rows: 1}\n");
    }

    std::filesystem::path file(const std::string& name, const std::string& text) const {
        return scratch_.file(name, text);
    }
    /// Writes a file of the jobs `a` and `b`, and returns it as an argument; `of_b` continues the latter.
    std::string jobs(const std::string& of_b, const std::string& more) const {
        const auto written =
            file("jobs.yaml",
                 "jobs:\n  - {name: a, scenario: s.yaml}\n  - {name: b, scenario: s.yaml" + of_b + "}\n" + more);
        return quoted(written) + " ";
    }
    std::string path(const std::string& name) const { return quoted(scratch_.folder() / name) + " "; }

private:
    Scratch scratch_;
};

double microseconds(const json& job, const char* key) { return 1e6 * job.at(key).get<double>(); }

/// `run`, which fails, on stderr.
std::string refusal(const std::string& arguments) {
    const Outcome outcome = invoke("run " + arguments);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    return outcome.err;
}

}  // namespace

TEST_CASE("jobs whose messages cross one link: the second waits until the first has left it") {
    // Interleaved, `a` has hosts 0 and 2, `b` 1 and 3. Alone each takes o_send 1 + L 1 + 10,000 B * 1 ns/B + o_recv 1 =
    // 13 us. `b` begins at 2 us; its message leaves at 3 and waits for the link 1 -> 2, which that of `a` holds from 1
    // to 11: 8 us longer.
    const Ring ring;
    const json result = json_of("run " + ring.jobs(", start: 2us", "nodes: interleaved\n"));
    CHECK(result.at("schema") == "warpfront.jobs/1");
    CHECK(1e6 * result.at("time_s").get<double>() == approx(2 + 21));
    const json& a = result.at("jobs")[0];
    const json& b = result.at("jobs")[1];
    CHECK(a.at("hosts") == json::parse("[[0, 0], [2, 2]]"));
    CHECK(b.at("hosts") == json::parse("[[1, 1], [3, 3]]"));
    CHECK(microseconds(b, "start_s") == approx(2));
    for (const json& job : result.at("jobs")) CHECK(microseconds(job, "alone_s") == approx(13));
    CHECK(microseconds(a, "beside_s") == approx(13));
    CHECK(microseconds(b, "beside_s") == approx(21));
    CHECK(a.at("slowdown") == 1.0);
    CHECK(b.at("slowdown").get<double>() == approx(21.0 / 13.0));
    CHECK(1e6 * result.at("link_waits").at("all_s").get<double>() == approx(8));
    CHECK(invoke("run --quiet " + ring.jobs(", start: 2us", "nodes: interleaved\n")).out ==
          "job  ranks  nodes  hosts  start  alone  beside  slowdown\n"
          "a        2      2  0, 2       -   13us    13us    1.0000\n"
          "b        2      2  1, 3     2us   13us    21us    1.6154\n");
}

TEST_CASE("jobs on consecutive nodes of a ring do not meet") {
    const Ring ring;
    const json result = json_of("run " + ring.jobs("", ""));
    CHECK(result.at("jobs")[1].at("hosts") == json::parse("[[2, 3]]"));
    for (const json& job : result.at("jobs")) CHECK(job.at("slowdown") == 1.0);
}

TEST_CASE("a job alone takes what its scenario takes on the same hosts, and a rank file gives the hosts of all") {
    const Ring ring;
    ring.file("all.txt", "4\n2\n3\n0\n");  // `a` has 4 and 2, `b` 3 and 0
    ring.file("b.txt", "3\n0\n");
    const json result = json_of("run " + ring.jobs(", set: [iterations=3]", "placement: {file: all.txt}\n"));
    const json& b = result.at("jobs")[1];
    CHECK(b.at("hosts") == json::parse("[[3, 3], [0, 0]]"));
    CHECK(b.at("alone_s") == time_of("run " + ring.path("s.yaml") + "--set placement.file=b.txt --set iterations=3"));
    CHECK(b.at("beside_s") == b.at("alone_s"));  // 4 -> 3 -> 2 and 3 -> 4 -> 0 share no link in one direction
}

TEST_CASE("the shipped jobs slow each other down, by the same picoseconds on any number of threads") {
    const std::string jobs = "models/jobs/sweep-and-transfers.yaml ";
    const json one = json_of("run " + jobs);
    for (const json& job : one.at("jobs")) CHECK(job.at("slowdown") > 1.0);
    const json two = json_of("run --threads 2 " + jobs);
    CHECK(two.at("digest") == one.at("digest"));
    CHECK(two.at("jobs") == one.at("jobs"));
    CHECK(one.at("context").at("scenarios").at("sweep").at("ranks") == json::parse(R"({"columns": 16, "rows": 8})"));
    CHECK(invoke("check " + jobs).status == 0);
}

TEST_CASE("the page of jobs has the slowdowns of the shipped jobs on their nodes, and on others") {
    const std::string page = text_of(kRoot / "tools/answer/jobs/README.md");
    const std::filesystem::path shipped = kRoot / "models/jobs/sweep-and-transfers.yaml";
    for (const std::string& line : lines_of(invoke("run --quiet " + quoted(shipped)).out)) {
        CHECK(holds(page, "    " + line + "\n"));
    }
    const auto slowdown_with = [&](const std::string& nodes) {
        std::string text = text_of(shipped);
        text.replace(text.find("nodes: interleaved\n"), std::string::npos, nodes);
        for (std::size_t at = text.find(" ../"); at != std::string::npos; at = text.find(" ../", at)) {
            text.replace(at + 1, 0, kRoot.string() + "/models/jobs/");
        }
        const Scratch scratch;
        const json result = json_of("run " + quoted(scratch.file("jobs.yaml", text)));
        return fmt::format("{:.4f}", result.at("jobs")[0].at("slowdown").get<double>());
    };
    CHECK(holds(page, "Its slowdown is " + slowdown_with("") + "\nwith `nodes: consecutive` in the file"));
    CHECK(
        holds(page, slowdown_with("placement: random(1)\n") + " on hosts in a random order (`placement: random(1)`)"));
}

TEST_CASE("noise is that of each job alone, so that jobs that do not meet take what they take alone") {
    const std::string apart =
        "run models/jobs/sweep-and-transfers.yaml --set platform.links.enabled=off --set calibration=off ";
    const json noisy = json_of(apart + "--set noise.cv=0.2 --set seed=3");
    CHECK(noisy.at("jobs")[0].at("alone_s") != json_of(apart).at("jobs")[0].at("alone_s"));
    for (const json& job : noisy.at("jobs")) CHECK(job.at("beside_s") == job.at("alone_s"));
    CHECK(holds(noisy.at("notes").dump(), "jobs do not delay each other: the machine shares no links"));
}

TEST_CASE("a machine that is too small, or that the jobs do not share, is a fault") {
    const Ring ring;
    const std::string small = refusal(ring.jobs(", set: ['ranks.columns=4']", ""));
    CHECK(holds(small, "2 jobs need 6 nodes (`a` 2, `b` 4), but `ring` has 5"));
    ring.file("other.yaml", "like: ring.yaml\nname: other\n");
    CHECK(holds(refusal(ring.jobs(", set: [platform=other.yaml]", "")), "the machine of `b` differs from that of `a`"));
    CHECK(holds(refusal(ring.jobs(", set: [platform.links.parallel=2]", "")),
                "the machine of `b` differs from that of `a`"));
    const json same = json_of("run " + ring.jobs("", "platform: other.yaml\n"));
    CHECK(same.at("context").at("scenarios").at("b").at("platform") == "other.yaml");
    ring.file("twice.txt", "0\n1\n1\n2\n");
    CHECK(holds(refusal(ring.jobs("", "placement: {file: twice.txt}\n")), "host 1"));
}

TEST_CASE("faults of a file of jobs are reported where they are") {
    const Ring ring;
    const auto refused = [&](const std::string& text) { return refusal(quoted(ring.file("j.yaml", text))); };
    CHECK(
        holds(refused("jobs: [{scenario: s.yaml}]\n"), "j.yaml:1:7: error: `jobs` is not a list of at least two jobs"));
    CHECK(holds(refused("jobs: [{scenario: s.yaml}, {scenario: s.yaml}]\n"), "two jobs are called `s`"));
    CHECK(holds(refused("jobs: [{scenario: s.yaml}, {name: b}]\n"), "a job has no `scenario`"));
    CHECK(holds(refused("jobs: [{scenario: s.yaml}, {name: b, scenario: t.yaml}]\n"), "t.yaml"));
    CHECK(holds(refused("jobs: [{scenario: s.yaml}, {name: b, scenario: s.yaml, nodes: 3}]\n"), "unknown key `nodes`"));
    CHECK(holds(refused("jobs: [{scenario: s.yaml}, {name: b, scenario: s.yaml, start: 3}]\n"), "expected a time"));
    const std::string jobs = "jobs: [{scenario: s.yaml}, {name: b, scenario: s.yaml}]\n";
    CHECK(holds(refused(jobs + "nodes: interleave\n"), "did you mean `interleaved`?"));
    CHECK(holds(refused(jobs + "placement: block\n"), "`block` cannot place several jobs"));
    CHECK(holds(refused(jobs + "plattform: ring.yaml\n"), "did you mean `platform`?"));
}

TEST_CASE("options and commands that several jobs do not have name themselves") {
    const Ring ring;
    const std::string jobs = ring.jobs("", "");
    CHECK(holds(refusal(jobs + "--engine analytic"), "`--engine` does not apply to jobs side by side"));
    CHECK(holds(refusal(jobs + "--seeds 3"), "`--seeds` does not apply to jobs side by side"));
    CHECK(holds(refusal(jobs + "--samples 3"), "`--samples` does not apply to jobs side by side"));
    CHECK(holds(refusal(jobs + "--path"), "`--path` does not apply to jobs side by side"));
    const std::string key_of_file = refusal(jobs + "--set nodes=consecutive");
    CHECK(holds(key_of_file, "`nodes` is a key of `"));
    CHECK(holds(key_of_file, "`--set` changes the scenario of every job"));
    CHECK(count(refusal(jobs + "--set nosuch=1"), "error:") == 1);  // although both scenarios have the fault
    for (const char* command : {"explain ", "compare ", "estimate "}) {
        CHECK(holds(invoke(command + jobs).err, "is a file of jobs"));
    }
    const std::string tasks =
        "jobs: [{scenario: s.yaml}, {name: t, scenario: '" + kRoot.string() + "/models/tasks/sweep.yaml'}]\n";
    CHECK(holds(refusal(quoted(ring.file("t.yaml", tasks))),
                "jobs side by side cannot have a model of self-scheduled tasks"));
}
