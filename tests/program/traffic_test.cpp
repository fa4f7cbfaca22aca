#include <stdexcept>

#include "simulator/program/execution.hpp"
#include "tests/program/programs.hpp"

using namespace warpfront;
using namespace warpfront::program;

TEST_CASE("loops multiply messages and bytes") {
    const Traffic total = traffic(pair());
    CHECK(total.messages == 3 * 5);
    CHECK((total.bytes == 3 * 5 * 8));
}

TEST_CASE("every rank of a class counts") {
    Program program = pair();
    program.grid = {2, 2};
    program.class_of = {0, 1, 0, 1};
    CHECK(traffic(program).messages == 2 * 3 * 5);
}

TEST_CASE("a rank's traffic is reported by channel") {
    RankClass two = pair().classes[0];
    two.send_endpoints.push_back({+2, 7});
    two.code.insert(two.code.end() - 1, {make(Op::send, 100, 1), make(Op::send, 20, 1)});
    const auto share = traffic_by_send_endpoint(two);
    REQUIRE(share.size() == 2);
    CHECK(share[0].messages == 15);
    CHECK((share[0].bytes == 120));
    CHECK(share[1].messages == 2);
    CHECK((share[1].bytes == 120));
}

TEST_CASE("bytes beyond 64 bits are counted, messages beyond are an overflow") {
    Program program = pair();
    program.classes[0].code[0].amount = std::int64_t{1} << 40;
    program.classes[0].code[2].amount = std::int64_t{1} << 40;
    CHECK((traffic(program).bytes == Wide{5} << 80));  // 2^40 iterations of 5 messages of 2^40 bytes
    program.classes[0].code[1].amount = std::int64_t{1} << 40;
    CHECK_THROWS_AS(traffic(program), std::overflow_error);
}
