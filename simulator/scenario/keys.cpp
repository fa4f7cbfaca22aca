#include "simulator/scenario/keys.hpp"

#include <array>

namespace warpfront::scenario {

namespace {

constexpr std::string_view kClasses = "heterogeneity.classes.";  // beginning of keys of list items, which have no path

constexpr std::array kKeys{
    Key{"model", "file (.psl) or mapping", "required without `trace`",
        "the code: a PSL file, or a mapping with that `file` and new defaults of its objects"},
    Key{"model.file", "file (.psl)", "required in a mapping",
        "the PSL file; any other key of the mapping names a template, subtask, function or hardware object and "
        "contains its new defaults: `kernel: {moments: 4}`"},
    Key{"trace", "folder or file", "none",
        "time-independent traces, in place of `model`, `iterations`, `parameters`, `cells_per_rank`: a folder with a "
        "list `traces.txt`, or a list; or a recorded run: a folder of `record`, OTF2, GOAL, texts of `dumpi2ascii "
        "-SX`"},
    Key{"speed", "flop rate or number", "1Tflops; a recorded run: 1",
        "rate of the processor that computes the flops of traces; for a recorded run, the factor by which "
        "computing is faster than recorded; only with `trace`"},
    Key{"communicators", "file (.yaml)", "none: all ranks",
        "the communicators that the collectives of traces belong to; only with `trace`"},
    Key{"arrivals", "`first` or `recorded`", "first",
        "the message that a receive from any source, or a wait for any of several requests, takes: the first to "
        "arrive, or that of the recorded run; `recorded` needs a recorded run, and SimGrid's engine needs "
        "`recorded`"},
    Key{"platform", "file (.yaml) or mapping", "required",
        "the machine: a hardware file, or a mapping with that `file` and changes to it"},
    Key{"platform.file", "file (.yaml)", "required in a mapping",
        "the hardware file; any other key of the mapping changes the key of that name in it"},
    Key{"ranks", "mapping", "required", "the process grid of MPI ranks, at most 2^24 in all"},
    Key{"ranks.columns", "whole number from 1", "required", "ranks from west to east, n"},
    Key{"ranks.rows", "whole number from 1", "required", "ranks from north to south, m"},
    Key{"ranks.planes", "whole number from 1", "1",
        "planes of ranks from the bottom up, for codes of three dimensions"},
    Key{"node", "mapping", "{columns: 1, rows: 1}", "the patch of neighbouring ranks on one node, Cx by Cy (by Cz)"},
    Key{"node.columns", "1 to 65535", "required in `node`", "columns of the patch"},
    Key{"node.rows", "1 to 65535", "required in `node`", "rows of the patch"},
    Key{"node.planes", "1 to 65535", "1", "planes of the patch"},
    Key{"node.fill", "`pack` or `spread`", "pack",
        "the cores that the ranks of the patch use: `pack` takes the first cores of the node, `spread` takes "
        "cores of all its parts ([ranks on cores](#ranks-on-cores))"},
    Key{"node.cores", "list of cores", "none: by `fill`",
        "the core of each rank of the patch, row by row and plane by plane; each core at most once: `[0..7, "
        "32..39]`"},
    Key{"placement", "`block`, `linear`, `random(SEED)`, list of ranks or mapping", "block",
        "the host of each node; or, in place of `node`, the host and optionally the core of each rank: `0..3:12, "
        "4..7:13:0..6..2` ([ranks on cores](#ranks-on-cores))"},
    Key{"placement.rule", "`block`, `linear` or `random`", "block", "the order of hosts"},
    Key{"placement.seed", "whole number from 0", "0",
        "seed of the random order and of the hosts that other jobs occupy"},
    Key{"placement.fragmentation", "0 to below 1", "0", "the share of hosts that other jobs occupy"},
    Key{"placement.file", "file", "none",
        "a file with one host number per line, node by node; it excludes the other keys of `placement`"},
    Key{"placement.ranks_per_node", "1 to 65535", "none: by `node`",
        "the number of ranks on a node, in place of `node`, as Slurm's `--ntasks-per-node`"},
    Key{"placement.distribution", "`NODES:CORES`", "none: `block:block` with `ranks_per_node`",
        "the orders in which ranks are dealt over nodes, `block`, `cyclic` or `plane=RANKS`, and over the cores of a "
        "node, `block` or `cyclic`, as Slurm's `--distribution`"},
    Key{"placement.rankfile", "file", "none",
        "a file with lines `rank 0=12 slot=3`, in place of `node`, as Open MPI's rankfile; it excludes the other "
        "keys of `placement`"},
    Key{"iterations", "1 to 10^9", "1", "iterations of the code"},
    Key{"cells_per_rank", "mapping", "none", "weak scaling, in place of the whole grid in `parameters`"},
    Key{"cells_per_rank.x", "whole number from 1", "none",
        "the parameter with the role `cells_x` (`nx`), the cells of the whole grid, becomes this times "
        "`ranks.columns`"},
    Key{"cells_per_rank.y", "whole number from 1", "none",
        "the parameter with the role `cells_y` (`ny`) becomes this times `ranks.rows`"},
    Key{"cells_per_rank.z", "whole number from 1", "none",
        "the parameter with the role `cells_z` (`nz`) becomes this times `ranks.planes`"},
    Key{"parameters", "mapping", "the model's defaults",
        "values of the model's parameters by name, with units where they have one: `wg: 0.414us`"},
    Key{"calibration", "`on`, `off` or file (.yaml)", "on",
        "terms fitted to measured runs on the machine: `on` uses the file that the hardware file names, `off` "
        "uses none"},
    Key{"seed", "whole number from 0", "0", "seed of all draws of `noise` and `heterogeneity`"},
    Key{"noise", "mapping or `off`", "none: that of the calibration",
        "work that varies from block to block, and interruptions by the operating system"},
    Key{"noise.cv", "0 to 10", "0",
        "every compute block is multiplied by a lognormal of mean 1 and this coefficient of variation, drawn anew"},
    Key{"noise.jitter", "time", "0s",
        "additional standard deviation of every block, independent of its length: for a block of 10us, 3us is a "
        "coefficient of 0.3; at most 10 times the length of a block"},
    Key{"noise.redrawn", "`on` or `off`", "on",
        "off: draws repeat after the least number of iterations with 1,000 blocks and, on average, 100 interruptions, "
        "at most 10,000,000 messages or 4,096 iterations; so iterations recur and are skipped; the mean stays, the "
        "total varies more from seed to seed"},
    Key{"noise.repeats_after", "whole number from 1", "none: `redrawn` decides",
        "iterations after which draws repeat, as with `redrawn: off`"},
    Key{"noise.periodic", "mapping or `off`", "off",
        "periodic OS noise: the operating system occupies the processor of each rank for the last `length` of every "
        "`period`; only computing is delayed"},
    Key{"noise.periodic.period", "time above 0", "required in `periodic`",
        "time from the beginning of one interruption to the next"},
    Key{"noise.periodic.length", "time below the period", "required in `periodic`", "length of one interruption"},
    Key{"noise.periodic.aligned", "`on` or `off`", "off",
        "on: the periods of all ranks begin at time 0; off: those of each rank begin at a time drawn for it"},
    Key{"noise.interruptions", "mapping or `off`", "off",
        "each block of computing is interrupted a Poisson number of times, drawn for the block"},
    Key{"noise.interruptions.per_second", "0 to 1e9", "required in `interruptions`",
        "mean number of interruptions per second of computing"},
    Key{"noise.interruptions.length", "time", "required in `interruptions`", "length of one interruption"},
    Key{"noise.interruptions.absorbed_by", "`idle_core` or `nothing`", "idle_core",
        "idle_core: the ranks of a node that has a core without a rank are not interrupted"},
    Key{"heterogeneity", "mapping or `off`", "off", "ranks of different speeds"},
    Key{"heterogeneity.classes", "list of mappings", "none", "each rank falls into a class with probability `share`"},
    Key{"heterogeneity.classes.share", "above 0 to 1", "required in a class", "the shares add up to 1"},
    Key{"heterogeneity.classes.speed", "above 0", "required in a class", "work takes 1 / `speed` of the time"},
    Key{"heterogeneity.map", "file (.csv)", "none",
        "columns `rank`, `factor` and optionally `wave`: the work of a rank, or only of its tile with the number "
        "`wave`, is multiplied by `factor`; in models with lists of tasks, `rank` is the number of a core, and `wave` "
        "is not permitted"},
    Key{"workers", "mapping", "none: all cores throughout",
        "the cores that are available for [lists of tasks](../psl/README.md#self-scheduled-tasks)"},
    Key{"workers.schedule", "file (.csv)", "none",
        "columns `at`, `node`, `cores`: the number of cores of a node from a time on"},
    Key{"workers.drawn", "mapping", "none", "each node's cores are drawn anew, uniformly"},
    Key{"workers.drawn.least", "whole number from 0", "0", "the smallest number of cores"},
    Key{"workers.drawn.most", "whole number from 1", "none: all of a node", "the largest number of cores"},
    Key{"workers.drawn.every", "time from 1us", "required in `drawn`", "time from one draw to the next"},
    Key{"workers.joining", "`at_once` or `by_turn`", "at_once",
        "the moment at which cores come and go: `at_once` after the tasks that they have taken, `by_turn` at the "
        "beginning of a turn of their list; a list with fixed shares has no turns"},
    Key{"workers.lost", "list of mappings", "none",
        "nodes that fail; the tasks that they had taken are taken again, before all others"},
    Key{"workers.lost.node", "whole number from 0", "required in an item", "the number of the node, counted from 0"},
    Key{"workers.lost.at", "time", "required in an item", "time since the beginning of the run"},
    Key{"workers.lost.repaired", "time", "none: it stays lost", "time from `at` until the node is available again"},
};

}  // namespace

std::vector<std::string> paths_ending_in(std::string_view name) {
    std::vector<std::string> found;
    for (const Key& key : kKeys) {
        if (key.path == name) return {std::string(name)};
        if (key.path.starts_with(kClasses)) continue;
        if (key.path.substr(key.path.rfind('.') + 1) == name) found.emplace_back(key.path);
    }
    return found;
}

std::vector<std::string> paths_of_files() {
    std::vector<std::string> paths{"platform.topology.file"};
    for (const Key& key : kKeys) {
        if (key.form.find("file") != std::string_view::npos) paths.emplace_back(key.path);
    }
    return paths;
}

std::span<const Key> keys() { return kKeys; }

}  // namespace warpfront::scenario
