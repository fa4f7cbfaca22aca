// Equal iterations are one loop, whatever their number; different iterations are separated exactly.
#include "simulator/program/execution.hpp"
#include "tests/psl/draws.hpp"
#include "tests/psl/models.hpp"
#include "tests/validation/validate.hpp"

using program::Op;

namespace {

/// Returns the iterations per phase: those of the outermost loops, 1 for a mark without a loop around it.
std::vector<std::int64_t> phases(const program::Program& program) {
    REQUIRE(program::validate(program) == "");
    std::vector<std::int64_t> all;
    std::int64_t trips = 1;
    for (const program::Instruction& each : program.classes[0].code) {
        if (each.op == Op::loop && each.depth == 0) trips = each.amount;
        if (each.op == Op::end_loop && each.depth == 0) trips = 1;
        if (each.op == Op::iteration) all.push_back(trips);
    }
    return all;
}

std::vector<std::int64_t> phases_of(const std::string& body, std::int64_t iterations) {
    return phases(lowered(iterating(body), Run{1, 1, iterations}));
}

using Phases = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("equal iterations are one loop") {
    CHECK(phases_of("compute 1us", 120) == Phases{120});
    CHECK(phases_of("compute 1us", 36'000'000) == Phases{36'000'000});
    CHECK(phases_of("compute 1us", 4'000'000'000) == Phases{4'000'000'000});
}

TEST_CASE("a comparison of k splits where it changes") {
    CHECK(phases_of("compute if k > 7 then 2us else 1us", 12) == Phases{7, 5});
    CHECK(phases_of("compute if k >= 7 then 2us else 1us", 12) == Phases{6, 6});
    CHECK(phases_of("compute if k == 7 then 2us else 1us", 12) == Phases{6, 1, 5});
    CHECK(phases_of("compute if k != 1 then 2us else 1us", 12) == Phases{1, 11});
    CHECK(phases_of("compute if k == 12 then 2us else 1us", 12) == Phases{11, 1});
    CHECK(phases_of("compute if 2 * k - 3 < 18 then 2us else 1us", 12) == Phases{10, 2});  // 2k < 21: k <= 10
    CHECK(phases_of("compute if k > 3 and k <= 9 then 2us else 1us", 12) == Phases{3, 6, 3});
}

TEST_CASE("a comparison that never changes splits nothing") {
    CHECK(phases_of("compute if k > 12 then 2us else 1us", 12) == Phases{12});
    CHECK(phases_of("compute if k > 4 then 1us else 1us", 12) == Phases{12});
    CHECK(phases_of("if k > 4 { compute 0us }", 12) == Phases{12});
}

TEST_CASE("thirty-six million iterations split as quickly as twelve") {
    CHECK(phases_of("compute if k > iterations - 5 then 2us else 1us", 36'000'000) == Phases{35'999'995, 5});
}

TEST_CASE("work that grows with k makes every iteration its own") {
    CHECK(phases_of("compute 1us * k", 4) == Phases{1, 1, 1, 1});
    CHECK(steps(lowered(iterating("compute 1us * k"), Run{1, 1, 3}), {0}) ==
          Events{{Op::compute, 1'000'000}, {Op::compute, 2'000'000}, {Op::compute, 3'000'000}});
}

TEST_CASE("every third iteration is found among its neighbours") {
    // two turns of three: loop 2 { two, one }, one
    const program::Program turns = lowered(iterating("compute if k % 3 == 0 then 2us else 1us"), Run{1, 1, 7});
    std::vector<std::int64_t> work;
    for (const Event& each : steps(turns, {0})) work.push_back(each.amount / 1'000'000);
    CHECK(work == std::vector<std::int64_t>{1, 1, 2, 1, 1, 2, 1});
    CHECK(phases_of("compute if is_power_of_two(k) then 2us else 1us", 9) == Phases{2, 1, 1, 3, 1, 1});
}

TEST_CASE("k may be compared with what differs from rank to rank") {
    const program::Program stairs = lowered(iterating("if k > column { compute 1us }"), Run{3, 1, 4});
    CHECK(steps(stairs, {0}).size() == 3);  // k = 2, 3, 4
    CHECK(steps(stairs, {2}).size() == 1);  // k = 4
}

TEST_CASE("the closed form has phases of its own") {
    const program::Program program = lowered(
        "application a {\n    iteration k { compute if k > 2 then 2us else 1us }\n    closed_form {\n"
        "        pre_work = 3us  work = if k > 4 then 2us else 1us  tiles = 10  east_west = 8B  north_south = 16B\n"
        "        corners = [northwest, southeast]  allreduces = 2  allreduce_bytes = 4B\n"
        "        exchanges = [80B, 80B, 40B, 80B]  other = 5us\n    }\n}\n",
        Run{2, 2, 6});
    CHECK(phases(program) == Phases{2, 4});
    using program::Corner;
    program::WavefrontPhase phase;
    phase.iterations = 4;
    phase.pre_work = {3'000'000};
    phase.work = {1'000'000};
    phase.tiles = 10;
    phase.east_west = {8};
    phase.north_south = {16};
    phase.corners = {Corner::northwest, Corner::southeast};
    phase.allreduces = 2;
    phase.allreduce_bytes = {4};
    phase.exchanges = {{2, {80}}, {1, {40}}, {1, {80}}};
    phase.other = {5'000'000};
    REQUIRE(program.closed_form.size() == 2);
    CHECK((program.closed_form[0] == phase));
    phase.iterations = 2;
    phase.work = {2'000'000};
    CHECK((program.closed_form[1] == phase));
}

TEST_CASE("a model without a closed form has none") { CHECK(lowered(iterating("compute 1us")).closed_form.empty()); }

TEST_CASE("an iteration needs no number") {
    CHECK(phases(lowered("application a { let n = 3  iteration { repeat n { compute 1us } } "
                         "closed_form { work = 1us tiles = n east_west = 1B north_south = 1B corners = [] } }\n",
                         Run{1, 1, 5})) == Phases{5});
}

// Behaviour with a period of several iterations becomes a loop over whole periods and a remainder. The program runs as
// if every iteration were written out. The written-out model has numbers in place of its loop variables, so the folding
// has no effect on it.

namespace {

/// Returns everything a rank does, including marks; work with nothing between is one piece of work.
Events executed(const program::Program& program, Rank rank) {
    REQUIRE(program::validate(program) == "");
    const program::RankClass& rank_class = program.of(rank);
    Events all;
    program::Cursor walk(rank_class);
    for (;;) {
        const program::Instruction& now = walk.next();
        if (now.op == Op::finish) return all;
        if (now.op == Op::compute && !all.empty() && all.back().op == Op::compute) {
            all.back().amount += now.amount;
            continue;
        }
        const bool sends = now.op == Op::send;
        const bool message = sends || now.op == Op::recv;
        const std::int32_t delta =
            message ? (sends ? rank_class.send_endpoints : rank_class.receive_endpoints)[now.operand].delta : 0;
        all.push_back({now.op, now.amount, delta});
    }
}

std::size_t instructions(const program::Program& program) { return program.classes[0].code.size(); }

/// Returns `text` with every `name` between the signs $ replaced.
std::string with(std::string text, const std::string& name, std::int64_t value) {
    const std::string mark = "$" + name + "$";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
        text.replace(at, mark.size(), "(" + std::to_string(value) + ")");
    }
    return text;
}

std::string named(std::string text, const std::string& name) {
    const std::string mark = "$" + name + "$";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
        text.replace(at, mark.size(), name);
    }
    return text;
}

/// Random models: bodies that use a variable periodically, with one change, or never.
class Bodies {
public:
    explicit Bodies(std::uint64_t seed) : draws_(seed) {}

    std::string body(const std::vector<std::string>& variables, unsigned depth) {
        std::string text;
        for (std::size_t statements = draws_.below(3) + 1; statements > 0; --statements) {
            text += statement(variables, depth);
        }
        return text;
    }

    std::int64_t below(std::size_t limit) { return static_cast<std::int64_t>(draws_.below(limit)); }

private:
    std::string number(std::size_t least, std::size_t limit) { return std::to_string(least + draws_.below(limit)); }

    /// Draws an int of one variable.
    std::string value(const std::string& v) {
        switch (draws_.below(9)) {
            case 0: return v;
            case 1: return "(" + v + " + " + number(0, 9) + ")";
            case 2: return "(" + v + " - " + number(0, 30) + ")";
            case 3: return "(" + number(1, 4) + " * " + v + " + " + number(0, 5) + ")";
            case 4: return "quotient(" + v + ", " + number(1, 6) + ")";
            case 5: return "(" + v + " % " + number(1, 7) + " + " + number(0, 3) + ")";
            case 6: return "(" + number(0, 40) + " - " + v + ")";
            case 7: return "(" + v + " - " + number(2, 3) + " * quotient(" + v + ", " + number(2, 3) + "))";
            default: return "quotient(" + v + " - " + number(0, 20) + ", -" + number(1, 4) + ")";
        }
    }

    std::string condition(const std::vector<std::string>& variables, unsigned depth) {
        static const char* const kSigns[]{" == ", " != ", " < ", " <= ", " > ", " >= "};
        if (depth > 0 && draws_.below(4) == 0) {
            return "(" + condition(variables, depth - 1) + (draws_.below(2) == 0 ? " and " : " or ") +
                   condition(variables, depth - 1) + ")";
        }
        const std::string v = value("$" + variables[draws_.below(variables.size())] + "$");
        const std::string sign = kSigns[draws_.below(6)];
        if (draws_.below(8) == 0) return v + sign + value("$" + variables[draws_.below(variables.size())] + "$");
        if (draws_.below(3) == 0) return v + sign + number(0, 40);
        return v + " % " + number(1, 6) + sign + number(0, 5);
    }

    std::string statement(const std::vector<std::string>& variables, unsigned depth) {
        const std::string v = "$" + variables[draws_.below(variables.size())] + "$";
        switch (depth == 0 ? draws_.below(5) : draws_.below(8)) {
            case 0: return "compute " + number(1, 3) + "us\n";
            case 1: return "send 8B to east recv from west\n";
            case 2: return "allreduce " + number(1, 3) + "B\n";
            case 3: return "compute 1us * abs(" + value(v) + (draws_.below(8) == 0 ? ")\n" : " % 4)\n");
            case 4: return "if " + value(v) + " % 3 == column % 2 { compute " + number(1, 3) + "us }\n";
            case 5: return "repeat " + number(0, 4) + " { " + body(variables, depth - 1) + "}\n";
            case 6: return "let h" + number(0, 1000000) + " = " + value(v) + "\n" + guarded(variables, depth);
            default: return guarded(variables, depth);
        }
    }

    std::string guarded(const std::vector<std::string>& variables, unsigned depth) {
        return "if " + condition(variables, 2) + " { " + body(variables, depth - 1) + "} else { " +
               (draws_.below(2) == 0 ? body(variables, depth - 1) : "") + "}\n";
    }

    Draws draws_;
};

}  // namespace

TEST_CASE("every tenth of 20,000 iterations is a loop of 2,000 periods") {
    const program::Program program =
        lowered(iterating("compute 1us\nif k % 10 == 0 { allreduce 8B }\n"), Run{2, 1, 20'000});
    // loop 2000 { loop 9 { compute, mark }, compute, allreduce, mark } finish: 2 * 2 + 5 + 1
    CHECK(instructions(program) == 10);
    const auto all = executed(program, {1});
    REQUIRE(all.size() == 42'000);  // 20,000 computes and marks, 2,000 allreduces
    CHECK(all[18] == Event{Op::compute, 1'000'000});
    CHECK(all[19] == Event{Op::allreduce, 8});
    CHECK(all[20] == Event{Op::iteration});
}

TEST_CASE("the remainder after whole periods follows them") {
    // 23 = 2 * 10 + 3
    const program::Program program =
        lowered(iterating("if k % 10 == 0 { allreduce 8B } else { compute 1us }\n"), Run{2, 1, 23});
    const auto all = executed(program, {0});
    REQUIRE(all.size() == 46);
    CHECK(all[38] == Event{Op::allreduce, 8});
    CHECK(all[40] == Event{Op::compute, 1'000'000});
    CHECK(all[44] == Event{Op::compute, 1'000'000});
}

TEST_CASE("periods combine to their least common multiple") {
    const auto length = [](const std::string& condition) {
        CAPTURE(condition);
        return instructions(lowered(iterating("if " + condition + " { allreduce 8B }\n"), Run{2, 1, 6'000'000}));
    };
    CHECK(length("k % 2 == 0 and k % 3 == 0") < 20);
    CHECK(length("k % 2 == 0 or k % 3 == 1") < 30);
    CHECK(length("(3 * k + 1) % 7 == 2") < 20);
    CHECK(length("quotient(k, 10) % 2 == 1") < 20);
    CHECK(length("(k - 3) % 100 == 0 and k < 5000000") < 40);
    CHECK(length("k % 100000 == 0") < 20);
    CHECK(length("k % 10 == 0 and k >= iterations - 3") < 20);
}

TEST_CASE("work that recurs folds as well") {
    const program::Program program = lowered(iterating("compute 1us * (k % 4)\nallreduce 8B\n"), Run{1, 1, 4'000'000});
    CHECK(instructions(program) < 30);
}

TEST_CASE("a loop folds as the iteration does") {
    const program::Program program =
        lowered(iterating("for i in 1..20000 { compute 1us  if i % 10 == 0 { allreduce 8B } }\n"), Run{2, 1});
    // loop 2000 { compute 9 us, compute 1 us, allreduce } mark, finish
    CHECK(instructions(program) == 7);
    CHECK(executed(program, {0}).size() == 4'001);
    CHECK(instructions(lowered(iterating("for i in 1..1000000 { if i > 20 { allreduce 8B } }\n"), Run{2, 1})) == 5);
}

TEST_CASE("loops that would nest too deep are written out") {
    const std::string deep = "repeat 2 { allreduce 1B repeat 2 { allreduce 2B repeat 2 { allreduce 3B } } }";
    const program::Program loop =
        lowered(iterating("for i in 1..12 { if i % 4 == 0 { " + deep + " } else { allreduce 8B } }"), Run{2, 1, 3});
    CHECK(executed(loop, {0}).size() == 3 * (9 + 3 * (2 * (1 + 2 * (1 + 2))) + 1));
    const program::Program iteration =
        lowered(iterating("if k % 4 == 0 { " + deep + " } else { allreduce 8B }"), Run{2, 1, 12});
    CHECK(executed(iteration, {0}).size() == 9 + 3 * (2 * (1 + 2 * (1 + 2))) + 12);
}

TEST_CASE("a fault of one iteration is a fault of the loop") {
    CHECK(refused_run(iterating("if 4000000000000000000 * k > 5 { compute 1us }"), Run{1, 1, 5}).kinds ==
          Kinds{bad_arithmetic});
    CHECK(refused_run(iterating("compute 1us / (k % 3)"), Run{1, 1, 5}).kinds == Kinds{bad_arithmetic});
}

TEST_CASE("any iteration folds to what it is when written out") {
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        Bodies bodies(seed);
        const std::string body = bodies.body({"k"}, 2);
        const std::int64_t iterations = 1 + bodies.below(seed % 2 == 0 ? 90 : 20);
        INFO("seed ", seed, ", body ", body, ", iterations ", iterations);
        const program::Program folded = lowered(iterating(named(body, "k")), Run{2, 1, iterations});
        std::vector<program::Program> apart;
        for (std::int64_t k = 1; k <= iterations; ++k) {
            apart.push_back(lowered(iterating(with(body, "k", k)), Run{2, 1, 1}));
        }
        for (const Rank rank : {Rank{0}, Rank{1}}) {
            Events events;
            for (const program::Program& iteration : apart) {
                const auto one = executed(iteration, rank);
                events.insert(events.end(), one.begin(), one.end());
            }
            CHECK((executed(folded, rank) == events));
        }
    }
}

TEST_CASE("any loop folds to what it is when written out") {
    for (std::uint64_t seed = 1000; seed < 1120; ++seed) {
        Bodies bodies(seed);
        const std::string body = bodies.body({"i", "k"}, 2);
        const std::int64_t first = bodies.below(40) - 20;
        const std::int64_t last = first + bodies.below(50);
        const std::int64_t iterations = 1 + bodies.below(4);
        INFO("seed ", seed, ", body ", body);
        const std::string head = "for i in " + std::to_string(first) + ".." + std::to_string(last) + " {\n";
        const program::Program folded =
            lowered(iterating(named(named(head + body + "}\n", "i"), "k")), Run{2, 1, iterations});
        std::string written;
        for (std::int64_t i = first; i <= last; ++i) written += "if true {\n" + with(body, "i", i) + "}\n";
        Events apart;
        for (std::int64_t k = 1; k <= iterations; ++k) {
            const auto one = executed(lowered(iterating(with(written, "k", k)), Run{2, 1, 1}), {1});
            apart.insert(apart.end(), one.begin(), one.end());
        }
        CHECK((executed(folded, {1}) == apart));
    }
}
