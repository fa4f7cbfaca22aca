#include "tools/program/command_line/examples.hpp"

#include <array>

#include <fmt/format.h>

namespace warpfront::tools {

namespace {

constexpr std::array kExamples{
    Example{"run", "models/lu/lu.yaml --set ranks.columns=16 --set iterations=10 --json build/lu.json",
            "NPB LU on 16 x 4 ranks, ten iterations: a table, and the result as JSON"},
    Example{"run", "models/chimaera/chimaera.yaml --set iterations=1 --set noise.cv=0.05 --seeds 10",
            "ten seeds with noise: the mean time, its spread and its 95 % interval"},
    Example{"run", "models/jobs/sweep-and-transfers.yaml",
            "two jobs on one machine: the time of each alone and beside the other"},
    Example{"run", "models/lu/lu.yaml --set iterations=1 --timeline build/lu.pftrace",
            "what the ranks do in the first iteration, for ui.perfetto.dev"},
    Example{"run",
            "models/chimaera/chimaera.yaml --set iterations=1 --json build/chimaera.json --timeline "
            "build/chimaera-timeline.json --timeline-ranks 0..7",
            "the result, and what the first eight ranks do, both for a page"},
    Example{"explain", "models/lu/lu.yaml --set iterations=10 --reruns",
            "what the longest chain of events consists of, and ten per cent less of each part tried"},
    Example{"estimate", "models/lu/lu.yaml --set ranks.columns=64",
            "how many messages, how much memory and how much time this run would take"},
    Example{"compare", "models/lu/lu.yaml --engines analytic --against models/lu/measured/xt3.csv --tolerance 1",
            "the closed form beside each published prediction and measurement; fails beyond 1 %"},
    Example{"compare", "models/lu/lu.yaml --set ranks.columns=4 --set iterations=1 --engines event,simgrid",
            "the same messages in the event engine and on SimGrid's network"},
    Example{"compare", "models/measured.yaml --engines analytic --json build/measured.json",
            "errors of the closed form and of published predictions in all measured runs, and the result for a page"},
    Example{"study",
            "models/chimaera/chimaera.yaml --vary parameters.htile=1..10 --engines analytic --out build/heights",
            "the closed form over ten tile heights: a table, and CSV, JSON and a page in build/heights"},
    Example{
        "study",
        "models/sweep3d/billion.yaml --ranks '1024..131072*2' --engines analytic --best efficiency --out build/scaling",
        "1,024 to 131,072 ranks in process grids shaped like the scenario's: times and efficiency beside ideal "
        "scaling"},
    Example{"sources", "models/sources/mudalige-2009/table-4.13.yaml --out build/sources",
            "a published table at its own settings, and how near the closed form and the event engine are"},
    Example{"report", "build/lu.json -o build/lu.html",
            "a page with the prediction, what binds, the process grid, links and inputs"},
    Example{"report", "build/chimaera.json build/chimaera-timeline.json -o build/chimaera.html",
            "the same with a timeline of a few ranks"},
    Example{"serve", "models/lu/lu.yaml",
            "an address on localhost: a page with sliders for latency, bandwidth, topology, ranks, tile height"},
    Example{"fit",
            "--layer chip=tools/from_code/fitting/tables/open-mpi.csv --like platforms/xt4.yaml -o build/fitted.yaml",
            "a machine like the XT4 whose messages within a chip take what a benchmark has measured"},
    Example{"trace", "models/lu/lu.yaml --set ranks.columns=4 --set iterations=1 --out build/traces",
            "one trace per rank, and a script that has SimGrid replay them"},
    Example{"record", "-n 3 --buffer 1MiB --out build/true -- build/walk/sweep 3 30 30 10 5 2",
            "three ranks of an MPI code, and what they call"},
    Example{"learn", "build/walk/3x3 build/walk/4x3 build/walk/3x4 -o build/walk/learnt.psl",
            "a model from three recorded runs, and the largest of them as a scenario"},
    Example{"learn",
            "build/walk/3x3 build/walk/4x3 build/walk/3x4 --costs build/walk/block.psl -o build/walk/counted.psl",
            "the same with a counted kernel in place of the block that computes most"},
    Example{"check", "models/lu/lu.psl models/lu/lu.yaml platforms/xt3.yaml", "all faults of these files at once"},
    Example{"check", "--platform platforms/xt4.yaml --scenario models/sweep3d/billion.yaml",
            "the machine: nodes, links, diameter, bisection bandwidth, and how far communicating ranks are apart"},
    Example{"check", "--costs models/sweep3d/pentium3.yaml",
            "what each piece of work costs, and where the numbers are from"},
    Example{"check", "--ir models/lu/lu.yaml --set ranks.columns=4", "what each rank does, as the engine steps it"},
    Example{"costs",
            "build/kernel --kernel sweep_ --deck i=2..9,j=2..8,k=4,m=6 --time i=40,j=40 -o build/sweep.psl -- "
            "{i} {j} {k} {m}",
            "the operations of `sweep` in tests/codes/kernel.f, as subtasks of a model; its achieved rate"},
    Example{"opcodes", "-o build/hardware.psl", "times of operations on the host, as a hardware object of a model"},
};

}  // namespace

std::span<const Example> examples() { return kExamples; }

std::string examples_text(std::string_view command) {
    std::string text = "Examples:";
    std::string_view shown;
    for (const Example& example : kExamples) {
        const bool chosen = command.empty() ? example.command != shown : example.command == command;
        if (!chosen) continue;
        shown = example.command;
        text += fmt::format("\n  warpfront {} {}\n      {}", example.command, example.arguments, example.answers);
    }
    return text;
}

}  // namespace warpfront::tools
