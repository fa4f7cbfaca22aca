// Cluster memory on disks of the platform, over the NICs of nodes, with the latency of messages; and its faults.
#include "tests/loading/hardware_text.hpp"
#include "tests/loading/platforms.hpp"

namespace warpfront::machine::cluster_memory_test {

namespace {

const std::string kLayers = "layers:\n" + kNetwork;
const std::string kTopology =
    "name: m\nsize: exact\ntopology: {kind: torus, dimensions: [2], bandwidth: 1GBps, latency: 1us}\ncores: 1\n";

/// Returns hosts a and b with a disk `scratch`, and a third with a disk `archive`.
std::string hosts_with_disks(const std::string& rates_of_b = R"(read_bw="100MBps" write_bw="40MBps")") {
    return platform_xml(R"(<zone id="w" routing="Full">
<host id="a" speed="1Gf"><disk id="scratch" read_bw="100MBps" write_bw="40MBps"/></host>
<host id="b" speed="1Gf"><disk id="scratch" )" +
                        rates_of_b + R"(/></host>
<host id="c" speed="1Gf"><disk id="archive" read_bw="8Mbps" write_bw="0"/></host>
<link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone>)");
}

std::string on_platform(const std::string& cluster_memory, const std::string& layers = kLayers) {
    return "name: m\nplatform: p.xml\nsize: exact\ncluster_memory: " + cluster_memory + "\n" + layers;
}

ClusterMemory built(const std::string& hardware, const std::string& xml = hosts_with_disks()) {
    const Workspace files;
    files.write("p.xml", xml);
    return build(request_for(files.write("m.yaml", hardware), {{2, 1, 1}})).machine.cluster_memory;
}

std::string refusal(const std::string& hardware, DiagnosticKind kind, const std::string& xml = hosts_with_disks()) {
    return summary_of(only(faults_of([&] { built(hardware, xml); }), kind));
}

/// Returns the notes of `check`, without the folder.
std::vector<std::string> notes_on(const std::string& hardware, const std::string& xml) {
    const Workspace files;
    files.write("p.xml", xml);
    return notes_of_check(files.write("m.yaml", hardware));
}

}  // namespace

TEST_CASE(
    "a disk of the platform states the rates of servers, its hosts are their number; it is shared as in SimGrid") {
    const ClusterMemory memory = built(on_platform("{server: {disk: scratch}, latency: 5us}"));
    CHECK(memory.servers == 2);
    CHECK(memory.server == DataChannel{Bandwidth{100e6}, Bandwidth{40e6}, true});
    CHECK(memory.node == DataChannel{});
    CHECK(memory.latency == Time{5'000'000});
}

TEST_CASE("values of a file replace those of the disk") {
    CHECK(built(on_platform("{servers: 8, server: {disk: scratch}}")).servers == 8);
    CHECK(built(on_platform("{server: {disk: scratch, write: 50MBps, shared: off}}")).server ==
          DataChannel{Bandwidth{100e6}, Bandwidth{50e6}, false});
    CHECK(built(on_platform("{server: {disk: scratch, read: 1GBps, write: 2GBps}}"),
                hosts_with_disks(R"(read_bw="1MBps" write_bw="1MBps")"))
              .server == DataChannel{Bandwidth{1e9}, Bandwidth{2e9}, true});
}

TEST_CASE("a disk that the platform lacks is refused with the disks that there are") {
    CHECK(refusal(on_platform("{server: {disk: scratsh}}"), unknown_disk) ==
          "m.yaml:4:33 unknown_disk [scratsh] no disk is called `scratsh` | expected one of `scratch`, "
          "`archive`; did you mean `scratch`?");
    CHECK(refusal(on_platform("{server: {disk: raid}}"), unknown_disk) ==
          "m.yaml:4:33 unknown_disk [raid] no disk is called `raid` | expected one of `scratch`, `archive`");
    CHECK(refusal(on_platform("{server: {disk: raid}}"), unknown_disk, star_xml(2)) ==
          "m.yaml:4:33 unknown_disk [raid] no disk is called `raid`: the platform has none | expected rates, such as "
          "`{read: 270MBps, write: 270MBps}`");
    CHECK(refusal(kTopology + "cluster_memory: {server: {disk: raid}}\n" + kLayers, unknown_disk) ==
          "m.yaml:5:33 unknown_disk [raid] no disk is called `raid`: a `topology` has none | expected rates, such as "
          "`{read: 270MBps, write: 270MBps}`");
}

TEST_CASE("disks of one name with different rates are refused, as are rates at which nothing moves") {
    CHECK(refusal(on_platform("{server: {disk: scratch}}"), bad_disk,
                  hosts_with_disks(R"(read_bw="100MBps" write_bw="20MBps")")) ==
          "p.xml:5:36 bad_disk [scratch] disks called `scratch` have different rates | expected the same rates, or "
          "`read` and `write` beside `disk` in the hardware file");
    CHECK(refusal(on_platform("{server: {disk: archive}}"), bad_disk) ==
          "p.xml:6:71 bad_disk [0] disk `archive` has a `write_bw` of 0 B/s | expected at least 1 B/s, since cluster "
          "memory is on it");
    CHECK(built(on_platform("{server: {disk: archive, write: 1MBps}}")).server.read == Bandwidth{1e6});  // 8Mbps
}

TEST_CASE("faults of a disk whose name is written with an entity are those of the platform") {
    const std::string xml = platform_xml(R"(<zone id="w" routing="Full">
<host id="a" speed="1Gf"><disk id="r&amp;d" read_bw="1MBps" write_bw="0"/></host>
<host id="b" speed="1Gf"/>
<link id="l" bandwidth="1GBps" latency="1us"/>
<route src="a" dst="b"><link_ctn id="l"/></route></zone>)");
    CHECK(refusal(on_platform("{server: {disk: r&d}}"), bad_disk, xml) ==
          "p.xml:2:1 bad_disk [<platform] disk `r&d` has a `write_bw` of 0 B/s | expected at least 1 B/s, since "
          "cluster memory is on it");
    CHECK(built(on_platform("{server: {disk: r&d, write: 1MBps}}"), xml).servers == 1);
}

TEST_CASE("numbers of disks are checked as those of links are") {
    CHECK(refusal(on_platform("{server: {disk: scratch}}"), bad_xml_number,
                  hosts_with_disks(R"(read_bw="fast" write_bw="40MBps")")) ==
          "p.xml:5:54 bad_xml_number [fast] `fast` is not a number in `read_bw` | expected a number and a unit");
    CHECK(notes_on(on_platform("{server: {disk: scratch, read: 1MBps, write: 1MBps}}"),
                   hosts_with_disks(R"(read_bw="1000" write_bw="40MBps")")) ==
          std::vector<std::string>{"p.xml:5:54: `1000` has no unit in `read_bw`: SimGrid reads it as bytes per second",
                                   "p.xml:6:36: disk `archive` has no effect: no `cluster_memory.server` names it"});
}

TEST_CASE("disks that the machine does not use are noted by `check` alone") {
    CHECK(notes_on(on_platform("{latency: 5us}"), hosts_with_disks()) ==
          std::vector<std::string>{"p.xml:4:36: disk `scratch` has no effect: no `cluster_memory.server` names it",
                                   "p.xml:6:36: disk `archive` has no effect: no `cluster_memory.server` names it"});
    const Workspace files;
    files.write("p.xml", hosts_with_disks());
    CHECK(build(request_for(files.write("m.yaml", on_platform("{latency: 5us}")), {{2, 1, 1}})).machine.notes.empty());
}

TEST_CASE(
    "nodes reach cluster memory over their NICs: reads are ejected, writes injected, over all of a node together") {
    const std::string nic = "cores: 2\nnic: {count: 2, injection: 100MBps, ejection: 200MBps}\n";
    const std::string layers = "layers:\n  chip:\n" + row_with() + kNetwork;
    const Read read_file = read(kHead + nic + "cluster_memory: {node: nic}\n" + layers);
    CHECK(read_file.faults.render() == "");
    CHECK(read_file.file.cluster_memory.node == DataChannel{Bandwidth{400e6}, Bandwidth{200e6}, false});
    CHECK(read_file.file.notes.empty());  // no row occupies the NIC, but cluster memory uses it
    CHECK(read(kHead + nic + layers).file.notes.size() == 1);
    CHECK(
        read(kHead + "nic: {enabled: off, injection: 1GBps, ejection: 1GBps}\ncluster_memory: {node: nic}\n" + kLayers)
            .file.cluster_memory.node == DataChannel{});
    const std::string one_way = "nic: {injection: 100MBps, ejection: 0ns/B}\ncluster_memory: {node: nic}\n";
    CHECK(read(kHead + one_way + kLayers).file.cluster_memory.node == DataChannel{{}, Bandwidth{100e6}, false});
}

TEST_CASE("a machine without a NIC has none that cluster memory could use; nothing else is a word for a channel") {
    CHECK(summary_of(only(faults(kHead + "cluster_memory: {node: nic}\n" + kLayers), missing_key)) ==
          "m.yaml:4:24 missing_key [nic] the hardware file has no `nic` | expected `nic: {injection: 270MBps, "
          "ejection: 270MBps}`, or rates in its place");
    CHECK(summary_of(only(faults(kHead + "cluster_memory: {node: bus}\n" + kLayers), wrong_yaml_type)) ==
          "m.yaml:4:24 wrong_yaml_type [bus] `node` is a single value | expected `{read: 270MBps, write: 270MBps}`, or "
          "`nic`");
    CHECK(summary_of(only(faults(kHead + "cluster_memory: {node: {disk: scratch}}\n" + kLayers), unknown_key)) ==
          "m.yaml:4:25 unknown_key [disk] unknown key `disk` in `node` | expected one of `read`, `write`, `shared`");
}

TEST_CASE("cluster memory may have the latency of the largest messages") {
    const std::string rows =
        "layers:\n  network:\n    - {up_to: 1KiB, protocol: eager, o_send: 1us, o_recv: 1us, L: 3us, G: 1ns/B}\n"
        "    - {protocol: rendezvous, o_send: 1us, o_recv: 1us, L: 7us, G: 1ns/B}\n";
    CHECK(read(kHead + "cluster_memory: {latency: network}\n" + rows).file.cluster_memory.latency == Time{7'000'000});
    CHECK(faults(kHead + "cluster_memory: {latency: nic}\n" + rows).count() == 1);
    CHECK(faults(kHead + "cluster_memory: {latency: network}\n").count() == 1);  // `layers` alone
}

TEST_CASE("a shared channel writes at its read rate unless the file states another one") {
    const ClusterMemory memory =
        read(kHead +
             "cluster_memory: {server: {read: 2GBps, shared: on}, node: {read: 2GBps, write: 3GBps, shared: on}}\n" +
             kLayers)
            .file.cluster_memory;
    CHECK(memory.server.write_limit() == Bandwidth{2e9});
    CHECK(memory.server.limit_of_both() == Bandwidth{2e9});
    CHECK(memory.node.write_limit() == Bandwidth{3e9});
    CHECK(memory.node.limit_of_both() == Bandwidth{3e9});
    CHECK(DataChannel{Bandwidth{1e9}, Bandwidth{2e9}}.limit_of_both() == std::nullopt);
}

TEST_CASE("cluster memory may be that of the nodes, which have no servers beside them") {
    CHECK(built(on_platform("{servers: nodes, node: {read: 1GBps, write: 1GBps}}")).in_nodes);
    CHECK_FALSE(built(on_platform("{servers: 2}")).in_nodes);
    CHECK(refusal(on_platform("{servers: nodes, server: {read: 1GBps}}"), conflicting_keys)
              .find("both `server` and `servers: nodes` are given") != std::string::npos);
}

}  // namespace warpfront::machine::cluster_memory_test
