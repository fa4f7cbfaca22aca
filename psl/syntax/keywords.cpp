#include "psl/syntax/keywords.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include <fmt/format.h>

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
    const auto found = std::ranges::find(all, word, &Keyword::word);
    return found == all.end() ? nullptr : &*found;
}

namespace {

/// Foreign words with one remedy in one place, separated by blanks. They are in lower case and without `mpi_`.
struct ForeignWords {
    WordPlace place;
    std::string_view words;
    std::string_view remedy;
};

constexpr std::string_view kUseObject =
    "expected `template NAME(n: int) { }` for messages, `subtask NAME(n: int) { }` for work, or `function NAME(n: "
    "int): int = 2 * n` for a value";
constexpr std::string_view kUseRank = "expected `rank` (from 0), or `column` and `row` (from 1)";
constexpr std::string_view kUseRanks = "expected `ranks`, or `columns` and `rows`";

constexpr auto kWords = std::to_array<ForeignWords>({
    {WordPlace::file, "def void func fn sub subroutine procedure", kUseObject},
    {WordPlace::file, "class program module main int model", "expected `application NAME { }` for the whole program"},
    {WordPlace::file, "include use using", "expected `import \"file.psl\"`"},

    {WordPlace::statement, "def void", kUseObject},
    {WordPlace::statement, "int float double real integer time bytes bool auto const set",
     "expected `let x = 3`: a variable takes the type of its value"},
    {WordPlace::statement, "elif elseif elsif", "expected `else if`"},
    {WordPlace::statement, "end endif enddo done", "expected `}`: blocks are in braces"},
    {WordPlace::statement, "do loop foreach", "expected `repeat N { }`, `for i in 1..N { }` or `while CONDITION { }`"},
    {WordPlace::statement, "break continue", "expected a condition in the `while`: only the condition ends a loop"},
    {WordPlace::statement, "return", "expected no `return`; a value comes from `function NAME(n: int): int = 2 * n`"},
    {WordPlace::statement, "print printf write",
     "expected nothing: a model prints nothing, `warpfront run` reports the times"},
    {WordPlace::statement, "call", "expected the name of the template or subtask, and `(`"},
    {WordPlace::statement, "switch", "expected `if C { } else if D { } else { }`"},
    {WordPlace::statement, "receive recieve recv", "expected `recv from PEER tag N`"},
    {WordPlace::statement, "sleep delay",
     "expected `compute TIME` for work, or `analytic TIME` for a time that neither noise nor calibration changes"},
    {WordPlace::statement, "replay", "expected `trace \"FOLDER\"`"},
    {WordPlace::statement, "work", "expected `compute TIME`"},
    {WordPlace::statement, "init finalize", "expected nothing: a model needs no start and no end of MPI"},
    {WordPlace::statement, "comm_rank", kUseRank},
    {WordPlace::statement, "comm_size", kUseRanks},
    {WordPlace::statement, "send", "expected `send BYTES to PEER tag N`"},
    {WordPlace::statement, "isend", "expected `isend BYTES to PEER tag N`, and later `waitall`"},
    {WordPlace::statement, "irecv", "expected `irecv from PEER tag N`, and later `waitall`"},
    {WordPlace::statement, "ssend issend", "expected `ssend BYTES to PEER`, which waits for the receive"},
    {WordPlace::statement, "sendrecv", "expected `sendrecv BYTES to PEER from PEER tag N`"},
    {WordPlace::statement, "wait waitsome",
     "expected `wait NAME` for a request with a name, `waitall` for all without one, or `waitany` for the first "
     "receive"},
    {WordPlace::statement, "waitall", "expected `waitall`"},
    {WordPlace::statement, "waitany", "expected `waitany`"},
    {WordPlace::statement, "barrier", "expected `barrier`"},
    {WordPlace::statement, "bcast broadcast", "expected `broadcast BYTES from ROOT`"},
    {WordPlace::statement, "reduce", "expected `reduce BYTES to ROOT`"},
    {WordPlace::statement, "allreduce", "expected `allreduce BYTES`"},
    {WordPlace::statement, "gather", "expected `gather BYTES to ROOT`"},
    {WordPlace::statement, "gatherv", "expected `gather BYTES to ROOT`, one size for all"},
    {WordPlace::statement, "scatter", "expected `scatter BYTES from ROOT`"},
    {WordPlace::statement, "scatterv", "expected `scatter BYTES from ROOT`, one size for all"},
    {WordPlace::statement, "allgather", "expected `allgather BYTES`"},
    {WordPlace::statement, "allgatherv", "expected `allgather BYTES`, one size for all"},
    {WordPlace::statement, "alltoall", "expected `alltoall BYTES`"},
    {WordPlace::statement, "alltoallv", "expected `alltoall BYTES`, one size for all"},
    {WordPlace::statement, "reduce_scatter reducescatter", "expected `reduce_scatter BYTES`"},
    {WordPlace::statement, "scan", "expected `scan BYTES`"},
    {WordPlace::statement, "comm_split cart_sub",
     "expected `over EXPRESSION` at a collective, such as `allreduce 8B over row`"},

    {WordPlace::value, "any_source any_tag anyone", "expected `any`, as in `recv from any tag 1`"},
    {WordPlace::value, "none null proc_null", "expected `nobody`"},
    {WordPlace::value, "me myid myrank my_rank mype", kUseRank},
    {WordPlace::value, "nprocs numprocs npes np size world_size", kUseRanks},
    {WordPlace::value, "left right", "expected `north`, `south`, `west` or `east`, or `up` or `down` to another plane"},
    {WordPlace::value, "true", "expected `true`"},
    {WordPlace::value, "false", "expected `false`"},

    {WordPlace::function, "pow", "expected `a ^ b`"},
    {WordPlace::function, "sqrt", "expected `a ^ 0.5`"},
    {WordPlace::function, "mod", "expected `a % b`"},
    {WordPlace::function, "div", "expected `quotient(a, b)`"},
    {WordPlace::function, "int trunc", "expected `floor`, `ceil` or `round`"},
    {WordPlace::function, "len size", "expected `length(list)`"},
    {WordPlace::function, "range", "expected `1..N`: both ends are included"},
    {WordPlace::function, "float double real", "expected the int itself, which is accepted as a real"},
    {WordPlace::function, "log", "expected `log2(a)`"},
    {WordPlace::function, "comm_rank", kUseRank},
    {WordPlace::function, "comm_size", kUseRanks},

    {WordPlace::type, "float double", "expected `real`"},
    {WordPlace::type, "number", "expected `int` or `real`"},
    {WordPlace::type, "integer long", "expected `int`"},
    {WordPlace::type, "size_t size", "expected `int`, or `bytes` for the size of a message"},
    {WordPlace::type, "seconds duration", "expected `time`"},
    {WordPlace::type, "rank", "expected `peer`, or `int` for its number"},
    {WordPlace::type, "list array", "expected a list such as `[int]`"},
});

}  // namespace

std::string_view foreign_word_remedy(std::string_view word, WordPlace place) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::string_view bare(lower);
    if (bare.substr(0, 4) == "mpi_") bare.remove_prefix(4);
    if (bare.empty() || bare.find(' ') != std::string_view::npos) return {};
    const std::string one = fmt::format(" {} ", bare);
    const auto found = std::ranges::find_if(kWords, [&](const ForeignWords& each) {
        return each.place == place && fmt::format(" {} ", each.words).find(one) != std::string::npos;
    });
    return found == kWords.end() ? std::string_view{} : found->remedy;
}

namespace {

using Extent = ForeignSign::Extent;

/// Signs of other languages. A longer sign comes before the shorter ones that it begins with.
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
    const auto found = std::ranges::find_if(
        kForeignSigns, [&](const ForeignSign& each) { return text.substr(0, each.sign.size()) == each.sign; });
    return found == kForeignSigns.end() ? nullptr : &*found;
}

}  // namespace warpfront::psl
