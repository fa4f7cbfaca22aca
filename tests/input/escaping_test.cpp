#include <doctest/doctest.h>

#include <string>

#include "simulator/input/diagnostic.hpp"

using namespace warpfront::input;

TEST_CASE("a valid UTF-8 sequence has one to four bytes") {
    CHECK(utf8_sequence("a") == 1);
    CHECK(utf8_sequence("\xC3\xA9") == 2);          // U+00E9
    CHECK(utf8_sequence("\xE2\x82\xAC") == 3);      // U+20AC
    CHECK(utf8_sequence("\xF0\x9F\x98\x80") == 4);  // U+1F600
}

TEST_CASE("what UTF-8 forbids is not a sequence") {
    CHECK(utf8_sequence("") == 0);
    CHECK(utf8_sequence("\x80") == 0);              // a continuation without a start
    CHECK(utf8_sequence("\xC3") == 0);              // cut short
    CHECK(utf8_sequence("\xC3(") == 0);             // no continuation
    CHECK(utf8_sequence("\xC0\xAF") == 0);          // overlong '/'
    CHECK(utf8_sequence("\xE0\x80\xAF") == 0);      // overlong '/'
    CHECK(utf8_sequence("\xF0\x80\x80\xAF") == 0);  // overlong '/'
    CHECK(utf8_sequence("\xED\xA0\x80") == 0);      // half of a UTF-16 pair
    CHECK(utf8_sequence("\xF4\x90\x80\x80") == 0);  // beyond U+10FFFF
}

TEST_CASE("control characters are replaced, tabs are kept") {
    CHECK(escaped("a\tb", 9) == "a\tb");
    CHECK(escaped("a\nb\x7F", 9) ==
          "a\xEF\xBF\xBD"
          "b\xEF\xBF\xBD");
    CHECK(escaped("\xC2\x9B", 9) == "\xEF\xBF\xBD");  // U+009B, which starts a terminal command
}

TEST_CASE("text is cut by code points") {
    CHECK(escaped("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9...");
    CHECK(escaped("\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9");
    CHECK(escaped(std::string(1 << 20, 'x'), 3) == "xxx...");
}
