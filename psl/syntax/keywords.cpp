#include "psl/syntax/keywords.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace warpfront::psl {

std::span<const Keyword> keywords() {
    using Form = Statement::Form;
    using Collective = collectives::Kind;
    static constexpr auto kKeywords = std::to_array<Keyword>({
        {"application"},
        {"subtask"},
        {"template"},
        {"function"},
        {"hardware"},
        {"import"},
        {"param"},
        {"require", Form::require, {.application = true}},
        {"let", Form::let, {.application = true, .costs = true}},
        {"var", Form::variable},
        {"iteration"},
        {"closed_form"},
        {"compute", Form::compute},
        {"analytic", Form::analytic},
        {"trace", Form::trace},
        {"send", Form::send},
        {"recv", Form::recv},
        {"isend", Form::isend},
        {"irecv", Form::irecv},
        {"ssend", Form::ssend},
        {"sendrecv", Form::sendrecv},
        {"wait", Form::wait},
        {"waitall", Form::waitall},
        {"waitany", Form::waitany},
        {"barrier", Form::collective, {}, Collective::barrier},
        {"broadcast", Form::collective, {}, Collective::bcast, "from"},
        {"reduce", Form::collective, {}, Collective::reduce, "to"},
        {"allreduce", Form::collective, {}, Collective::allreduce},
        {"gather", Form::collective, {}, Collective::gather, "to"},
        {"allgather", Form::collective, {}, Collective::allgather},
        {"scatter", Form::collective, {}, Collective::scatter, "from"},
        {"alltoall", Form::collective, {}, Collective::alltoall},
        {"reduce_scatter", Form::collective, {}, Collective::reduce_scatter},
        {"scan", Form::collective, {}, Collective::scan},
        {"over"},
        {"if", Form::branch, {.costs = true}},
        {"then"},
        {"else"},
        {"for", Form::for_each},
        {"in"},
        {"repeat", Form::repeat},
        {"while", Form::while_loop},
        {"phase", Form::phase},
        {"to"},
        {"from"},
        {"tag"},
        {"at"},
        {"any"},
        {"and"},
        {"or"},
        {"not"},
        {"true"},
        {"false"},
    });
    return kKeywords;
}

const Keyword* find_keyword(std::string_view word) {
    const auto all = keywords();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Keyword& each) { return each.word == word; });
    return found == all.end() ? nullptr : &*found;
}

namespace {

struct ForeignWord {
    std::string_view word;  // in lower case, without MPI_
    WordPlace place;
    std::string_view remedy;
};

constexpr std::string_view kUseObject =
    "expected `template NAME(n: int) { }` for messages, `subtask NAME(n: int) { }` for work, or `function NAME(n: "
    "int): "
    "int = 2 * n` for a value";
constexpr std::string_view kUseApplication = "expected `application NAME { }`: it stands for the whole program";
constexpr std::string_view kUseLet = "expected `let x = 3`: a variable takes the type of its value";
constexpr std::string_view kUseImport = "expected `import \"file.psl\"`";
constexpr std::string_view kUseBrace = "expected `}`: blocks stand in braces";
constexpr std::string_view kUseWhile = "expected a condition in the `while`: a loop ends by it alone";
constexpr std::string_view kUseLoop = "expected `repeat N { }`, `for i in 1..N { }` or `while CONDITION { }`";
constexpr std::string_view kUseElse = "expected `else if`";
constexpr std::string_view kUseSilent = "expected nothing: a model prints nothing, `warpfront run` reports the times";
constexpr std::string_view kUseStart = "expected nothing: a model needs no start and no end of MPI";
constexpr std::string_view kUseAnalytic =
    "expected `compute TIME` for work, or `analytic TIME` for a time that neither noise nor calibration changes";
constexpr std::string_view kUseSend = "expected `send BYTES to PEER tag N`";
constexpr std::string_view kUseRecv = "expected `recv from PEER tag N`";
constexpr std::string_view kUseIsend = "expected `isend BYTES to PEER tag N`, and later `waitall`";
constexpr std::string_view kUseIrecv = "expected `irecv from PEER tag N`, and later `waitall`";
constexpr std::string_view kUseWait =
    "expected `wait NAME` for a request with a name, `waitall` for all without one, or `waitany` for the first receive";
constexpr std::string_view kUseSendrecv = "expected `sendrecv BYTES to PEER from PEER tag N`";
constexpr std::string_view kUseSsend = "expected `ssend BYTES to PEER`, which waits for the receive";
constexpr std::string_view kUseAny = "expected `any`, as in `recv from any tag 1`";
constexpr std::string_view kUseOver = "expected `over EXPRESSION` at a collective, such as `allreduce 8B over row`";
constexpr std::string_view kUseNoReturn =
    "expected a template without it; a value comes from `function NAME(n: int): int = 2 * n`";
constexpr std::string_view kUseRank = "expected `rank` (from 0), or `column` and `row` (from 1)";
constexpr std::string_view kUseRanks = "expected `ranks`, or `columns` and `rows`";
constexpr std::string_view kUseNobody = "expected `nobody`";
constexpr std::string_view kUseNeighbour =
    "expected `north`, `south`, `west` or `east`, or `up` or `down` to another plane";
constexpr std::string_view kUseReal = "expected `real`";
constexpr std::string_view kUseInt = "expected `int`";
constexpr std::string_view kUseTime = "expected `time`";
constexpr std::string_view kUseRound = "expected `floor`, `ceil` or `round`";

constexpr std::array kWords{
    ForeignWord{"def", WordPlace::file, kUseObject},
    ForeignWord{"void", WordPlace::file, kUseObject},
    ForeignWord{"func", WordPlace::file, kUseObject},
    ForeignWord{"fn", WordPlace::file, kUseObject},
    ForeignWord{"sub", WordPlace::file, kUseObject},
    ForeignWord{"subroutine", WordPlace::file, kUseObject},
    ForeignWord{"procedure", WordPlace::file, kUseObject},
    ForeignWord{"class", WordPlace::file, kUseApplication},
    ForeignWord{"program", WordPlace::file, kUseApplication},
    ForeignWord{"module", WordPlace::file, kUseApplication},
    ForeignWord{"main", WordPlace::file, kUseApplication},
    ForeignWord{"int", WordPlace::file, kUseApplication},
    ForeignWord{"model", WordPlace::file, kUseApplication},
    ForeignWord{"include", WordPlace::file, kUseImport},
    ForeignWord{"use", WordPlace::file, kUseImport},
    ForeignWord{"using", WordPlace::file, kUseImport},

    ForeignWord{"def", WordPlace::statement, kUseObject},
    ForeignWord{"void", WordPlace::statement, kUseObject},
    ForeignWord{"int", WordPlace::statement, kUseLet},
    ForeignWord{"float", WordPlace::statement, kUseLet},
    ForeignWord{"double", WordPlace::statement, kUseLet},
    ForeignWord{"real", WordPlace::statement, kUseLet},
    ForeignWord{"integer", WordPlace::statement, kUseLet},
    ForeignWord{"time", WordPlace::statement, kUseLet},
    ForeignWord{"bytes", WordPlace::statement, kUseLet},
    ForeignWord{"bool", WordPlace::statement, kUseLet},
    ForeignWord{"auto", WordPlace::statement, kUseLet},
    ForeignWord{"const", WordPlace::statement, kUseLet},
    ForeignWord{"set", WordPlace::statement, kUseLet},
    ForeignWord{"elif", WordPlace::statement, kUseElse},
    ForeignWord{"elseif", WordPlace::statement, kUseElse},
    ForeignWord{"elsif", WordPlace::statement, kUseElse},
    ForeignWord{"end", WordPlace::statement, kUseBrace},
    ForeignWord{"endif", WordPlace::statement, kUseBrace},
    ForeignWord{"enddo", WordPlace::statement, kUseBrace},
    ForeignWord{"done", WordPlace::statement, kUseBrace},
    ForeignWord{"do", WordPlace::statement, kUseLoop},
    ForeignWord{"loop", WordPlace::statement, kUseLoop},
    ForeignWord{"foreach", WordPlace::statement, kUseLoop},
    ForeignWord{"break", WordPlace::statement, kUseWhile},
    ForeignWord{"continue", WordPlace::statement, kUseWhile},
    ForeignWord{"return", WordPlace::statement, kUseNoReturn},
    ForeignWord{"print", WordPlace::statement, kUseSilent},
    ForeignWord{"printf", WordPlace::statement, kUseSilent},
    ForeignWord{"write", WordPlace::statement, kUseSilent},
    ForeignWord{"call", WordPlace::statement, "expected the name of the template or subtask, and `(`"},
    ForeignWord{"switch", WordPlace::statement, "expected `if C { } else if D { } else { }`"},
    ForeignWord{"receive", WordPlace::statement, kUseRecv},
    ForeignWord{"recieve", WordPlace::statement, kUseRecv},
    ForeignWord{"sleep", WordPlace::statement, kUseAnalytic},
    ForeignWord{"delay", WordPlace::statement, kUseAnalytic},
    ForeignWord{"replay", WordPlace::statement, "expected `trace \"FOLDER\"`"},
    ForeignWord{"work", WordPlace::statement, "expected `compute TIME`"},
    ForeignWord{"init", WordPlace::statement, kUseStart},
    ForeignWord{"finalize", WordPlace::statement, kUseStart},
    ForeignWord{"comm_rank", WordPlace::statement, kUseRank},
    ForeignWord{"comm_size", WordPlace::statement, kUseRanks},
    ForeignWord{"send", WordPlace::statement, kUseSend},
    ForeignWord{"recv", WordPlace::statement, kUseRecv},
    ForeignWord{"isend", WordPlace::statement, kUseIsend},
    ForeignWord{"irecv", WordPlace::statement, kUseIrecv},
    ForeignWord{"ssend", WordPlace::statement, kUseSsend},
    ForeignWord{"issend", WordPlace::statement, kUseSsend},
    ForeignWord{"sendrecv", WordPlace::statement, kUseSendrecv},
    ForeignWord{"wait", WordPlace::statement, kUseWait},
    ForeignWord{"waitall", WordPlace::statement, "expected `waitall`"},
    ForeignWord{"waitany", WordPlace::statement, "expected `waitany`"},
    ForeignWord{"waitsome", WordPlace::statement, kUseWait},
    ForeignWord{"barrier", WordPlace::statement, "expected `barrier`"},
    ForeignWord{"bcast", WordPlace::statement, "expected `broadcast BYTES from ROOT`"},
    ForeignWord{"broadcast", WordPlace::statement, "expected `broadcast BYTES from ROOT`"},
    ForeignWord{"reduce", WordPlace::statement, "expected `reduce BYTES to ROOT`"},
    ForeignWord{"allreduce", WordPlace::statement, "expected `allreduce BYTES`"},
    ForeignWord{"gather", WordPlace::statement, "expected `gather BYTES to ROOT`"},
    ForeignWord{"gatherv", WordPlace::statement, "expected `gather BYTES to ROOT`, one size for all"},
    ForeignWord{"scatter", WordPlace::statement, "expected `scatter BYTES from ROOT`"},
    ForeignWord{"scatterv", WordPlace::statement, "expected `scatter BYTES from ROOT`, one size for all"},
    ForeignWord{"allgather", WordPlace::statement, "expected `allgather BYTES`"},
    ForeignWord{"allgatherv", WordPlace::statement, "expected `allgather BYTES`, one size for all"},
    ForeignWord{"alltoall", WordPlace::statement, "expected `alltoall BYTES`"},
    ForeignWord{"alltoallv", WordPlace::statement, "expected `alltoall BYTES`, one size for all"},
    ForeignWord{"reduce_scatter", WordPlace::statement, "expected `reduce_scatter BYTES`"},
    ForeignWord{"reducescatter", WordPlace::statement, "expected `reduce_scatter BYTES`"},
    ForeignWord{"scan", WordPlace::statement, "expected `scan BYTES`"},
    ForeignWord{"comm_split", WordPlace::statement, kUseOver},
    ForeignWord{"cart_sub", WordPlace::statement, kUseOver},

    ForeignWord{"any_source", WordPlace::value, kUseAny},
    ForeignWord{"any_tag", WordPlace::value, kUseAny},
    ForeignWord{"anyone", WordPlace::value, kUseAny},
    ForeignWord{"none", WordPlace::value, kUseNobody},
    ForeignWord{"null", WordPlace::value, kUseNobody},
    ForeignWord{"proc_null", WordPlace::value, kUseNobody},
    ForeignWord{"me", WordPlace::value, kUseRank},
    ForeignWord{"myid", WordPlace::value, kUseRank},
    ForeignWord{"myrank", WordPlace::value, kUseRank},
    ForeignWord{"my_rank", WordPlace::value, kUseRank},
    ForeignWord{"mype", WordPlace::value, kUseRank},
    ForeignWord{"nprocs", WordPlace::value, kUseRanks},
    ForeignWord{"numprocs", WordPlace::value, kUseRanks},
    ForeignWord{"npes", WordPlace::value, kUseRanks},
    ForeignWord{"np", WordPlace::value, kUseRanks},
    ForeignWord{"size", WordPlace::value, kUseRanks},
    ForeignWord{"world_size", WordPlace::value, kUseRanks},
    ForeignWord{"left", WordPlace::value, kUseNeighbour},
    ForeignWord{"right", WordPlace::value, kUseNeighbour},
    ForeignWord{"true", WordPlace::value, "expected `true`"},
    ForeignWord{"false", WordPlace::value, "expected `false`"},

    ForeignWord{"pow", WordPlace::function, "expected `a ^ b`"},
    ForeignWord{"sqrt", WordPlace::function, "expected `a ^ 0.5`"},
    ForeignWord{"mod", WordPlace::function, "expected `a % b`"},
    ForeignWord{"div", WordPlace::function, "expected `quotient(a, b)`"},
    ForeignWord{"int", WordPlace::function, kUseRound},
    ForeignWord{"trunc", WordPlace::function, kUseRound},
    ForeignWord{"len", WordPlace::function, "expected `length(list)`"},
    ForeignWord{"size", WordPlace::function, "expected `length(list)`"},
    ForeignWord{"range", WordPlace::function, "expected `1..N`: both ends are included"},
    ForeignWord{"float", WordPlace::function, "expected the int itself, which is a real where one is needed"},
    ForeignWord{"double", WordPlace::function, "expected the int itself, which is a real where one is needed"},
    ForeignWord{"real", WordPlace::function, "expected the int itself, which is a real where one is needed"},
    ForeignWord{"log", WordPlace::function, "expected `log2(a)`"},
    ForeignWord{"comm_rank", WordPlace::function, kUseRank},
    ForeignWord{"comm_size", WordPlace::function, kUseRanks},

    ForeignWord{"float", WordPlace::type, kUseReal},
    ForeignWord{"double", WordPlace::type, kUseReal},
    ForeignWord{"number", WordPlace::type, "expected `int` or `real`"},
    ForeignWord{"integer", WordPlace::type, kUseInt},
    ForeignWord{"long", WordPlace::type, kUseInt},
    ForeignWord{"size_t", WordPlace::type, "expected `int`, or `bytes` for the size of a message"},
    ForeignWord{"size", WordPlace::type, "expected `int`, or `bytes` for the size of a message"},
    ForeignWord{"seconds", WordPlace::type, kUseTime},
    ForeignWord{"duration", WordPlace::type, kUseTime},
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

namespace {

using Extent = ForeignSign::Extent;

/// Signs of other languages; longer signs precede those that they begin with.
constexpr std::array kForeignSigns{
    ForeignSign{"&&", "and", true, "expected `and`"},
    ForeignSign{"||", "or", true, "expected `or`"},
    ForeignSign{"!", "not", true, "expected `not`"},
    ForeignSign{"**", "^", false, "expected `^`: a power is `2 ^ n`"},
    ForeignSign{"<<", "*", false, "expected `* 2 ^ n`: there are no shifts"},
    ForeignSign{"<>", "!=", false, "expected `!=`"},
    ForeignSign{";", "", false, "expected nothing: statements need no separator"},
    ForeignSign{"#", "", false, "expected `//`: it begins a comment", Extent::line},
    ForeignSign{"'", "", false, "expected `\"` around a text", Extent::quoted},
    ForeignSign{".and.", "and", true, "expected `and`"},
    ForeignSign{".or.", "or", true, "expected `or`"},
    ForeignSign{".not.", "not", true, "expected `not`"},
    ForeignSign{".eq.", "==", false, "expected `==`"},
    ForeignSign{".ne.", "!=", false, "expected `!=`"},
    ForeignSign{".lt.", "<", false, "expected `<`"},
    ForeignSign{".le.", "<=", false, "expected `<=`"},
    ForeignSign{".gt.", ">", false, "expected `>`"},
    ForeignSign{".ge.", ">=", false, "expected `>=`"},
    ForeignSign{".true.", "true", true, "expected `true`"},
    ForeignSign{".false.", "false", true, "expected `false`"},
    ForeignSign{"&", "", false, "expected `and`, or nothing: there are no addresses and no buffers"},
    ForeignSign{"|", "or", true, "expected `or`"},
};

}  // namespace

std::size_t ForeignSign::length(std::string_view text) const {
    const std::size_t line = std::min(text.find('\n'), text.size());
    if (extent == Extent::line) return line;
    if (extent == Extent::sign) return sign.size();
    const std::size_t quote = text.substr(0, line).find(sign, sign.size());
    return quote == std::string_view::npos ? sign.size() : quote + sign.size();
}

const ForeignSign* find_foreign_sign(std::string_view text) {
    if (text.substr(0, 2) == "!=") return nullptr;
    const auto found = std::find_if(kForeignSigns.begin(), kForeignSigns.end(), [&](const ForeignSign& each) {
        return text.substr(0, each.sign.size()) == each.sign;
    });
    return found == kForeignSigns.end() ? nullptr : &*found;
}

}  // namespace warpfront::psl
