#include "psl/foreign_words.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace warpfront::psl {
namespace {

struct ForeignWord {
    std::string_view word;  // in lower case, without `MPI_`
    WordPlace place;
    std::string_view remedy;
};

constexpr std::string_view kObject =
    "expected `template NAME(n: int) { }` for messages, `subtask NAME(n: int) { }` for work, or `function NAME(n: "
    "int): "
    "int = 2 * n` for a value";
constexpr std::string_view kApplication = "expected `application NAME { }`: it stands for the whole program";
constexpr std::string_view kLet = "expected `let x = 3`: a variable takes the type of its value";
constexpr std::string_view kImport = "expected `import \"file.psl\"`";
constexpr std::string_view kBrace = "expected `}`: blocks stand in braces";
constexpr std::string_view kWhile = "expected a condition in the `while`: a loop ends by it alone";
constexpr std::string_view kLoop = "expected `repeat N { }`, `for i in 1..N { }` or `while CONDITION { }`";
constexpr std::string_view kElse = "expected `else if`";
constexpr std::string_view kSilent = "expected nothing: a model prints nothing, `warpfront run` reports the times";
constexpr std::string_view kStart = "expected nothing: a model needs no start and no end of MPI";
constexpr std::string_view kSend = "expected `send BYTES to PEER tag N`";
constexpr std::string_view kRecv = "expected `recv from PEER tag N`";
constexpr std::string_view kIrecv = "expected `irecv NAME from PEER tag N`, and later `wait NAME`";
constexpr std::string_view kWaitEach = "expected `wait NAME` for each `irecv`";
constexpr std::string_view kBarrier = "expected `allreduce 0B`, which synchronises all ranks";
constexpr std::string_view kCollective = "expected `allreduce BYTES`, the one collective of the language";
constexpr std::string_view kNoReturn =
    "expected a template without it; a value comes from `function NAME(n: int): int = 2 * n`";
constexpr std::string_view kRank = "expected `rank` (from 0), or `column` and `row` (from 1)";
constexpr std::string_view kRanks = "expected `ranks`, or `columns` and `rows`";
constexpr std::string_view kNobody = "expected `nobody`";
constexpr std::string_view kNeighbour = "expected `north`, `south`, `west` or `east`";
constexpr std::string_view kReal = "expected `real`";
constexpr std::string_view kInt = "expected `int`";
constexpr std::string_view kTime = "expected `time`";
constexpr std::string_view kRound = "expected `floor`, `ceil` or `round`";

constexpr std::array kWords{
    ForeignWord{"def", WordPlace::file, kObject},
    ForeignWord{"void", WordPlace::file, kObject},
    ForeignWord{"func", WordPlace::file, kObject},
    ForeignWord{"fn", WordPlace::file, kObject},
    ForeignWord{"sub", WordPlace::file, kObject},
    ForeignWord{"subroutine", WordPlace::file, kObject},
    ForeignWord{"procedure", WordPlace::file, kObject},
    ForeignWord{"class", WordPlace::file, kApplication},
    ForeignWord{"program", WordPlace::file, kApplication},
    ForeignWord{"module", WordPlace::file, kApplication},
    ForeignWord{"main", WordPlace::file, kApplication},
    ForeignWord{"int", WordPlace::file, kApplication},
    ForeignWord{"model", WordPlace::file, kApplication},
    ForeignWord{"include", WordPlace::file, kImport},
    ForeignWord{"use", WordPlace::file, kImport},
    ForeignWord{"using", WordPlace::file, kImport},

    ForeignWord{"def", WordPlace::statement, kObject},
    ForeignWord{"void", WordPlace::statement, kObject},
    ForeignWord{"int", WordPlace::statement, kLet},
    ForeignWord{"float", WordPlace::statement, kLet},
    ForeignWord{"double", WordPlace::statement, kLet},
    ForeignWord{"real", WordPlace::statement, kLet},
    ForeignWord{"integer", WordPlace::statement, kLet},
    ForeignWord{"time", WordPlace::statement, kLet},
    ForeignWord{"bytes", WordPlace::statement, kLet},
    ForeignWord{"bool", WordPlace::statement, kLet},
    ForeignWord{"auto", WordPlace::statement, kLet},
    ForeignWord{"const", WordPlace::statement, kLet},
    ForeignWord{"set", WordPlace::statement, kLet},
    ForeignWord{"elif", WordPlace::statement, kElse},
    ForeignWord{"elseif", WordPlace::statement, kElse},
    ForeignWord{"elsif", WordPlace::statement, kElse},
    ForeignWord{"end", WordPlace::statement, kBrace},
    ForeignWord{"endif", WordPlace::statement, kBrace},
    ForeignWord{"enddo", WordPlace::statement, kBrace},
    ForeignWord{"done", WordPlace::statement, kBrace},
    ForeignWord{"do", WordPlace::statement, kLoop},
    ForeignWord{"loop", WordPlace::statement, kLoop},
    ForeignWord{"foreach", WordPlace::statement, kLoop},
    ForeignWord{"break", WordPlace::statement, kWhile},
    ForeignWord{"continue", WordPlace::statement, kWhile},
    ForeignWord{"return", WordPlace::statement, kNoReturn},
    ForeignWord{"print", WordPlace::statement, kSilent},
    ForeignWord{"printf", WordPlace::statement, kSilent},
    ForeignWord{"write", WordPlace::statement, kSilent},
    ForeignWord{"call", WordPlace::statement, "expected the name of the template or subtask, and `(`"},
    ForeignWord{"switch", WordPlace::statement, "expected `if C { } else if D { } else { }`"},
    ForeignWord{"receive", WordPlace::statement, kRecv},
    ForeignWord{"recieve", WordPlace::statement, kRecv},
    ForeignWord{"sleep", WordPlace::statement, "expected `compute TIME`"},
    ForeignWord{"work", WordPlace::statement, "expected `compute TIME`"},
    ForeignWord{"init", WordPlace::statement, kStart},
    ForeignWord{"finalize", WordPlace::statement, kStart},
    ForeignWord{"comm_rank", WordPlace::statement, kRank},
    ForeignWord{"comm_size", WordPlace::statement, kRanks},
    ForeignWord{"send", WordPlace::statement, kSend},
    ForeignWord{"isend", WordPlace::statement, kSend},
    ForeignWord{"recv", WordPlace::statement, kRecv},
    ForeignWord{"irecv", WordPlace::statement, kIrecv},
    ForeignWord{"wait", WordPlace::statement, kWaitEach},
    ForeignWord{"waitall", WordPlace::statement, kWaitEach},
    ForeignWord{"sendrecv", WordPlace::statement, "expected `irecv NAME from PEER`, `send BYTES to PEER`, `wait NAME`"},
    ForeignWord{"barrier", WordPlace::statement, kBarrier},
    ForeignWord{"allreduce", WordPlace::statement, "expected `allreduce BYTES`"},
    ForeignWord{"gather", WordPlace::statement, kCollective},
    ForeignWord{"allgather", WordPlace::statement, kCollective},
    ForeignWord{"scatter", WordPlace::statement, kCollective},
    ForeignWord{"alltoall", WordPlace::statement, kCollective},
    ForeignWord{"ssend", WordPlace::statement, kSend},
    ForeignWord{"broadcast", WordPlace::statement, kCollective},
    ForeignWord{"bcast", WordPlace::statement, kCollective},
    ForeignWord{"reduce", WordPlace::statement, kCollective},

    ForeignWord{"none", WordPlace::value, kNobody},
    ForeignWord{"null", WordPlace::value, kNobody},
    ForeignWord{"proc_null", WordPlace::value, kNobody},
    ForeignWord{"me", WordPlace::value, kRank},
    ForeignWord{"myid", WordPlace::value, kRank},
    ForeignWord{"myrank", WordPlace::value, kRank},
    ForeignWord{"my_rank", WordPlace::value, kRank},
    ForeignWord{"mype", WordPlace::value, kRank},
    ForeignWord{"nprocs", WordPlace::value, kRanks},
    ForeignWord{"numprocs", WordPlace::value, kRanks},
    ForeignWord{"npes", WordPlace::value, kRanks},
    ForeignWord{"np", WordPlace::value, kRanks},
    ForeignWord{"size", WordPlace::value, kRanks},
    ForeignWord{"world_size", WordPlace::value, kRanks},
    ForeignWord{"up", WordPlace::value, kNeighbour},
    ForeignWord{"down", WordPlace::value, kNeighbour},
    ForeignWord{"left", WordPlace::value, kNeighbour},
    ForeignWord{"right", WordPlace::value, kNeighbour},
    ForeignWord{"true", WordPlace::value, "expected `true`"},
    ForeignWord{"false", WordPlace::value, "expected `false`"},

    ForeignWord{"pow", WordPlace::function, "expected `a ^ b`"},
    ForeignWord{"sqrt", WordPlace::function, "expected `a ^ 0.5`"},
    ForeignWord{"mod", WordPlace::function, "expected `a % b`"},
    ForeignWord{"div", WordPlace::function, "expected `quotient(a, b)`"},
    ForeignWord{"int", WordPlace::function, kRound},
    ForeignWord{"trunc", WordPlace::function, kRound},
    ForeignWord{"len", WordPlace::function, "expected `length(list)`"},
    ForeignWord{"size", WordPlace::function, "expected `length(list)`"},
    ForeignWord{"range", WordPlace::function, "expected `1..N`: both ends are included"},
    ForeignWord{"float", WordPlace::function, "expected the int itself, which is a real where one is needed"},
    ForeignWord{"double", WordPlace::function, "expected the int itself, which is a real where one is needed"},
    ForeignWord{"real", WordPlace::function, "expected the int itself, which is a real where one is needed"},
    ForeignWord{"log", WordPlace::function, "expected `log2(a)`"},
    ForeignWord{"comm_rank", WordPlace::function, kRank},
    ForeignWord{"comm_size", WordPlace::function, kRanks},

    ForeignWord{"float", WordPlace::type, kReal},
    ForeignWord{"double", WordPlace::type, kReal},
    ForeignWord{"number", WordPlace::type, "expected `int` or `real`"},
    ForeignWord{"integer", WordPlace::type, kInt},
    ForeignWord{"long", WordPlace::type, kInt},
    ForeignWord{"size_t", WordPlace::type, "expected `int`, or `bytes` for the size of a message"},
    ForeignWord{"size", WordPlace::type, "expected `int`, or `bytes` for the size of a message"},
    ForeignWord{"seconds", WordPlace::type, kTime},
    ForeignWord{"duration", WordPlace::type, kTime},
    ForeignWord{"rank", WordPlace::type, "expected `peer`, or `int` for its number"},
    ForeignWord{"list", WordPlace::type, "expected `[int]` or its like"},
    ForeignWord{"array", WordPlace::type, "expected `[int]` or its like"},
};

}  // namespace

std::string_view foreign_word_remedy(std::string_view word, WordPlace place) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string_view bare(lower);
    if (bare.substr(0, 4) == "mpi_") bare.remove_prefix(4);
    const auto found = std::find_if(kWords.begin(), kWords.end(),
                                    [&](const ForeignWord& each) { return each.place == place && each.word == bare; });
    return found == kWords.end() ? std::string_view{} : found->remedy;
}

}  // namespace warpfront::psl
