#include <doctest/doctest.h>

#include "simulator/input/sha256.hpp"

using namespace warpfront::input;

// Expected digests: FIPS 180-4, the examples published with it ("abc" and the message of 448 bits), and RFC 6234.

TEST_CASE("the published examples of SHA-256") {
    CHECK(sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256_hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

TEST_CASE("pieces hash as the whole does") {
    Sha256 hash;
    hash.update("a");
    hash.update("");
    hash.update("bc");
    CHECK(hash.hex() == sha256_hex("abc"));
}
