// Programs side by side: how ranks, classes, statements and phases of jobs are numbered.
#include "simulator/program/execution.hpp"
#include "tests/engine/fixtures.hpp"

using program::JobProgram;
using program::Program;

TEST_CASE("ranks, classes, statements and phases of a job follow those of the job before") {
    Program first = spmd({2, 1}, 1, [](Rank rank) {
        return rank.index == 0 ? does().send(1, 8).iteration().build() : does().recv(-1).iteration().build();
    });
    first.sites.resize(10);
    first.phases = {"exchange"};
    Program second = spmd({3, 1}, 2, [](Rank) {
        return does().loop(2).phase(1).work(5).phase(0).allreduce(8).iteration().end().build();
    });
    second.phases = {"work"};
    const Program both = program::side_by_side(std::vector<JobProgram>{{"a", &first}, {"b", &second, Time{7}}});
    CHECK(both.grid == RankGrid{{5, 1, 1}});
    CHECK(both.class_of == std::vector<std::uint32_t>{0, 1, 2, 2, 2});
    CHECK(both.jobs == std::vector<program::Job>{{"a", 0, 2, 0, 2, {}}, {"b", 2, 3, 2, 1, Time{7}}});
    CHECK(both.iterations == 2);
    CHECK(both.phases == std::vector<std::string>{"a: exchange", "b: work"});
    const std::vector<program::Instruction>& code = both.classes[2].code;
    CHECK(code[1].operand == 2);  // into `b: work`
    CHECK(code[3].operand == 0);  // out of all
    CHECK(code[0].site == second.classes[0].code[0].site + 10);
    CHECK(both.sites.size() == first.sites.size() + second.sites.size());
    CHECK(program::traffic(both).messages == 1);
}

TEST_CASE("collectives are among the ranks of a job, if it has any") {
    const Program quiet = program_of({2, 1}, {does().send(1, 8), does().recv(-1)});
    const Program loud = spmd({3, 1}, 1, [](Rank) { return does().allreduce(8).iteration().build(); });
    const Program both = program::side_by_side(std::vector<JobProgram>{{"a", &quiet}, {"b", &loud}});
    const std::vector<program::RankRange> groups = program::collective_groups(both);
    REQUIRE(groups.size() == 2);
    CHECK_FALSE(groups[0].has_allreduce);
    CHECK(groups[1].has_allreduce);
    CHECK(groups[1].first == 2);
    CHECK(groups[1].count == 3);
    REQUIRE(program::collective_groups(loud).size() == 1);
    CHECK(program::collective_groups(loud).front().count == 3);
}

TEST_CASE("more statements than a program can number are refused") {
    Program large = program_of({1, 1}, {does()});
    large.sites.resize(40'000);
    CHECK_THROWS_AS(program::side_by_side(std::vector<JobProgram>{{"a", &large}, {"b", &large}}), std::length_error);
}
