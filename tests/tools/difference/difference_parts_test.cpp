// The parts of event minus closed form: by hand if all are known, and their sum in all cases.
#include "tools/answer/difference/difference_parts.hpp"

#include "tests/approx.hpp"
#include "tests/scratch.hpp"
#include "tests/texts.hpp"
#include "tools/answer/prediction/engines.hpp"

using namespace warpfront::tools;

namespace {

using Sets = std::vector<std::string>;

WideTime simulated(const Experiment& experiment) { return predict(Engine::event, experiment).record.finish; }

DifferenceParts parts_of(const std::filesystem::path& file, const Sets& sets) {
    const scenario::Scenario scenario = scenario::read_scenario(scenario::read_document(file, sets));
    const Experiment given = build_experiment(scenario);
    return difference_parts(given, rebuild(scenario, given), simulated(given), simulated);
}

DifferenceParts shipped(const std::string& model, const Sets& sets) {
    return parts_of(std::filesystem::path(WARPFRONT_SOURCE_DIR) / "models" / model, sets);
}

double microseconds(const DifferenceParts& parts, std::string_view name) {
    for (const DifferencePart& part : parts.parts) {
        if (part.name == name) return seconds(part.time) * 1e6;
    }
    FAIL("no such part");
    return 0.0;
}

bool holds_any(const std::string& text, const Sets& words) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return text.find(word) < text.size(); });
}

/// Sweep3D on 2 x 2 cells per rank of the XT4, 6 tiles.
const Sets kTiny{"calibration=off",
                 "iterations=2",
                 "ranks={columns: 3, rows: 2}",
                 "cells_per_rank.x=2",
                 "cells_per_rank.y=2",
                 "parameters.nz=6",
                 "parameters.mk=1",
                 "parameters.mmi=6",
                 "parameters.mmo=6",
                 "parameters.wg=0.5us",
                 "parameters.wg_fixup=0.5us"};

Sets tiny(const Sets& more) {
    Sets sets = kTiny;
    sets.insert(sets.end(), more.begin(), more.end());
    return sets;
}

}  // namespace

namespace {

/// Returns the parts of a sweep of two tiles over 3 x 1 ranks on the machine `h.yaml` of this folder.
DifferenceParts parts_of_sweep(const Scratch& scratch) {
    scratch.file("m.psl",
                 "application m {\n"
                 "  iteration { repeat 2 { recv from west  compute 100us  send 2B to east } }\n"
                 "  closed_form { work = 100us tiles = 2 east_west = 2B north_south = 2B corners = [northwest] }\n"
                 "}\n");
    return parts_of(scratch.file("s.yaml", "model: m.psl\nplatform: h.yaml\nranks: {columns: 3, rows: 1}\n"), {});
}

}  // namespace

TEST_CASE("one sweep over 3 x 1 ranks: what is simulated, and what the closed form charges instead") {
    // Send 1us, L 10us, o_recv 2us, G 1us/B, 2 bytes; 2 tiles of 100us
    Scratch scratch;
    scratch.file(
        "h.yaml",
        "name: h\nsize: fit\ncores: 1\ntopology: {kind: torus, dimensions: [4], bandwidth: 1GBps, latency: 0us}\n"
        "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 2us, L: 10us, G: 1us/B}]\n");
    const DifferenceParts parts = parts_of_sweep(scratch);
    CHECK(seconds(parts.event) * 1e6 == approx(433.0));        // step by step in unblocked_run_test.cpp
    CHECK(seconds(parts.closed_form) * 1e6 == approx(456.0));  // 2 (100 + 15) + 2 (12 + 100 + 1)
    CHECK(microseconds(parts, "back_pressure") == 0.0);        // eager
    CHECK(microseconds(parts, "messages") == approx(-10.0));   // 433 - 443: L of the receive of tile 2
    CHECK(microseconds(parts, "overlap") == 0.0);              // one sweep
    CHECK(microseconds(parts, "stack") == approx(-13.0));      // Recv of tile 1, Send of tile 2
    CHECK(parts.sum() == parts.event - parts.closed_form);
}

TEST_CASE("nodes with faster wires than the slowest are a part: one sweep over 3 x 1 ranks, one of two links slow") {
    // The second link takes 4 us per byte here, so its messages take 8 us instead of the 2 above. The closed form
    // charges both so: 2 (100 + 21) + 2 (12 + 100 + 1). The first link is 6 us faster.
    Scratch scratch;
    scratch.file("p.xml", test::platform_xml(R"(<zone id="z" routing="Floyd">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
<link id="fast" bandwidth="1GBps" latency="0us"/><link id="slow" bandwidth="250kBps" latency="0us"/>
<route src="a" dst="b"><link_ctn id="fast"/></route><route src="b" dst="c"><link_ctn id="slow"/></route></zone>)"));
    scratch.file("h.yaml",
                 "name: h\nsize: exact\nplatform: p.xml\n"
                 "layers:\n  network: [{protocol: eager, o_send: 1us, o_recv: 2us, L: 10us, G: 1us/B}]\n");
    const DifferenceParts parts = parts_of_sweep(scratch);
    CHECK(seconds(parts.event) * 1e6 == approx(433.0 + 6.0));
    CHECK(seconds(parts.closed_form) * 1e6 == approx(468.0));
    CHECK(microseconds(parts, "wires") == approx(-6.0));
    CHECK(microseconds(parts, "back_pressure") == 0.0);
    CHECK(parts.sum() == parts.event - parts.closed_form);
}

TEST_CASE("resources that are not shared, work that does not vary and block placement have no parts") {
    const DifferenceParts parts =
        shipped("sweep3d/billion.yaml",
                tiny({"ranks={columns: 3, rows: 3}", "node={columns: 1, rows: 1}", "platform.bus.enabled=off",
                      "platform.nic.enabled=off", "platform.links.enabled=off"}));
    for (const char* name : {"noise", "links", "nic", "bus", "memory"}) {
        CAPTURE(name);
        CHECK(microseconds(parts, name) == 0.0);
    }
    CHECK(parts.sum() == parts.event - parts.closed_form);
}

TEST_CASE("noise is a part of its own") {
    const Sets calm = tiny({"ranks={columns: 3, rows: 3}"});
    const DifferenceParts without = shipped("sweep3d/billion.yaml", calm);
    const DifferenceParts with = shipped("sweep3d/billion.yaml", tiny({"ranks={columns: 3, rows: 3}", "noise.cv=0.3"}));
    CHECK(microseconds(with, "noise") == approx(seconds(with.event - without.event) * 1e6));
    CHECK(microseconds(without, "noise") == 0.0);
    CHECK(microseconds(with, "overlap") == microseconds(without, "overlap"));
}

TEST_CASE("a calibration is a part of its own, and the closed form has none of it") {
    const Scratch scratch;
    const std::string file = scratch
                                 .file("c.yaml",
                                       "platform: {bus: {o_dma: 5us}}\n"
                                       "computing: {sweep3d: {factor: 1.1, per_block: 1us}}\n")
                                 .string();
    const DifferenceParts without = shipped("sweep3d/billion.yaml", tiny({"calibration=off"}));
    const DifferenceParts with = shipped("sweep3d/billion.yaml", tiny({"calibration=" + file}));
    CHECK(with.closed_form == without.closed_form);
    CHECK(with.event > without.event);
    CHECK(microseconds(with, "calibration") == approx(seconds(with.event - without.event) * 1e6));
    CHECK(microseconds(with, "bus") == microseconds(without, "bus"));
    CHECK(with.sum() == with.event - with.closed_form);
}

TEST_CASE("a random placement is a part, distance included") {
    const Sets slow{"ranks={columns: 4, rows: 4}", "platform.links.enabled=off"};
    const DifferenceParts near = shipped("sweep3d/billion.yaml", tiny(slow));
    Sets far = slow;
    far.push_back("placement=random(3)");
    const DifferenceParts apart = shipped("sweep3d/billion.yaml", tiny(far));
    CHECK(apart.event - near.event != WideTime{});
    CHECK(microseconds(apart, "placement") - microseconds(near, "placement") ==
          approx(seconds(apart.event - near.event) * 1e6));
}

TEST_CASE("on one rank the closed form is exact and all parts are zero") {
    const DifferenceParts parts =
        shipped("chimaera/chimaera.yaml", {"calibration=off", "ranks={columns: 1, rows: 1}", "iterations=1",
                                           "cells_per_rank.x=3", "cells_per_rank.y=3", "parameters.nz=5"});
    for (const DifferencePart& part : parts.parts) {
        CAPTURE(part.name);
        CHECK(part.time == WideTime{});
    }
}

TEST_CASE("whatever the code, the machine, the ranks, the placement and the noise: the parts add up exactly") {
    std::mt19937 draw(14);
    const auto pick = [&draw](const Sets& from) { return from[draw() % from.size()]; };
    const auto number = [&draw](unsigned most) { return std::to_string(1 + draw() % most); };
    for (int trial = 0; trial < 40; ++trial) {
        const std::string model = pick({"sweep3d/billion.yaml", "chimaera/chimaera.yaml", "lu/lu.yaml"});
        Sets sets{"ranks={columns: " + number(5) + ", rows: " + number(5) + "}",
                  "iterations=" + number(3),
                  "cells_per_rank.x=" + number(6),
                  "cells_per_rank.y=" + number(6),
                  "parameters.nz=" + number(9),
                  pick({"node={columns: 1, rows: 1}", "node={columns: 2, rows: 1}"}),
                  pick({"placement=block", "placement=linear", "placement=random(5)"}),
                  pick({"noise=off", "noise.cv=0.2"}),
                  pick({"platform=../../platforms/xt4.yaml", "platform=../../platforms/infiniband.yaml",
                        "platform=../../platforms/hippi.yaml", "platform=../../platforms/sp2.yaml",
                        "platform=../../platforms/epyc.yaml", "platform=../../platforms/pentium3.yaml"})};
        if (model == "lu/lu.yaml") sets[0] = pick({"ranks={columns: 2, rows: 4}", "ranks={columns: 4, rows: 2}"});
        std::string said = model;
        for (const std::string& set : sets) said += " --set '" + set + "'";
        CAPTURE(said);
        const DifferenceParts parts = shipped(model, sets);
        CHECK(parts.sum() == parts.event - parts.closed_form);
        // all messages of these machines are eager: without sharing the event engine is the run without back-pressure
        const bool eager = holds_any(sets.back(), {"infiniband", "hippi", "pentium3"});
        if (eager) CHECK(microseconds(parts, "back_pressure") == 0.0);
    }
}
