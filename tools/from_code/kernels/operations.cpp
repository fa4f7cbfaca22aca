#include "tools/from_code/kernels/operations.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace warpfront::kernels {

namespace {

constexpr std::array kOperations{Operation{"add", 1},
                                 Operation{"add_x2", 2},
                                 Operation{"add_x4", 4},
                                 Operation{"add_x8", 8},
                                 Operation{"multiply", 1},
                                 Operation{"multiply_x2", 2},
                                 Operation{"multiply_x4", 4},
                                 Operation{"multiply_x8", 8},
                                 Operation{"fma", 2},
                                 Operation{"fma_x2", 4},
                                 Operation{"fma_x4", 8},
                                 Operation{"fma_x8", 16},
                                 Operation{"divide", 1},
                                 Operation{"divide_x2", 2},
                                 Operation{"divide_x4", 4},
                                 Operation{"divide_single", 1},
                                 Operation{"divide_single_x4", 4},
                                 Operation{"divide_single_x8", 8},
                                 Operation{"sqrt", 1},
                                 Operation{"sqrt_x2", 2},
                                 Operation{"sqrt_x4", 4},
                                 Operation{"sqrt_single", 1},
                                 Operation{"sqrt_single_x4", 4},
                                 Operation{"sqrt_single_x8", 8},
                                 Operation{"compare"},
                                 Operation{"convert"},
                                 Operation{"vector"},
                                 Operation{"load"},
                                 Operation{"store"},
                                 Operation{"integer"},
                                 Operation{"integer_multiply"},
                                 Operation{"integer_divide"},
                                 Operation{"move"},
                                 Operation{"branch"},
                                 Operation{"call"},
                                 Operation{"other"}};

/// Returns the name from the table, which lives as long as the program.
std::string_view known(std::string_view name) {
    const auto at = std::find_if(kOperations.begin(), kOperations.end(),
                                 [&](const Operation& operation) { return operation.name == name; });
    return at == kOperations.end() ? "other" : at->name;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool begins_with_one_of(std::string_view word, std::initializer_list<std::string_view> fronts) {
    return std::any_of(fronts.begin(), fronts.end(), [&](std::string_view front) { return word.starts_with(front); });
}

/// Splits operands at commas outside of parentheses.
std::vector<std::string_view> operands_of(std::string_view text) {
    std::vector<std::string_view> operands;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= text.size(); ++at) {
        const char letter = at < text.size() ? text[at] : ',';
        if (letter == '(') ++depth;
        if (letter == ')') --depth;
        if (letter != ',' || depth > 0) continue;
        if (at > start) operands.push_back(text.substr(start, at - start));
        start = at + 1;
    }
    return operands;
}

bool in_memory(std::string_view operand) {
    return operand.find('(') != std::string_view::npos || begins_with_one_of(operand, {"%fs:", "%gs:", "*%fs:"});
}

/// The parts of an instruction.
struct Parts {
    std::string_view name;  // mnemonic without prefixes, and without the `v` of AVX forms of SSE instructions
    std::vector<std::string_view> operands;
    bool reads_memory = false;    // an operand before the last is in memory
    bool last_in_memory = false;  // the last operand is in memory
    unsigned bits = 128;          // size of the widest vector register

    bool touches_memory() const { return reads_memory || last_in_memory; }
};

using Names = std::vector<std::string_view>;

/// Returns `add`, `multiply` and so on for arithmetic on floating-point numbers, nothing for others.
std::optional<std::string> arithmetic(const Parts& parts) {
    const std::string_view name = parts.name;
    if (name.size() < 4) return std::nullopt;
    const std::string_view form = name.substr(name.size() - 2);
    if (!is_one_of(form, {"sd", "ss", "pd", "ps"})) return std::nullopt;
    const std::string_view what = name.substr(0, name.size() - 2);
    std::string operation;
    if (is_one_of(what, {"add", "sub", "addsub", "hadd", "hsub"})) operation = "add";
    if (what == "mul") operation = "multiply";
    if (what == "div") operation = "divide";
    if (what == "sqrt") operation = "sqrt";
    if (begins_with_one_of(what, {"fmadd", "fmsub", "fnmadd", "fnmsub"})) operation = "fma";
    if (operation.empty()) return std::nullopt;
    const bool single = form[1] == 's';
    if (single && is_one_of(operation, {"divide", "sqrt"})) operation += "_single";
    if (form[0] == 'p') operation += "_x" + std::to_string(parts.bits / (single ? 32 : 64));
    return operation;
}

/// Returns the operations of an instruction of x87, which long doubles use.
Names of_x87(const Parts& parts) {
    Names names;
    if (begins_with_one_of(parts.name, {"fadd", "fsub", "fiadd", "fisub"})) names.push_back("add");
    if (begins_with_one_of(parts.name, {"fmul", "fimul"})) names.push_back("multiply");
    if (begins_with_one_of(parts.name, {"fdiv", "fidiv"})) names.push_back("divide");
    if (parts.name.starts_with("fsqrt")) names.push_back("sqrt");
    if (begins_with_one_of(parts.name, {"fcom", "fucom", "ficom"})) names.push_back("compare");
    if (begins_with_one_of(parts.name, {"fst", "fist"})) {
        names.push_back(parts.touches_memory() ? "store" : "move");
    } else if (parts.touches_memory()) {
        names.push_back("load");
    } else if (begins_with_one_of(parts.name, {"fld", "fxch", "fcmov"})) {
        names.push_back("move");
    }
    if (names.empty()) names.push_back("other");
    return names;
}

bool is_move(std::string_view name) {
    return (name.starts_with("mov") && !is_one_of(name, {"movmskpd", "movmskps", "movhlps", "movlhps"})) ||
           begins_with_one_of(name, {"lddqu", "broadcast", "cltq", "cwtl", "cqto", "cltd", "xchg"});
}

/// Returns true for integer instructions that only read their last operand.
bool only_reads(std::string_view name) {
    return begins_with_one_of(name, {"cmp", "test", "bt", "ucomis", "comis", "ptest", "mul", "imul", "div", "idiv"}) &&
           !begins_with_one_of(name, {"btr", "bts", "btc"});
}

/// Returns the operation of an instruction that is neither arithmetic on floating-point numbers nor only moves data.
std::string_view kind_of(const Parts& parts) {
    const std::string_view name = parts.name;
    const bool vector_register =
        std::any_of(parts.operands.begin(), parts.operands.end(), [](std::string_view operand) {
            return begins_with_one_of(operand, {"%xmm", "%ymm", "%zmm", "%mm", "%k"});
        });
    if (begins_with_one_of(name, {"cvt", "round"})) return "convert";
    if (vector_register) {
        const bool compares = begins_with_one_of(name, {"ucomis", "comis", "cmp", "min", "max"});
        return compares ? "compare" : "vector";
    }
    if (is_one_of(name, {"zeroupper", "zeroall"})) return "vector";
    if (begins_with_one_of(name, {"imul", "mul"})) return "integer_multiply";
    if (begins_with_one_of(name, {"idiv", "div"})) return "integer_divide";
    if (begins_with_one_of(
            name, {"add",   "sub",    "inc", "dec", "and",  "or",   "xor",  "not",     "neg",  "sh",   "sal", "sar",
                   "ro",    "rc",     "lea", "cmp", "test", "set",  "cmov", "adc",     "sbb",  "bt",   "bs",  "lzcnt",
                   "tzcnt", "popcnt", "bz",  "bl",  "rorx", "pdep", "pext", "cmpxchg", "xadd", "adcx", "adox"})) {
        return "integer";
    }
    return "other";
}

/// Returns the operations of control flow, and of instructions with implicit operands in memory; nothing for others.
std::optional<Names> of_known_form(const Parts& parts) {
    const std::string_view name = parts.name;
    const auto with_load = [&parts](std::string_view what) {
        return parts.touches_memory() ? Names{what, "load"} : Names{what};
    };
    if (begins_with_one_of(name, {"nop", "endbr"}) || name == "data16" ||
        (name == "xchg" && parts.operands.size() == 2 && parts.operands[0] == parts.operands[1])) {
        return Names{"move"};
    }
    if (name.starts_with("call")) return with_load("call");
    if (name.starts_with("ret")) return Names{"call"};
    if (name.starts_with("j") || name.starts_with("loop")) return with_load("branch");
    if (name.starts_with("push")) return with_load("store");
    if (name.starts_with("popcnt")) return std::nullopt;
    if (name.starts_with("pop")) return parts.touches_memory() ? Names{"load", "store"} : Names{"load"};
    if (name.starts_with("leave")) return Names{"load", "move"};
    if (name.starts_with("prefetch")) return Names{"load"};
    if (name.starts_with("lea")) return Names{"integer"};
    if (begins_with_one_of(name, {"stos"})) return Names{"store"};
    if (begins_with_one_of(name, {"lods"})) return Names{"load"};
    if (begins_with_one_of(name, {"scas"})) return Names{"load", "integer"};
    const bool strings = parts.operands.size() == 2 && parts.reads_memory && parts.last_in_memory;
    if (strings && name.starts_with("movs")) return Names{"load", "store"};
    if (strings && name.starts_with("cmps")) return Names{"load", "load", "integer"};
    if (begins_with_one_of(name, {"gather", "pgather"})) return Names{"vector", "load", "load"};
    return std::nullopt;
}

Names operations_of(const Parts& parts) {
    if (const auto names = of_known_form(parts)) return *names;
    if (const auto operation = arithmetic(parts)) {
        Names names{known(*operation)};
        if (parts.touches_memory()) names.push_back("load");
        return names;
    }
    if (parts.name.starts_with("f")) return of_x87(parts);
    if (is_move(parts.name)) {
        if (parts.last_in_memory) return {"store"};
        return {parts.reads_memory ? "load" : "move"};
    }
    Names names{kind_of(parts)};
    const bool writes = parts.last_in_memory && !only_reads(parts.name);
    const bool write_only = begins_with_one_of(parts.name, {"set", "pextr", "extract", "cvt"});
    if (parts.reads_memory || (parts.last_in_memory && !write_only)) names.push_back("load");
    if (writes) names.push_back("store");
    return names;
}

std::string_view first_word(std::string_view& text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

}  // namespace

std::span<const Operation> operations() { return kOperations; }

unsigned flops_of(std::string_view operation) {
    for (const Operation& each : kOperations) {
        if (each.name == operation) return each.flops;
    }
    return 0;
}

Instruction classify(std::string_view text) {
    text = text.substr(0, text.find_first_of("#<"));
    std::string_view mnemonic = first_word(text);
    while (is_one_of(mnemonic, {"rep", "repz", "repnz", "lock", "bnd", "notrack", "cs", "ds", "es", "ss", "data16",
                                "addr32", "rex.W"})) {
        const std::string_view next = first_word(text);
        if (next.empty()) break;
        mnemonic = next;
    }
    const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t end = text.find_last_not_of(" \t");
    const std::string_view rest =
        end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);

    Parts parts;
    parts.operands = operands_of(rest);
    parts.name = mnemonic;
    // AVX: vaddsd, vmovapd...; verr and verw are the only other mnemonics that begin with v.
    if (mnemonic.starts_with('v') && !mnemonic.starts_with("ver")) parts.name.remove_prefix(1);
    for (std::size_t k = 0; k < parts.operands.size(); ++k) {
        const std::string_view operand = parts.operands[k];
        (k + 1 == parts.operands.size() ? parts.last_in_memory : parts.reads_memory) |= in_memory(operand);
        if (operand.starts_with("%ymm")) parts.bits = std::max(parts.bits, 256U);
        if (operand.starts_with("%zmm")) parts.bits = 512;
    }
    return {std::string(mnemonic), operations_of(parts)};
}

std::map<std::uint64_t, Instruction> parse_disassembly(std::string_view listing) {
    std::map<std::uint64_t, Instruction> instructions;
    while (!listing.empty()) {
        const std::size_t end = std::min(listing.find('\n'), listing.size());
        std::string_view line = listing.substr(0, end);
        listing.remove_prefix(std::min(end + 1, listing.size()));
        line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
        std::uint64_t address = 0;
        const auto read = std::from_chars(line.data(), line.data() + line.size(), address, 16);
        const auto length = static_cast<std::size_t>(read.ptr - line.data());
        if (read.ec != std::errc{} || !line.substr(length).starts_with(":\t")) continue;
        instructions.emplace(address, classify(line.substr(length + 2)));
    }
    return instructions;
}

}  // namespace warpfront::kernels
