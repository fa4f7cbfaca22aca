// Counts fitted to decks, of kernels whose counts are formulas here.
#include "tools/from_code/kernels/counting.hpp"

#include "tests/approx.hpp"
#include "tests/faults.hpp"
#include "tests/scratch.hpp"

using namespace warpfront::kernels;

namespace {

/// A kernel of a few instructions, each with a formula for its number of executions.
struct Formulas {
    using Formula = std::function<std::int64_t(const Deck&)>;
    std::vector<Formula> instructions;
    std::vector<std::string> texts;  // of the instructions
    std::uint64_t calls = 1;
    std::vector<BranchLine> (*branches)(const Deck&) = nullptr;
    int runs = 0;

    KernelCounts count(const std::string& decks) {
        input::Diagnostics faults;
        const auto parameters = read_decks({tools::option_value("--deck", decks)}, faults);
        faults.raise();
        CountingSources sources;
        sources.profile = [this](const Deck& deck) {
            ++runs;
            Profile profile;
            for (std::size_t k = 0; k < instructions.size(); ++k) {
                const auto times = static_cast<std::uint64_t>(instructions[k](deck)) * calls;
                profile.instructions[{"kernel", k}] = {times, {"absent.c", static_cast<unsigned>(k + 1)}};
            }
            profile.calls = calls;
            return profile;
        };
        sources.instruction = [this](const CodeAddress& at) { return classify(texts[at.address]); };
        if (branches != nullptr) sources.branches = branches;
        return count_kernel("kern", parameters, sources);
    }
};

std::string text_in(const KernelCounts& counts, const std::vector<Rational>& coefficients) {
    std::vector<std::string> names;
    for (const DeckParameter& parameter : counts.parameters) names.push_back(parameter.name);
    return text_of(coefficients, counts.products, names);
}

std::int64_t once(const Deck&) { return 1; }
std::int64_t cells(const Deck& deck) { return deck[0] * deck[1]; }
/// Returns the number of cells whose data, made by some rule, are below a bound.
std::int64_t rare(const Deck& deck) { return (deck[0] * deck[1] * 7 + deck[0] * 3) % (deck[0] * deck[1]); }
std::vector<BranchLine> rare_branch(const Deck& deck) {
    const auto taken = static_cast<std::uint64_t>(rare(deck));
    const auto executed = static_cast<std::uint64_t>(cells(deck));
    return {
        {{"absent.c", 2}, {executed, 1}}, {{"absent.c", 3}, {taken, executed - taken}}, {{"else.c", 3}, {taken, 1}}};
}

}  // namespace

TEST_CASE("counts of two parameters come from four decks, and the fifth is predicted") {
    Formulas kernel{{once, cells, cells}, {"push %rbp", "addsd (%rax),%xmm0", "mulpd %xmm1,%xmm0"}};
    const KernelCounts counts = kernel.count("i=2..9,j=2..9");
    CHECK(kernel.runs == 5);
    CHECK(text_in(counts, counts.instructions) == "1 + 2 i j");
    CHECK(text_in(counts, counts.flops) == "3 i j");
    CHECK(text_in(counts, counts.operations.at("load")) == "i j");
    CHECK(text_in(counts, counts.operations.at("store")) == "1");
    REQUIRE(counts.decks.size() == 5);
    CHECK(counts.decks.back().is_held_out);
    CHECK(counts.decks.back().deck == Deck{9, 9});
    CHECK(counts.decks.back().counted == 163);
    CHECK(counts.decks.back().predicted == 163);
}

TEST_CASE("counts are those of one call") {
    Formulas kernel{{once, cells}, {"push %rbp", "addsd %xmm1,%xmm0"}, 3};
    CHECK(text_in(kernel.count("i=2..9,j=2..9"), kernel.count("i=2..9,j=2..9").instructions) == "1 + i j");
}

TEST_CASE("six parameters need 64 decks") {
    const auto all = [](const Deck& deck) {
        std::int64_t product = 1;
        for (const std::int64_t value : deck) product *= value + 1;
        return product;
    };
    Formulas kernel{{once, all}, {"push %rbp", "addsd %xmm1,%xmm0"}};
    const KernelCounts counts = kernel.count("a=2..4,b=2..4,c=2..4,d=2..4,e=2..4,f=2..4");
    CHECK(kernel.runs == 65);
    CHECK(counts.operations.at("add") == std::vector<Rational>(64, 1));
}

TEST_CASE("a parameter that needs a square gets one, with fractions") {
    const auto triangle = [](const Deck& deck) { return deck[0] * (deck[0] - 1) / 2 * deck[1]; };
    Formulas kernel{{once, triangle}, {"push %rbp", "addsd %xmm1,%xmm0"}};
    const KernelCounts counts = kernel.count("i=2..9,j=2..9");
    CHECK(text_in(counts, counts.operations.at("add")) == "-1/2 i j + 1/2 i^2 j");
    CHECK(counts.decks.size() == 7);  // 3 x 2, and one held out
}

TEST_CASE("counts that are no products of parameters are refused, with their lines and the parameter") {
    const auto packed = [](const Deck& deck) { return deck[0] / 4; };
    Formulas kernel{{once, packed}, {"push %rbp", "vaddpd %ymm1,%ymm0,%ymm0"}};
    const auto faults = test::faults_of([&] { kernel.count("i=2..9,j=2..9"); });
    CHECK(test::kinds_of(faults) == test::Kinds{DiagnosticKind::counts_do_not_fit});
    CHECK(test::summary_of(faults) ==
          "counts_do_not_fit the counts of 1 instruction of `kern` are not polynomials of the parameters, at "
          "absent.c:2; the counts are neither linear nor quadratic in i | if a branch depends on data, add `--gcov` "
          "with the program compiled with --coverage; since some instructions are packed (add_x4), use a step of as "
          "many iterations in `--deck`, such as `i=8..32..8`");
    const KernelCounts counts = kernel.count("i=4..32..4,j=2..9");
    CHECK(text_in(counts, counts.operations.at("add_x4")) == "1/4 i");
}

TEST_CASE("a refused line of a file that is there is shown") {
    const test::Scratch scratch;
    const auto file = scratch.file("kernel.c", "int a;\n    a = b / 4;\n");
    CountingSources sources;
    sources.profile = [&](const Deck& deck) {
        Profile profile{{{{"kernel", 0}, {static_cast<std::uint64_t>(deck[0] / 4), {file.string(), 2}}}}, 1, false};
        return profile;
    };
    sources.instruction = [](const CodeAddress&) { return classify("addsd %xmm1,%xmm0"); };
    const auto faults = test::faults_of([&] { count_kernel("kern", {{"i", 2, 9, 1}}, sources); });
    CHECK(test::summary_of(faults).starts_with("kernel.c:2:5 counts_do_not_fit [a = b / 4;] "));
}

TEST_CASE("a branch that depends on data is an unknown of its own, with its mean probability") {
    Formulas kernel{{once, cells, rare, rare, [](const Deck& deck) { return cells(deck) - rare(deck); }},
                    {"push %rbp", "ucomisd %xmm1,%xmm0", "divsd %xmm1,%xmm0", "subsd %xmm1,%xmm0", "jmp 10"}};
    kernel.branches = rare_branch;
    const KernelCounts counts = kernel.count("i=2..9,j=2..9");
    REQUIRE(counts.sides.size() == 1);
    const BranchSide& side = counts.sides[0];
    CHECK(side.line == SourceLine{"absent.c", 3});
    CHECK(text_in(counts, side.host) == "i j");
    CHECK(side.probability > 0);
    CHECK(side.least <= side.probability.convert_to<double>());
    CHECK(side.most >= side.probability.convert_to<double>());
    CHECK(counts.operations.at("divide").back() == 1);
    CHECK(counts.operations.at("branch").back() == -1);
    CHECK(text_in(counts, counts.operations.at("branch")) == "i j");
    CHECK(counts.decks.back().predicted == counts.decks.back().counted);
    CHECK(counts.decks.back().by_probability != counts.decks.back().counted);
}

TEST_CASE("branches that explain nothing leave the counts refused") {
    Formulas kernel{{once, cells, [](const Deck& deck) { return (deck[0] * deck[0] * deck[1]) % 5; }},
                    {"push %rbp", "ucomisd %xmm1,%xmm0", "divsd %xmm1,%xmm0"}};
    kernel.branches = rare_branch;
    CHECK(test::kinds_of(test::faults_of([&] { kernel.count("i=2..9,j=2..9"); })) ==
          test::Kinds{DiagnosticKind::counts_do_not_fit});
}

TEST_CASE("a library function whose counts are no polynomials is left out, unless it has much of the instructions") {
    std::int64_t copies = 1;
    CountingSources sources;
    sources.program = "kernel";
    sources.profile = [&](const Deck& deck) {
        Profile profile;
        const auto times = [](std::int64_t number) { return static_cast<std::uint64_t>(number); };
        profile.instructions[{"kernel", 0}] = {times(60 * deck[0]), {}, "kern"};
        profile.instructions[{"/lib/libc.so.6", 0}] = {times(deck[0]), {}, "memmove"};
        profile.instructions[{"/lib/libc.so.6", 1}] = {times(copies * (deck[0] / 4)), {}, "memmove"};
        profile.instructions[{"/lib/libc.so.6", 2}] = {times(deck[0]), {}, "sin"};
        profile.calls = 1;
        return profile;
    };
    sources.instruction = [](const CodeAddress&) { return classify("addsd %xmm1,%xmm0"); };
    const KernelCounts counts = count_kernel("kern", {{"i", 2, 9, 1}}, sources);
    CHECK(text_in(counts, counts.instructions) == "61 i");
    REQUIRE(counts.left_out.size() == 1);
    CHECK(counts.left_out[0].function == "memmove");
    CHECK(counts.left_out[0].library == "libc.so.6");
    CHECK(counts.left_out[0].least == test::approx(2.0 / 124));  // on the deck of 2
    CHECK(counts.left_out[0].most == test::approx(11.0 / 560));  // on the deck of 9
    copies = 40;
    CHECK(test::summary_of(test::faults_of([&] {
              count_kernel("kern", {{"i", 2, 9, 1}}, sources);
          })) ==
          "counts_do_not_fit `memmove` of libc.so.6 has 13.9 % of the instructions of `kern`, but its counts are not "
          "polynomials of the parameters | expected at most 10 % in such a library function; if the compiler has "
          "replaced a loop by a call of this function, compile with -fno-tree-loop-distribute-patterns");
}

TEST_CASE("a kernel that is never called, or that calls itself, is refused") {
    CountingSources sources;
    Profile profile;
    sources.profile = [&](const Deck&) { return profile; };
    const auto kinds = [&] {
        return test::kinds_of(test::faults_of([&] { count_kernel("kern", {{"i", 2, 9, 1}}, sources); }));
    };
    CHECK(kinds() == test::Kinds{DiagnosticKind::not_called});
    profile.is_recursive = true;
    CHECK(kinds() == test::Kinds{DiagnosticKind::recursive_kernel});
}

TEST_CASE("a kernel is found by its symbol, its name, or the one clone that a compiler has made") {
    const std::string plain =
        "0000000000001000 T sweep_\n0000000000002000 t work.constprop.0\n0000000000003000 T _Z5blockiPd\n"
        "                 U exit\n0000000000004000 D table\n";
    const std::string readable =
        "0000000000001000 T sweep_\n0000000000002000 t work.constprop.0\n0000000000003000 T block(int, double*)\n"
        "                 U exit\n0000000000004000 D table\n";
    const auto found = [&](const std::string& name) {
        return find_kernel(tools::option_value("--kernel", name), "code", plain, readable);
    };
    CHECK(found("sweep_").address == 0x1000);
    CHECK(found("work").symbol == "work.constprop.0");
    CHECK(found("block").symbol == "_Z5blockiPd");
    CHECK(found("block(int, double*)").symbol == "_Z5blockiPd");
    const auto fault = [&](const std::string& name) { return test::summary_of(test::faults_of([&] { found(name); })); };
    CHECK(fault("sweep") ==
          "--kernel sweep:1:1 unknown_kernel [sweep] `code` has no function `sweep` | did you mean `sweep_`?");
    CHECK(fault("blok") ==
          "--kernel blok:1:1 unknown_kernel [blok] `code` has no function `blok` | did you mean `block`?");
    CHECK(test::kinds_of(test::faults_of([&] { found("table"); })) == test::Kinds{DiagnosticKind::unknown_kernel});
}
