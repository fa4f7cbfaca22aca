// --threads as a user meets it: on every code and platform, and with everything switched on, the same digest.
#include <doctest/doctest.h>

#include "tests/end_to_end/program.hpp"

using namespace warpfront::end_to_end;
using nlohmann::json;

TEST_CASE("codes, platforms, random placement, noise and unlike ranks give the same digest on any number of threads") {
    const std::string grid =
        " --set 'ranks={columns: 10, rows: 6}' --set cells_per_rank.x=5 --set cells_per_rank.y=5 "
        "--set parameters.nz=20 --set iterations=2 ";
    const std::string sweep3d = "models/sweep3d/billion.yaml" + grid;
    const std::string platform = "--set platform=../../platforms/";
    for (const std::string& scenario :
         {sweep3d, sweep3d + platform + "xt3.yaml ", sweep3d + platform + "infiniband.yaml ",
          sweep3d + platform + "xt4-16core-grouped.yaml ",
          sweep3d + "--set 'placement={rule: random, seed: 3, fragmentation: 0.3}' ",
          sweep3d + "--set noise.cv=0.1 --set 'noise.detours={period: 1ms, length: 20us}' "
                    "--set 'heterogeneity={classes: [{share: 0.5, speed: 1}, {share: 0.5, speed: 0.8}]}' ",
          "models/chimaera/chimaera.yaml" + grid,
          std::string("models/lu/lu.yaml --set 'ranks={columns: 8, rows: 8}' --set iterations=2 ")}) {
        CAPTURE(scenario);
        const json one = json_of("run " + scenario + "--threads 1");
        for (const int threads : {2, 3, 7}) {
            CAPTURE(threads);
            const json many = json_of(fmt::format("run {} --threads {}", scenario, threads));
            CHECK(many.at("digest") == one.at("digest"));
            CHECK(many.at("breakdown") == one.at("breakdown"));
        }
    }
}
