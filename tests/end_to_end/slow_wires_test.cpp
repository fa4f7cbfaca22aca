// A wire that is slower than the table of costs, from the user's view: in times, in notes and in `explain`.
//
// Not pinned here: its times on random platforms, with every engine (tests/wires); the equations (tests/network); its
// names and notes on every network (tests/machine).
#include "tests/end_to_end/program.hpp"

TEST_CASE("messages to and fro over a slow link wait for it, not behind their own predecessors, and it is named") {
    const Scratch files;
    files.file(
        "m.psl",
        "application pingpong { iteration { repeat 100 {\n"
        "    if rank == 0 { send 100kB to east recv from east } else { recv from west send 100kB to west }\n} } }\n");
    files.file("p.xml", platform_xml(R"(<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="slow" bandwidth="500MBps" latency="100ns" sharing_policy="SPLITDUPLEX"/>
<route src="a" dst="b" symmetrical="NO"><link_ctn id="slow" direction="UP"/></route>
<route src="b" dst="a" symmetrical="NO"><link_ctn id="slow" direction="DOWN"/></route></zone>)"));
    const auto hardware = files.file(
        "hw.yaml",
        "name: two hosts\nplatform: p.xml\nsize: exact\nlinks: {enabled: on}\nlinks_in_L: 1\n"
        "layers:\n  network: [{protocol: eager, o_send: 0.3us, o_recv: 0.3us, L: 1us, G: 10GBps, holds: [links]}]\n");
    const std::string scenario =
        quoted(files.file("s.yaml", "model: m.psl\nplatform: hw.yaml\nranks: {columns: 2, rows: 1}\n"));
    // 200 messages, each 0.3 us + 1 us + 100 kB / 500 MB/s + 0.3 us
    const auto result = json_of("run " + scenario);
    CHECK(result.at("time_s").get<double>() == approx(200 * 201.6e-6).epsilon(1e-12));
    CHECK(result.at("breakdown").at("link_wait_s") == 0.0);

    const std::string note =
        "carry 500 MB/s each, less than the 10 GB/s of `layers.network`: they limit the messages that cross them";
    CHECK(holds(invoke("run " + scenario).out, "note: link `slow_UP`, link `slow_DOWN` " + note));
    CHECK(holds(invoke("check --platform " + quoted(hardware)).out, note));
    CHECK(holds(invoke("check " + quoted(hardware)).out, note));

    // The links also limit a machine with costs fitted to a faster network, and `fit` prints the note.
    const auto table = files.file("osu.txt",
                                  "# OSU MPI Latency Test v5.8\n# Size Latency (us)\n1 1\n1024 1.1\n"
                                  "65536 7.6\n131072 14.2\n262144 27.3\n");
    const Outcome fitted = invoke("fit " + quoted(table) + " --like " + quoted(hardware) + " --eager 1MiB -o " +
                                  quoted(files.folder() / "fitted.yaml"));
    CHECK(holds(fitted.out + fitted.err, "note: link `slow_UP`, link `slow_DOWN` carry 500 MB/s each"));

    const std::string text = invoke("explain " + scenario).out;
    CHECK(holds(text, "The slowest wire, link `slow_UP`, is the largest part: 99.2 %"));  // 40 of 40.32 ms
    CHECK_FALSE(holds(text, "twice the bandwidth"));
}
