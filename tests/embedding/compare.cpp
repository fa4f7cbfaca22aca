// Compares the rows of a published table by engines, each with its error against the measurement:
//
//   compare SCENARIO TABLE.csv ENGINE...
//
// Not pinned here: these are examples; tests/installation builds them against an installation and checks their output.
#include <cstdio>
#include <string>
#include <vector>

#include <warpfront/warpfront.hpp>

int main(int count, char** arguments) try {
    const std::vector<std::string> words(arguments + 1, arguments + count);
    warpfront::Comparison comparison{words.at(0), words.at(1)};
    comparison.engines = {words.begin() + 2, words.end()};
    comparison.threads = 2;
    for (const warpfront::ComparedRow& row : warpfront::compare(comparison).rows) {
        for (const std::string& engine : comparison.engines) {
            std::printf("%u %s %.17g", row.line, engine.c_str(), row.times.at(engine).count());
            if (row.measured) std::printf(" %.17g", row.error_percent.at(engine));
            std::printf("\n");
        }
    }
    return 0;
} catch (const std::exception& fault) {
    std::fprintf(stderr, "%s", fault.what());
    return 2;
}
