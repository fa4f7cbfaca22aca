// Not pinned here: cores within a node (cores_test.cpp); the key of a scenario (tests/scenario/placement_key_test.cpp);
// growth, notes and faults of a placement on a machine (tests/loading/sharing_test.cpp); the noise of a run, which
// draws from the same generator (tests/variation).
#include "simulator/machine/placement/rules.hpp"
#include "tests/loading/workspace.hpp"

namespace warpfront::machine {

TEST_CASE("patches are numbered row by row, and so are the places within one, whose ranks fill the cores in order") {
    const Placement placement = cut(RankGrid{6, 4}, Patch{2, 2});
    CHECK(placement.node_array.columns == 3);
    CHECK(placement.node_array.rows == 2);
    const Rank rank = placement.grid.at(4, 3);  // column 4 is the second of patch column 2, row 3 the first of row 2
    CHECK(placement.node_of(rank) == Node{1 * 3 + 1});
    CHECK(placement.core_of(rank) == 1);
    CHECK(placement.core_of(placement.grid.at(3, 4)) == 2);
}

TEST_CASE("patches of several planes are numbered plane by plane, and so are the places within one") {
    const Placement placement = cut(RankGrid{6, 4, 4}, Patch{2, 2, 2});
    CHECK(placement.node_array == Extents{3, 2, 2});
    CHECK(placement.nodes() == 12);
    // column 4, row 3, plane 3: the second of patch column 2, the first of patch row 2 and of patch plane 2
    const Rank rank = placement.grid.at(4, 3, 3);
    CHECK(rank == Rank{(2 * 4 + 2) * 6 + 3});
    CHECK(placement.node_of(rank) == Node{(1 * 2 + 1) * 3 + 1});
    CHECK(placement.core_of(rank) == 1);
    CHECK(placement.core_of(placement.grid.at(3, 4, 4)) == (1 * 2 + 1) * 2 + 0);
    CHECK(cut(RankGrid{2, 2, 5}, Patch{2, 2, 2}).node_array == Extents{1, 1, 3});  // the last is cut short
}

TEST_CASE("a table gives each place of every patch its core") {
    Placement placement = cut(RankGrid{4, 2}, Patch{2, 2});
    placement.cores = {0, 4, 1, 5};
    CHECK(placement.core_of(placement.grid.at(1, 1)) == 0);
    CHECK(placement.core_of(placement.grid.at(4, 1)) == 4);  // the second place of the second node
    CHECK(placement.core_of(placement.grid.at(3, 2)) == 1);
    CHECK(placement.core_at(1, 1) == 5);
}

TEST_CASE("the last patch of a row or column may be cut short") {
    const Placement placement = cut(RankGrid{5, 3}, Patch{2, 2});
    CHECK(placement.node_array.columns == 3);
    CHECK(placement.node_array.rows == 2);
    CHECK(placement.node_of(placement.grid.at(5, 3)) == Node{5});
    CHECK(cut(RankGrid{2, 1}, Patch{4, 4}).nodes() == 1);  // as may the only one
}

TEST_CASE("ranks and nodes of several jobs follow those of the job before, each in its own patches") {
    Placement jobs;
    jobs.jobs = {cut(RankGrid{4, 2}, Patch{2, 1}), cut(RankGrid{2, 2}, Patch{2, 2})};
    jobs.jobs[1].cores = {0, 4, 1, 5};
    CHECK(jobs.nodes() == 4 + 1);
    CHECK(jobs.node_of(Rank{7}) == Node{3});  // column 4, row 2 of the first job
    CHECK(jobs.core_of(Rank{7}) == 1);
    CHECK(jobs.node_of(Rank{8 + 3}) == Node{4 + 0});
    CHECK(jobs.core_of(Rank{8 + 3}) == 5);
    CHECK(jobs.link_key(Rank{7}) == 1);      // second column of its patch
    CHECK(jobs.link_key(Rank{8 + 3}) == 2);  // second column and second row
    CHECK(jobs.cores_in_use() == std::vector<std::uint32_t>{0, 1, 4, 5});
}

namespace {

const std::vector<std::uint32_t> kNoTorus;

PlacementRequest fragmented(PlacementRule rule, Share share) {
    return {.rule = rule, .seed = {3}, .fragmentation = share, .rank_file = {}, .range = {}};
}

std::size_t different(const std::vector<Host>& hosts) { return std::set<Host>(hosts.begin(), hosts.end()).size(); }

}  // namespace

TEST_CASE("without a torus, block places like linear") {
    const Placement nodes = cut({3, 2}, {1, 1});
    const std::vector<Host> in_order{{0}, {1}, {2}, {3}, {4}, {5}};
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::block, {}), 8, kNoTorus).host_of == in_order);
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::linear, {}), 8, kNoTorus).host_of == in_order);
}

TEST_CASE("random placement takes the first hosts of a random order of all") {
    std::vector<Host> order = random_order(8, {3}, Purpose::placement);
    order.resize(6);
    CHECK(allocate_hosts(cut({3, 2}, {1, 1}), fragmented(PlacementRule::random, {}), 8, kNoTorus).host_of == order);
}

TEST_CASE("linear and random placement skip the hosts that other jobs occupy and keep their order") {
    const Placement nodes = cut({4, 3}, {1, 1});
    const std::vector<bool> taken = taken_hosts(24, {0.5}, {3});
    std::vector<Host> in_order;
    for (std::uint32_t host = 0; host < 24; ++host) {
        if (!taken[host]) in_order.push_back({host});
    }
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::linear, {0.5}), 24, kNoTorus).host_of == in_order);
    std::vector<Host> at_random = random_order(24, {3}, Purpose::placement);
    std::erase_if(at_random, [&](Host host) { return taken[host.index]; });
    CHECK(allocate_hosts(nodes, fragmented(PlacementRule::random, {0.5}), 24, kNoTorus).host_of == at_random);
}

TEST_CASE("block keeps nodes on free hosts and moves the others to the next free host") {
    const Placement nodes = cut({4, 3}, {1, 1});
    const std::vector<std::uint32_t> torus{4, 3, 2};
    const std::vector<bool> taken = taken_hosts(24, {0.4}, {3});
    const std::vector<Host> folded = fold({4, 3}, torus);

    // by hand: node by node, one host after another
    std::vector<Host> expected = folded;
    std::set<std::uint32_t> in_use;
    for (const Host host : folded) {
        if (!taken[host.index]) in_use.insert(host.index);
    }
    std::uint32_t displaced = 0;
    for (auto& [host] : expected) {
        if (!taken[host]) continue;
        while (taken[host] || in_use.contains(host)) host = (host + 1) % 24;
        in_use.insert(host);
        ++displaced;
    }
    const NodeHosts hosts = allocate_hosts(nodes, fragmented(PlacementRule::block, {0.4}), 24, torus);
    CHECK(displaced > 0);
    CHECK(hosts.displaced == displaced);
    CHECK(hosts.host_of == expected);
}

TEST_CASE("nodes that fill all free hosts get one each") {
    // 100 hosts, 90 of them taken, 10 nodes
    const NodeHosts hosts = allocate_hosts(cut({5, 2}, {1, 1}), fragmented(PlacementRule::block, {0.9}), 100, {10, 10});
    CHECK(different(hosts.host_of) == 10);
    const std::vector<bool> taken = taken_hosts(100, {0.9}, {3});
    CHECK(std::none_of(hosts.host_of.begin(), hosts.host_of.end(), [&](Host it) { return taken[it.index]; }));
}

}  // namespace warpfront::machine

namespace warpfront::machine {

TEST_CASE("a random order has every host once") {
    std::vector<Host> order = random_order(1000, {7}, Purpose::placement);
    std::vector<Host> all;
    for (std::uint32_t host = 0; host < 1000; ++host) all.push_back({host});
    CHECK(order != all);
    std::sort(order.begin(), order.end());
    CHECK(order == all);
}

TEST_CASE("a random order depends on seed and purpose, and on nothing else") {
    const auto order = random_order(1000, {7}, Purpose::placement);
    CHECK(random_order(1000, {7}, Purpose::placement) == order);
    CHECK(random_order(1000, {8}, Purpose::placement) != order);
    CHECK(random_order(1000, {7}, Purpose::taken_hosts) != order);
}

TEST_CASE("step k swaps position k with one from there on, drawn from the stream k") {
    std::vector<Host> expected{{0}, {1}, {2}};
    std::swap(expected[0], expected[Random({5}, Purpose::placement, 0, 0).below(3)]);
    std::swap(expected[1], expected[1 + Random({5}, Purpose::placement, 0, 1).below(2)]);
    CHECK(random_order(3, {5}, Purpose::placement) == expected);
}

TEST_CASE("every order of three hosts is equally likely") {
    // 6,000 seeds, 6 orders: 1,000 each, standard deviation sqrt(6,000 * 5 / 36) = 29; five of these are allowed
    std::array<int, 6> seen{};
    for (std::uint64_t seed = 0; seed < 6000; ++seed) {
        const auto order = random_order(3, {seed}, Purpose::placement);
        ++seen[order[0].index * 2 + (order[1] > order[2] ? 1 : 0)];
    }
    for (const int count : seen) {
        CHECK(count > 1000 - 145);
        CHECK(count < 1000 + 145);
    }
}

TEST_CASE("a share of a quarter takes 6 of 24 hosts, and 6 of 25: a fraction of a host is free") {
    CHECK(count_free_hosts(24, {0.25}) == 18);
    CHECK(count_free_hosts(25, {0.25}) == 19);
    const std::vector<bool> taken = taken_hosts(25, {0.25}, {1});
    CHECK(std::count(taken.begin(), taken.end(), true) == 6);
    CHECK(taken_hosts(25, {0.25}, {1}) == taken);
    CHECK(taken_hosts(25, {0.25}, {2}) != taken);
}

TEST_CASE("beside other jobs the hosts needed are those whose free share suffices: 80 of 100 at a fifth, all at none") {
    CHECK(count_free_hosts(24, {0.0}) == 24);
    CHECK(hosts_needed(24, {0.0}, 1000) == 24);
    CHECK(hosts_needed(80, {0.2}, 1000) == 100);
    CHECK(hosts_needed(80, {0.2}, 99) == 100);  // beyond the maximum: one more than that
    CHECK(hosts_needed(80, {0.9999999999999999}, 1000) == 1001);
}

TEST_CASE("the hosts needed include the requested free ones at any share") {
    for (const double share : {0.1, 0.3, 0.5, 0.77, 0.99}) {
        for (std::uint64_t free = 1; free < 200; ++free) {
            const std::uint64_t hosts = hosts_needed(free, {share}, 1'000'000);
            INFO("share ", share, ", free ", free);
            REQUIRE(count_free_hosts(hosts, {share}) >= free);
            REQUIRE(static_cast<double>(hosts) <= static_cast<double>(free) / (1.0 - share) + 2.0);
        }
    }
}

}  // namespace warpfront::machine

namespace warpfront::machine {

namespace {

RankFile read(const std::string& text) {
    const Workspace files;
    return read_rank_file(files.source("ranks.txt", text));
}
Diagnostics checked(const std::string& text, std::uint32_t nodes, std::uint32_t hosts) {
    Diagnostics faults;
    const bool right = check_rank_file(read(text), nodes, hosts, faults);
    CHECK(right == faults.empty());
    return faults;
}
Diagnostics junk(const std::string& text) {
    return faults_of([&] { read(text); });
}

}  // namespace

TEST_CASE("a rank file lists a host per line, node by node; blanks, comments and empty lines do not matter") {
    CHECK(read("5\n3\n4\n").host_of == std::vector<Host>{{5}, {3}, {4}});
    CHECK(read("# first row\n 5 # west\n\n\t3\r\n4").host_of == std::vector<Host>{{5}, {3}, {4}});  // no last end
    CHECK(checked("5\n3\n4\n", 3, 6).render() == "");
}

TEST_CASE("a line that is no host number is a fault there") {
    CHECK(summary_of(only(junk("5\n  rank3 \n4\n"), bad_number)) ==
          "ranks.txt:2:3 bad_number [rank3] `rank3` is not a whole number | expected a whole number from 0 to "
          "4294967295");
    CHECK(marked(only(junk("5 6\n"), bad_number)) == "5 6");
    CHECK(marked(only(junk("-1\n"), out_of_range)) == "-1");
    CHECK(marked(only(junk("4294967296\n"), out_of_range)) == "4294967296");
}

TEST_CASE("a host that the machine has not is a fault at its line") {
    CHECK(summary_of(only(checked("5\n6\n4\n", 3, 6), out_of_range)) ==
          "ranks.txt:2:1 out_of_range [6] there is no host 6 | expected a host from 0 to 5");
}

TEST_CASE("the same host twice is a fault at the second line, naming the first") {
    const Diagnostic fault = only(checked("5\n3\n5\n", 3, 6), host_taken_twice);
    CHECK(line_of(fault) == 3);
    CHECK(fault.expected.find("line 1") != std::string::npos);
}

TEST_CASE("too few lines are a fault at the end, too many at the first that is too many") {
    CHECK(only(checked("5\n3\n", 3, 6), rank_file_length).message == "the file lists 2 hosts for 3 nodes");
    CHECK(only(checked("", 3, 6), rank_file_length).message == "the file lists 0 hosts for 3 nodes");
    CHECK(line_of(only(checked("5\n3\n1\n2\n", 3, 6), rank_file_length)) == 4);
}

TEST_CASE("reading stops after the most faults that are reported") {
    std::string text;
    for (int line = 0; line < 100'000; ++line) text += "x\n";
    CHECK(junk(text).count() == Diagnostics::kMostDiagnostics);
}

}  // namespace warpfront::machine
