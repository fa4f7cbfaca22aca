// Counts from valgrind, objdump and gcov.
#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <memory>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"
#include "tools/from_code/kernels/counting.hpp"
#include "tools/from_code/kernels/run_on_deck.hpp"

namespace warpfront::kernels {

namespace {

using input::BadInput;
using input::DiagnosticKind;

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/// Returns the name of a function from a line of nm: `0000000000001234 T name`.
std::string_view function_of(std::string_view line) {
    const std::size_t kind = line.find(' ');
    if (kind == std::string_view::npos || kind + 3 > line.size()) return {};
    return std::string_view("TtWi").find(line[kind + 1]) != std::string_view::npos ? line.substr(kind + 3)
                                                                                   : std::string_view();
}

std::uint64_t address_of(std::string_view line) {
    std::uint64_t address = 0;
    std::from_chars(line.data(), line.data() + line.size(), address, 16);
    return address;
}

/// The instructions of a program and of libraries, disassembled when they are first needed.
class Disassembly {
public:
    void cover(const CodeAddress& at) {
        Span& span = spans_[at.object];
        if (span.is_read && (at.address < span.first || at.address > span.last)) span = Span{};
        span.first = std::min(span.first, at.address);
        span.last = std::max(span.last, at.address);
    }

    Instruction at(const CodeAddress& address) {
        Span& span = spans_[address.object];
        if (!span.is_read) read(address.object, span);
        const auto found = span.instructions.find(address.address);
        return found == span.instructions.end() ? Instruction{"?", {"other"}} : found->second;
    }

private:
    struct Span {
        std::uint64_t first = ~std::uint64_t{0};
        std::uint64_t last = 0;
        bool is_read = false;
        std::map<std::uint64_t, Instruction> instructions{};
    };

    static void read(const std::string& object, Span& span) {
        constexpr std::uint64_t kLongestInstruction = 16;
        span.is_read = true;
        const Outcome outcome =
            run_program({.words = {"objdump", "--disassemble", "--no-show-raw-insn",
                                   fmt::format("--start-address={:#x}", span.first),
                                   fmt::format("--stop-address={:#x}", span.last + kLongestInstruction), object}});
        if (outcome.out.find("elf64-x86-64") == std::string::npos) {
            throw BadInput(DiagnosticKind::bad_option, {}, fmt::format("`{}` is not a program for x86-64", object),
                           "expected a program for x86-64");
        }
        span.instructions = parse_disassembly(outcome.out);
    }

    std::map<std::string, Span> spans_;
};

Profile run_callgrind(const ProgramPattern& pattern, const Deck& deck, const std::vector<DeckParameter>& parameters,
                      const std::string& symbol) {
    const ScratchFolder scratch;
    const std::filesystem::path file = scratch.path() / "callgrind";
    run_on_deck(pattern, deck, parameters,
                {"valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-strings=no", "--compress-pos=no",
                 "--demangle=no", "--toggle-collect=" + symbol, "--callgrind-out-file=" + file.string()},
                {{"LD_BIND_NOW", "1"}});  // otherwise symbols would be looked up within the kernel
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    return parse_callgrind(text, symbol);
}

}  // namespace

KernelSymbol find_kernel(const tools::OptionValue& name, const std::filesystem::path& program, std::string_view symbols,
                         std::string_view demangled) {
    const std::vector<std::string_view> plain = lines_of(symbols);
    const std::vector<std::string_view> readable = lines_of(demangled);
    std::vector<std::string> names;
    std::vector<KernelSymbol> clones;
    for (std::size_t k = 0; k < plain.size(); ++k) {
        const std::string_view symbol = function_of(plain[k]);
        if (symbol.empty()) continue;
        const std::string_view whole = k < readable.size() ? function_of(readable[k]) : symbol;
        const std::string_view bare = whole.substr(0, whole.find('('));
        if (symbol == name.text || whole == name.text || bare == name.text)
            return {name.text, std::string(symbol), address_of(plain[k])};
        if (symbol.starts_with(name.text + "."))
            clones.push_back({name.text, std::string(symbol), address_of(plain[k])});
        if (symbol.find('.') == std::string_view::npos && !symbol.starts_with("_")) names.emplace_back(bare);
        if (symbol.starts_with("_Z")) names.emplace_back(bare);
    }
    if (clones.size() == 1) return clones.front();
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    // Fortran compilers append an underscore.
    const bool fortran = std::binary_search(names.begin(), names.end(), name.text + "_");
    throw BadInput(DiagnosticKind::unknown_kernel, name.range,
                   fmt::format("`{}` has no function `{}`", program.string(), name.text),
                   fortran         ? fmt::format("did you mean `{}_`?", name.text)
                   : names.empty() ? "expected a program that is not stripped of its symbols"
                                   : input::suggestion(name.text, names));
}

KernelSymbol find_kernel(const tools::OptionValue& name, const std::filesystem::path& program) {
    if (!std::filesystem::is_regular_file(program)) {
        throw BadInput(DiagnosticKind::unreadable_file, {}, fmt::format("there is no program `{}`", program.string()),
                       "expected a program compiled with -g");
    }
    const std::string path = std::filesystem::absolute(program).string();
    const Outcome symbols = run_program({.words = {"nm", "--no-sort", "--defined-only", path}});
    const Outcome readable = run_program({.words = {"nm", "--no-sort", "--defined-only", "--demangle", path}});
    return find_kernel(name, program, symbols.out, readable.out);
}

KernelCounts count_program(const KernelSymbol& kernel, const ProgramPattern& pattern,
                           const std::vector<DeckParameter>& parameters,
                           const std::optional<std::filesystem::path>& coverage) {
    Disassembly disassembly;
    CountingSources sources;
    sources.program = std::filesystem::absolute(pattern.program).string();
    sources.profile = [&](const Deck& deck) {
        Profile profile = run_callgrind(pattern, deck, parameters, kernel.symbol);
        for (const auto& [at, executed] : profile.instructions) disassembly.cover(at);
        return profile;
    };
    sources.instruction = [&](const CodeAddress& at) { return disassembly.at(at); };
    if (coverage) {
        ProgramPattern counted = pattern;
        counted.program = *coverage;
        sources.branches = [counted, &parameters](const Deck& deck) {
            return count_branches(counted, deck, parameters);
        };
    }
    return count_kernel(kernel.name, parameters, sources);
}

}  // namespace warpfront::kernels
