#include "simulator/trace/action.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/diagnostic.hpp"

namespace warpfront::trace {

namespace {

using input::DiagnosticKind;
using input::Diagnostics;
using input::SourceRange;

/// Words after the verb: the required and the optional ones, and those by rank, once or twice the number of ranks.
struct Form {
    std::string_view name;
    std::size_t least = 0;
    std::size_t optional = 0;
    std::size_t by_rank = 0;
    std::string_view words{};
};

/// A limit on the words of actions that are not read.
constexpr std::size_t kAnyNumber = 1000;

constexpr std::array<Form, 32> kForms{{
    {"init", 0, 1, 0, " [1]"},
    {"finalize"},
    {"compute", 1, 0, 0, " FLOPS"},
    {"send", 3, 1, 0, " PEER TAG COUNT [TYPE]"},
    {"isend", 3, 1, 0, " PEER TAG COUNT [TYPE]"},
    {"ssend", 3, 1, 0, " PEER TAG COUNT [TYPE]"},
    {"recv", 3, 1, 0, " PEER TAG COUNT [TYPE]"},
    {"irecv", 3, 1, 0, " PEER TAG COUNT [TYPE]"},
    {"sendrecv", 4, 2, 0, " COUNT TO COUNT FROM [TYPE TYPE]"},
    {"wait", 3, 0, 0, " FROM TO TAG"},
    {"waitall", 0, 1, 0, " [COUNT]"},
    {"waitany", 0, 1, 0, " [COUNT]"},
    {"sleep", 1, 0, 0, " SECONDS"},
    {"location", 2, 0, 0, " FILE LINE"},
    {"comm_size", 0, kAnyNumber},
    {"comm_split", 0, kAnyNumber},
    {"comm_dup", 0, kAnyNumber},
    {"barrier"},
    {"bcast", 1, 2, 0, " COUNT [ROOT [TYPE]]"},
    {"reduce", 2, 2, 0, " COUNT FLOPS [ROOT [TYPE]]"},
    {"allreduce", 2, 1, 0, " COUNT FLOPS [TYPE]"},
    {"gather", 2, 3, 0, " COUNT COUNT [ROOT [TYPE TYPE]]"},
    {"gatherv", 1, 3, 1, " COUNT COUNT-BY-RANK... [ROOT [TYPE TYPE]]"},
    {"allgather", 2, 2, 0, " COUNT COUNT [TYPE TYPE]"},
    {"allgatherv", 1, 2, 1, " COUNT COUNT-BY-RANK... [TYPE TYPE]"},
    {"alltoall", 2, 2, 0, " COUNT COUNT [TYPE TYPE]"},
    {"alltoallv", 2, 2, 2, " SIZE COUNT-BY-RANK... SIZE COUNT-BY-RANK... [TYPE TYPE]"},
    {"scatter", 2, 3, 0, " COUNT COUNT [ROOT [TYPE TYPE]]"},
    {"reducescatter", 1, 1, 1, " COUNT-BY-RANK... FLOPS [TYPE]"},
    {"scan", 2, 1, 0, " COUNT FLOPS [TYPE]"},
    {"exscan", 2, 1, 0, " COUNT FLOPS [TYPE]"},
    {"scatterv", 1, 3, 1, " COUNT-BY-RANK... COUNT [ROOT [TYPE TYPE]]"},
}};

/// In the order of their verbs, from Verb::barrier.
constexpr std::array kCollectives{
    collectives::Kind::barrier,   collectives::Kind::bcast,      collectives::Kind::reduce,
    collectives::Kind::allreduce, collectives::Kind::gather,     collectives::Kind::gatherv,
    collectives::Kind::allgather, collectives::Kind::allgatherv, collectives::Kind::alltoall,
    collectives::Kind::alltoallv, collectives::Kind::scatter,    collectives::Kind::reduce_scatter,
    collectives::Kind::scan,      collectives::Kind::exscan,     collectives::Kind::scatterv};
static_assert(kCollectives.size() == kVerbs - static_cast<std::size_t>(Verb::barrier));

/// Actions of SimGrid that are not supported here.
const std::vector<std::string> kUnread{"test",       "testany",   "testall",  "waitsome",   "probe",
                                       "iprobe",     "alltoallw", "ibarrier", "ibcast",     "ireduce",
                                       "iallreduce", "iscatter",  "igather",  "iallgather", "ialltoall"};

void read_shares(Words& words, std::size_t first, std::size_t type, const Reading& reading, Action& action) {
    for (std::size_t rank = 0; rank < reading.ranks; ++rank) action.shares.push_back(words.bytes(first + rank, type));
}

/// Sets the members that the verb defines. The number of words must fit the verb's form.
void read_words(Words& words, const Reading& reading, Action& action) {
    const std::size_t ranks = reading.ranks;
    switch (action.verb) {
        case Verb::init: action.counts_doubles = words.has(0); break;
        case Verb::finalize:
        case Verb::waitall:
        case Verb::waitany:
        case Verb::location:
        case Verb::comm_size:
        case Verb::comm_split:
        case Verb::comm_dup:
        case Verb::barrier: break;
        case Verb::sleep: action.seconds = words.seconds(0); break;
        case Verb::compute: action.flops = words.flops(0); break;
        case Verb::send:
        case Verb::isend:
        case Verb::ssend:
        case Verb::recv:
        case Verb::irecv: {
            const bool receives = action.verb == Verb::recv || action.verb == Verb::irecv;
            action.any_source = receives && words.is_any_source(0);
            action.any_tag = receives && words.is_any_tag(1);
            if (!action.any_source) action.peer = words.peer(0);
            if (!action.any_tag) action.tag = words.tag(1);
            action.bytes = words.bytes(2, 3, receives ? -1 : 0);
            break;
        }
        case Verb::sendrecv:
            action.bytes = words.bytes(0, 4);
            action.peer = words.peer(1);
            words.bytes(2, 5, -1);
            action.from = words.peer(3);
            break;
        case Verb::wait:
            action.any_source = words.is_any_source(0);
            action.any_tag = words.is_any_tag(2);
            if (!action.any_source) action.from = words.rank(0);
            action.peer = words.rank(1);
            if (!action.any_tag) action.tag = words.tag(2);
            break;
        case Verb::bcast:
            action.bytes = words.bytes(0, 2);
            if (words.has(1)) action.peer = words.rank(1);
            break;
        case Verb::reduce:
        case Verb::allreduce:
        case Verb::scan:
        case Verb::exscan:
            action.bytes = words.bytes(0, action.verb == Verb::reduce ? 3 : 2);
            action.flops = words.flops(1);
            if (action.verb == Verb::reduce && words.has(2)) action.peer = words.rank(2);
            break;
        case Verb::gather:
        case Verb::scatter:
            action.bytes = words.bytes(0, 3);
            words.bytes(1, 4);
            if (words.has(2)) action.peer = words.rank(2);
            break;
        case Verb::gatherv:
            action.bytes = words.bytes(0, ranks + 2);
            read_shares(words, 1, ranks + 3, reading, action);
            if (words.has(ranks + 1)) action.peer = words.rank(ranks + 1);
            break;
        case Verb::scatterv:
            read_shares(words, 0, ranks + 2, reading, action);
            words.bytes(ranks, ranks + 3);
            if (words.has(ranks + 1)) action.peer = words.rank(ranks + 1);
            break;
        case Verb::allgather:
        case Verb::alltoall:
            action.bytes = words.bytes(0, 2);
            words.bytes(1, 3);
            break;
        case Verb::allgatherv:
            action.bytes = words.bytes(0, ranks + 1);
            read_shares(words, 1, ranks + 2, reading, action);
            break;
        case Verb::reducescatter:
            read_shares(words, 0, ranks + 1, reading, action);
            action.flops = words.flops(ranks);
            break;
        case Verb::alltoallv:
            read_shares(words, 1, 2 * ranks + 2, reading, action);
            for (std::size_t rank = 0; rank < ranks; ++rank) words.bytes(ranks + 2 + rank, 2 * ranks + 3);
            break;
    }
}

/// Refuses an action; `verb` is `written` in lower case.
void refuse_action(const SourceRange& range, std::string_view written, std::string_view verb, Diagnostics& faults) {
    std::vector<std::string> names;
    for (const Form& each : kForms) names.emplace_back(each.name);
    const bool simgrids = std::find(kUnread.begin(), kUnread.end(), verb) != kUnread.end();
    const std::string_view near = simgrids ? std::string_view{} : input::nearest_name(verb, names);
    faults.add(DiagnosticKind::unknown_action, range,
               simgrids ? fmt::format("`{}` is an action of SimGrid's that is not read", written)
                        : fmt::format("unknown action `{}`", written),
               near.empty() ? fmt::format("expected one of {}", fmt::join(names, ", "))
                            : fmt::format("did you mean `{}`?", near));
}

/// Takes the word `comm=NAME` off the line, if it ends with one, and sets the communicator. Returns false after an
/// error.
bool read_communicator(const SourceRange& range, std::vector<Word>& words, const Reading& reading, Action& action,
                       Diagnostics& faults) {
    constexpr std::string_view kKey = "comm=";
    std::uint32_t name = reading.next_communicator;
    SourceRange named = range;
    if (words.back().text.starts_with(kKey)) {
        const Word word{words.back().text.substr(kKey.size()), words.back().offset + kKey.size()};
        words.pop_back();
        action.names_communicator = true;
        named = {range.source, range.offset + word.offset, word.text.size()};
        const auto number = reading.communicators->number_of(word.text);
        if (!number) {
            faults.add(DiagnosticKind::unknown_communicator, named,
                       fmt::format("no communicator is called `{}`", word.text),
                       fmt::format("{}; the scenario's file `communicators` names them",
                                   input::suggestion(word.text, reading.communicators->names())));
            return false;
        }
        name = *number;
    }
    const auto communicator = reading.communicators->of(name, reading.rank);
    if (communicator) {
        action.communicator = *communicator;
        return true;
    }
    faults.add(DiagnosticKind::not_a_member, named,
               fmt::format("rank {} is in no communicator `{}`", reading.rank, reading.communicators->names()[name]),
               "expected one that has it among its ranks in the file `communicators`");
    return false;
}

std::string lowered(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

}  // namespace

collectives::Kind kind_of(Verb verb) {
    return kCollectives[static_cast<std::size_t>(verb) - static_cast<std::size_t>(Verb::barrier)];
}

Verb verb_of(collectives::Kind kind) {
    const auto found = std::find(kCollectives.begin(), kCollectives.end(), kind);
    return static_cast<Verb>(found - kCollectives.begin() + static_cast<std::ptrdiff_t>(Verb::barrier));
}

std::string_view name_of(Verb verb) { return kForms[static_cast<std::size_t>(verb)].name; }

std::optional<Action> parse(const SourceRange& range, std::string_view line, const Reading& reading,
                            Diagnostics& faults) {
    std::vector<Word> split = split_words(line);
    const auto at = [&range](const Word& word) {
        return SourceRange{range.source, range.offset + word.offset, word.text.size()};
    };
    if (split.size() < 2) {
        faults.add(DiagnosticKind::trace_line, range, "this line has no action",
                   "expected `RANK ACTION ...`, such as `0 compute 1500`");
        return std::nullopt;
    }
    const std::string verb = lowered(split[1].text);
    const auto form = std::find_if(kForms.begin(), kForms.end(), [&](const Form& each) { return each.name == verb; });
    if (form == kForms.end()) {
        refuse_action(at(split[1]), split[1].text, verb, faults);
        return std::nullopt;
    }
    Action action;
    action.verb = static_cast<Verb>(form - kForms.begin());
    Reading of_line = reading;
    if (is_collective(action.verb)) {
        if (!read_communicator(range, split, reading, action, faults)) return std::nullopt;
        of_line.ranks = action.communicator.membership.members;
    }
    // SMPI leaves out a receive count of 0.
    constexpr std::size_t kGatherWithoutReceive = 6;  // rank, verb, count, root, two types
    if (action.verb == Verb::gather && split.size() == kGatherWithoutReceive) {
        split.insert(split.begin() + 3, Word{"0", split[2].offset});
    }
    const std::size_t given = split.size() - 2;
    const std::size_t least = form->least + form->by_rank * of_line.ranks;
    if (given < least || given > least + form->optional) {
        const std::string count =
            form->optional == 0 ? fmt::format("{}", least) : fmt::format("{} to {}", least, least + form->optional);
        faults.add(DiagnosticKind::trace_line, range, fmt::format("`{}` with {} words after it", form->name, given),
                   fmt::format("expected {}, as in `RANK {}{}`", count, form->name, form->words));
        return std::nullopt;
    }
    Words words(range, std::move(split), of_line, faults);
    words.check_owner();
    read_words(words, of_line, action);
    if (is_collective(action.verb)) action.element = words.element();
    action.size_unknown = words.size_unknown();
    return words.sound() ? std::optional(action) : std::nullopt;
}

}  // namespace warpfront::trace
