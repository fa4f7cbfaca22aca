// --threads as a user meets it: on every code and platform, and with everything switched on, the same digest.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

namespace {

const std::string kGrid =
    " --set 'ranks={columns: 10, rows: 6}' --set cells_per_rank.x=5 --set cells_per_rank.y=5 "
    "--set parameters.nz=20 --set iterations=2 ";

void check_same(const std::string& scenario) {
    CAPTURE(scenario);
    const json one = json_of("run " + scenario + "--threads 1");
    for (const int threads : {2, 3, 4, 7}) {
        CAPTURE(threads);
        const json many = json_of("run " + scenario + "--threads " + std::to_string(threads));
        CHECK(many.at("digest") == one.at("digest"));
        CHECK(many.at("breakdown") == one.at("breakdown"));
    }
}

}  // namespace

TEST_CASE("Sweep3D gives the same digest on any number of threads, on every platform") {
    for (const char* platform : {"xt4", "xt3", "infiniband", "xt4-16core-grouped"}) {
        check_same("models/sweep3d/billion.yaml" + kGrid + "--set platform=../../platforms/" + platform + ".yaml ");
    }
}

TEST_CASE("Chimaera and LU give the same digest on any number of threads") {
    check_same("models/chimaera/chimaera.yaml" + kGrid);
    check_same("models/lu/lu.yaml --set 'ranks={columns: 8, rows: 8}' --set iterations=2 ");
}

TEST_CASE("random placement, fragmentation, noise and unlike ranks give the same digest on any number of threads") {
    check_same("models/sweep3d/billion.yaml" + kGrid +
               "--set 'placement={rule: random, seed: 3, fragmentation: 0.3}' ");
    check_same("models/sweep3d/billion.yaml" + kGrid +
               "--set noise.cv=0.1 --set 'noise.detours={period: 1ms, length: 20us}' "
               "--set 'heterogeneity={classes: [{share: 0.5, speed: 1}, {share: 0.5, speed: 0.8}]}' ");
}

TEST_CASE("a wrong number of threads is refused") {
    for (const char* threads : {"0", "-1", "many", "100000"}) {
        CAPTURE(threads);
        CHECK(invoke("run " + kSmall + "--threads " + threads).status == 2);
    }
}
