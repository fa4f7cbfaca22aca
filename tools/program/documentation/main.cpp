// write_documentation man|bash|zsh FILE: writes the man page or a completion script during the build.
#include <cstdio>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "simulator/results/output.hpp"
#include "tools/program/documentation/program_text.hpp"

using namespace warpfront;

int main(int count, char** arguments) try {
    const std::string_view form = count == 3 ? arguments[1] : "";
    const documentation::ProgramText program = documentation::program_text();
    std::string text;
    if (form == "man") text = documentation::man_page(program);
    if (form == "bash") text = documentation::bash_completion(program);
    if (form == "zsh") text = documentation::zsh_completion(program);
    if (text.empty()) {
        fmt::print(stderr, "usage: write_documentation man|bash|zsh FILE\n");
        return 2;
    }
    results::write_atomically(arguments[2], text);
    return 0;
} catch (const std::exception& fault) {
    fmt::print(stderr, "{}\n", fault.what());
    return 2;
}
