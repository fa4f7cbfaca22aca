#include <doctest/doctest.h>

#include "simulator/network/server.hpp"

using namespace warpfront;

TEST_CASE("a free server grants at once") {
    network::Server server;
    CHECK(server.grant(Time{10}, Time{5}) == Time{10});
}

TEST_CASE("a busy server grants when the one before is done: 10 + 5 = 15") {
    network::Server server;
    (void)server.grant(Time{10}, Time{5});
    CHECK(server.grant(Time{12}, Time{5}) == Time{15});
    CHECK(server.grant(Time{12}, Time{5}) == Time{20});
}

TEST_CASE("a request exactly when the server frees does not wait") {
    network::Server server;
    (void)server.grant(Time{10}, Time{5});
    CHECK(server.grant(Time{15}, Time{1}) == Time{15});
}
