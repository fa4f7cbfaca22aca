// Programs of the trial's own, in PSL: an iteration of one to four phases, each of them a sweep, an exchange, a
// collective, work or an analytic region, some within loops and conditions.
#include "tests/campaign/draw.hpp"

namespace warpfront::campaign {

namespace {

constexpr std::array<const char*, 4> kCorners{"northwest", "southeast", "northeast", "southwest"};

/// One phase. Its choices begin with `name`, and it sends about `messages` in all iterations.
struct Phase {
    Draw& draw;
    std::string name;
    std::int64_t messages;

    Choices& choices() const { return draw.choices; }
    std::string at(const char* choice) const { return fmt::format("{}.{}", name, choice); }
    /// Draws the number of repetitions of an operation with `each` messages per rank.
    std::int64_t times(const char* choice, std::int64_t each) const {
        Draw part = draw;
        part.messages = messages;
        return part.tiles(at(choice), each);
    }
};

/// Draws sizes near the limits of protocols and packets, and any other.
std::string draw_bytes(const Phase& phase, const char* choice) {
    constexpr std::array<std::int64_t, 12> kKnown{8, 0, 40, 384, 1024, 1025, 1536, 4095, 4096, 23553, 38400, 1048577};
    const std::int64_t which = phase.choices().weighted(phase.at(choice), {1, 1});
    const std::string name = phase.at(choice) + ".bytes";
    const std::int64_t bytes =
        which == 0 ? phase.choices().of<std::int64_t>(name, kKnown) : phase.choices().size(name, 0, 60'000);
    return fmt::format("{}B", bytes);
}

/// Draws one size for all ranks and iterations, or several.
std::string draw_size(const Phase& phase, const char* choice) {
    const std::string one = draw_bytes(phase, choice);
    const std::string varied = fmt::format("{}.other", choice);
    switch (phase.choices().weighted(phase.at(choice) + ".varies", {8, 1, 1})) {
        case 1: return fmt::format("(if k == 2 then {} else {})", draw_bytes(phase, varied.c_str()), one);
        case 2:
            return fmt::format("(if (column + row) % 2 == 0 then {} else {})", draw_bytes(phase, varied.c_str()), one);
        default: return one;
    }
}

std::string draw_work(const Phase& phase, const char* choice) {
    Choices& choices = phase.choices();
    const std::string name = phase.at(choice);
    const std::string one = draw_time(choices, name, 0, 300 * kMicrosecond);
    switch (choices.weighted(name + ".varies", {8, 1, 1, 1, 1})) {
        case 1: return fmt::format("({} * (1 + column % 3))", one);
        case 2: return fmt::format("(if column == columns then {} * 10 else {})", one, one);
        case 3: return fmt::format("({} * (1 + rank % 5))", one);
        case 4:
            return fmt::format("(if k > iterations - 2 then {} else {})",
                               draw_time(choices, name + ".other", 0, 300 * kMicrosecond), one);
        default: return one;
    }
}

std::string sweeps(const Phase& phase) {
    const std::int64_t count = phase.choices().size(phase.at("sweeps"), 1, 4);
    std::string corners;
    for (std::int64_t k = 0; k < count; ++k) {
        if (k > 0) corners += ", ";
        corners += phase.choices().of<const char*>(fmt::format("{}.corner{}", phase.name, k), kCorners);
    }
    const std::int64_t tiles = phase.times("tiles", count);
    const std::string before = draw_time(phase.choices(), phase.at("before"), 0, kMicrosecond);
    return fmt::format("for start in [{}] {{ pipeline(start, {}, {}, {}, {}, {}) }}\n", corners, tiles, before,
                       draw_work(phase, "work"), draw_size(phase, "east_west"), draw_size(phase, "north_south"));
}

std::string allreduce(const Phase& phase) {
    const std::string size = draw_bytes(phase, "bytes");
    const std::string work = draw_work(phase, "work");
    return fmt::format("compute {}\nallreduce {}\n", work, size);
}

std::string halo(const Phase& phase) {
    return fmt::format("compute {}\nhalo({}, {})\n", draw_work(phase, "work"), draw_size(phase, "north_south"),
                       draw_size(phase, "east_west"));
}

/// Sends along a row of ranks, where eager messages run ahead of a slow end.
std::string stream(const Phase& phase) {
    const std::string work = draw_work(phase, "work");
    const char* const word = phase.choices().chance(phase.at("work.analytic"), 0.2) ? "analytic" : "compute";
    const bool named = phase.choices().chance(phase.at("work.phase"), 0.2);  // marks within the innermost loop
    return fmt::format(
        "repeat {} {{\n    recv from west tag 3\n    {}\n    send {} to east tag 3\n}}\n", phase.times("tiles", 1),
        fmt::format(fmt::runtime(named ? "phase work {{ {} {} }}" : "{} {}"), word, work), draw_size(phase, "size"));
}

/// Exchanges with neighbours on either side, with work while messages are in flight.
std::string overlap(const Phase& phase) {
    return fmt::format(
        "repeat {} {{\n    irecv left from west\n    irecv right from east\n    send {} to east\n"
        "    compute {}\n    send {} to west\n    wait right\n    compute {}\n    wait left\n}}\n",
        phase.times("tiles", 2), draw_size(phase, "east"), draw_work(phase, "first"), draw_size(phase, "west"),
        draw_work(phase, "second"));
}

/// Exchanges by posted receives and isends without a wait before the end, with sizes and partners as in a halo.
std::string posted(const Phase& phase) {
    return fmt::format(
        "repeat {} {{\n    irecv from west\n    irecv from north\n    irecv from east\n    isend {} to east\n"
        "    isend {} to west\n    compute {}\n    isend {} to south\n    waitall\n    compute {}\n}}\n",
        phase.times("tiles", 3), draw_size(phase, "east"), draw_size(phase, "west"), draw_work(phase, "first"),
        draw_size(phase, "south"), draw_work(phase, "second"));
}

/// Sends around each row: the last rank sends to the first.
std::string ring(const Phase& phase) {
    return fmt::format(
        "if columns > 1 {{\n    repeat {} {{\n        compute {}\n        sendrecv {} to rank_at(column % columns + 1, "
        "row) from rank_at((column + columns - 2) % columns + 1, row) tag 8\n    }}\n}}\n",
        phase.times("tiles", 1), draw_work(phase, "work"), draw_bytes(phase, "size"));
}

/// Runs any collective, over all ranks or some.
std::string collective(const Phase& phase) {
    Choices& choices = phase.choices();
    constexpr std::array<const char*, 10> kWords{"barrier", "broadcast", "reduce",   "allreduce",      "gather",
                                                 "scatter", "allgather", "alltoall", "reduce_scatter", "scan"};
    constexpr std::array<const char*, 4> kOver{"", " over row", " over column", " over (column + 2 * row) % 3"};
    const std::string word = choices.of<const char*>(phase.at("word"), kWords);
    const bool quadratic = word == "alltoall" || word == "reduce_scatter" || word == "allgather";
    std::int64_t over = choices.weighted(phase.at("over"), {3, 2, 2, 1});
    if (over == 0 && quadratic && phase.draw.ranks() > 60) over = 1;
    const std::string size = word == "barrier" ? "" : " " + draw_bytes(phase, "size");
    std::string root;
    if (choices.weighted(phase.at("rooted"), {1, 1}) == 1 && over < 3) {
        const bool spreads = word == "broadcast" || word == "scatter";
        const bool collects = word == "reduce" || word == "gather";
        constexpr std::array<const char*, 3> kRoots{"rank_at(columns, 1)", "rank_at(columns, row)",
                                                    "rank_at(column, rows)"};
        if (spreads || collects) {
            root = fmt::format(" {} {}", spreads ? "from" : "to", kRoots[static_cast<std::size_t>(over)]);
        }
    }
    return fmt::format("compute {}\n{}{}{}{}\n", draw_work(phase, "work"), word, size, root,
                       kOver[static_cast<std::size_t>(over)]);
}

/// Exchanges with the rank on the other side of the process grid: messages that cross the whole network.
std::string mirror(const Phase& phase) {
    return fmt::format(
        "if column * 2 != columns + 1 {{\n    repeat {} {{\n"
        "        irecv other from rank_at(columns + 1 - column, row) tag 5\n        compute {}\n"
        "        send {} to rank_at(columns + 1 - column, row) tag 5\n        wait other\n    }}\n}}\n",
        phase.times("tiles", 2), draw_work(phase, "work"), draw_size(phase, "size"));
}

/// Sends from every row of ranks to its first.
std::string gather(const Phase& phase) {
    return fmt::format(
        "compute {}\nif column > 1 {{ send {} to rank_at(1, row) tag 6 }}\n"
        "else if columns > 1 {{ for c in 2..columns {{ recv from rank_at(c, row) tag 6 }} }}\n",
        draw_work(phase, "work"), draw_size(phase, "size"));
}

/// Lets the first rank of every row answer the others in the order of arrival.
std::string answered(const Phase& phase) {
    const std::int64_t tasks = phase.times("tiles", 2);
    const bool open = phase.choices().chance(phase.at("open"), 0.5);
    const bool begun = phase.choices().chance(phase.at("begun"), 0.5);
    const std::string_view receive =
        open ? "irecv asking from any tag 9\n        compute 3us\n        wait asking" : "recv asking from any tag 9";
    return fmt::format(
        "if column == 1 and columns > 1 {{\n    repeat {0} * (columns - 1) {{\n        {6}\n"
        "        compute {1}\n        {7} {2} to asking tag 10\n        compute 2us\n        waitall\n    }}\n"
        "}} else if columns > 1 {{\n"
        "    repeat {0} {{\n        {3} {4} to rank_at(1, row) tag 9\n        recv from rank_at(1, row) tag 10\n"
        "        compute {5}\n    }}\n}}\n",
        tasks, draw_work(phase, "dispatch"), draw_bytes(phase, "answer"),
        phase.choices().chance(phase.at("synchronous"), 0.3) ? "ssend" : "send", draw_size(phase, "question"),
        draw_work(phase, "work"), receive, begun ? "isend" : "send");
}

/// Exchanges with the neighbours in the row, by receives from any rank that are open all at once.
std::string open_receives(const Phase& phase) {
    const bool reversed = phase.choices().chance(phase.at("reversed"), 0.5);
    return fmt::format(
        "if exists(west) and exists(east) {{\n    repeat {0} {{\n        irecv a from any tag 11\n        irecv b from "
        "any tag 11\n        isend {1} to east tag 11\n        isend {2} to west tag 11\n        compute {3}\n"
        "        wait {4}\n        compute {3}\n        wait {5}\n        waitall\n    }}\n"
        "}} else if exists(west) or exists(east) {{\n    repeat {0} {{\n        irecv from any tag 11\n        isend "
        "{1} to east tag 11\n        isend {2} to west tag 11\n        compute {3}\n        waitall\n    }}\n}}\n",
        phase.times("tiles", 2), draw_size(phase, "east"), draw_size(phase, "west"), draw_work(phase, "work"),
        reversed ? 'b' : 'a', reversed ? 'a' : 'b');
}

/// Exchanges with all neighbours, whose messages are processed in the order of arrival.
std::string first_come(const Phase& phase) {
    return fmt::format(
        "repeat {} {{\n    irecv from west\n    irecv from north\n    irecv from east\n    isend {} to east\n"
        "    isend {} to west\n    isend {} to south\n    repeat (if exists(west) then 1 else 0) + (if exists(north) "
        "then 1 else 0) + (if exists(east) then 1 else 0) {{\n        waitany\n        compute {}\n    }}\n    "
        "waitall\n}}\n",
        phase.times("tiles", 3), draw_size(phase, "east"), draw_size(phase, "west"), draw_size(phase, "south"),
        draw_work(phase, "work"));
}

/// Lets both neighbours send before either receives: a deadlock, unless the messages are eager.
std::string head_on(const Phase& phase) {
    return fmt::format(
        "repeat {} {{\n    compute {}\n    send {} to east tag 7\n    send {} to west tag 7\n"
        "    recv from west tag 7\n    recv from east tag 7\n}}\n",
        phase.times("tiles", 2), draw_work(phase, "work"), draw_size(phase, "east"), draw_size(phase, "west"));
}

/// Replaces sweeps by their closed form.
std::string region(const Phase& phase) {
    return fmt::format(
        "analytic {{\n    work = {}\n    tiles = {}\n    east_west = {}\n    north_south = {}\n    corners = [{}]\n"
        "    allreduces = k % 3\n    allreduce_bytes = 8B\n}}\n",
        draw_time(phase.choices(), phase.at("work"), 0, 300 * kMicrosecond), phase.times("tiles", 1),
        draw_bytes(phase, "east_west"), draw_bytes(phase, "north_south"),
        phase.choices().of<const char*>(phase.at("corner"), kCorners));
}

std::string work(const Phase& phase) {
    switch (phase.choices().weighted(phase.at("work.analytic"), {2, 1, 1})) {
        case 1: return fmt::format("analytic {}\n", draw_work(phase, "work"));
        case 2: return region(phase);
        default: return fmt::format("compute {}\n", draw_work(phase, "work"));
    }
}

std::string indented(const std::string& text, const std::string& by) {
    std::string all;
    for (std::size_t start = 0; start < text.size();) {
        const std::size_t end = text.find('\n', start);
        all += by + text.substr(start, end - start) + '\n';
        start = end + 1;
    }
    return all;
}

/// Draws a phase, possibly within a loop or a condition.
std::string draw_phase(Phase phase, std::int64_t iterations) {
    Choices& choices = phase.choices();
    const std::int64_t around = choices.weighted(phase.at("around"), {8, 1, 1, 1, 2});
    const std::int64_t number = around == 0 ? 1 : choices.size(phase.at("around.number"), 1, around == 4 ? 12 : 5);
    phase.messages /= around == 4 ? number * iterations : iterations;
    constexpr std::array<std::string (*)(const Phase&), 15> kKinds{
        sweeps, allreduce, halo,       stream, overlap,  mirror,     gather,       head_on,
        work,   posted,    collective, ring,   answered, first_come, open_receives};
    const std::int64_t kind = choices.weighted(phase.at("kind"), {8, 4, 2, 3, 2, 1, 1, 1, 1, 3, 4, 1, 1, 1, 1});
    std::string body = kKinds[static_cast<std::size_t>(kind)](phase);
    const std::int64_t named = choices.weighted(phase.at("named"), {4, 1, 1});
    if (named > 0) body = fmt::format("phase {} {{\n{}}}\n", named == 1 ? "first" : "second", indented(body, "    "));
    constexpr std::array<const char*, 5> kAround{"", "if k == {} {{\n", "if k > iterations - {} {{\n",
                                                 "if k % {} == 0 {{\n", "repeat {} {{\n"};
    if (around == 0) return indented(body, "        ");
    return indented(fmt::format(fmt::runtime(kAround[static_cast<std::size_t>(around)]), number), "        ") +
           indented(body, "            ") + "        }\n";
}

}  // namespace

void draw_program(Draw& draw) {
    Choices& choices = draw.choices;
    const std::int64_t phases = choices.size("phases", 1, 4);
    const std::int64_t most = std::clamp<std::int64_t>(draw.messages / (4 * draw.ranks() * phases), 1, 60);
    const std::int64_t iterations = choices.size("iterations", 1, draw.large ? std::min<std::int64_t>(most, 4) : most);
    std::string body;
    for (std::int64_t k = 1; k <= phases; ++k) {
        body += draw_phase({draw, fmt::format("phase{}", k), draw.messages / phases}, iterations);
    }
    Trial& trial = draw.trial;
    trial.model = "generated";
    trial.scenario = trial.folder / "scenario.yaml";
    trial.files["model.psl"] =
        fmt::format("import \"{}\"\nimport \"{}\"\n\napplication generated {{\n    iteration k {{\n{}    }}\n}}\n",
                    trial.from_folder("models/pipeline.psl"), trial.from_folder("models/halo.psl"), body);
    trial.files["scenario.yaml"] = fmt::format("model: model.psl\nplatform: {}\nranks: {{columns: 1, rows: 1}}\n",
                                               trial.from_folder("platforms/xt4.yaml"));
    trial.set("iterations", fmt::to_string(iterations));
}

}  // namespace warpfront::campaign
