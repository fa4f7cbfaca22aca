#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "simulator/input/sha256.hpp"
#include "simulator/results/context.hpp"

using namespace warpfront;
using namespace warpfront::results;

TEST_CASE("every input is listed once, in order, with the hash of its bytes") {
    const auto deck = std::make_shared<const input::SourceFile>("deck.yaml", "abc");
    const auto code = std::make_shared<const input::SourceFile>("code.psl", "");
    const std::vector<input::SourceFilePtr> sources = {deck, code, deck};
    CHECK(hash_inputs(sources) ==
          std::vector<InputHash>{{"deck.yaml", input::sha256_hex("abc")}, {"code.psl", input::sha256_hex("")}});
}

TEST_CASE("the computer is described on one line, with its cores") {
    const std::string host = describe_host();
    CHECK(host.find('\n') == std::string::npos);
    CHECK(host.find(" cores, ") != std::string::npos);
}
