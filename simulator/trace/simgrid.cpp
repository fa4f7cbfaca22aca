#include "simulator/trace/simgrid.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/communicators.hpp"
#include "simulator/trace/run_builder.hpp"
#include "simulator/trace/write.hpp"

namespace warpfront::trace {

namespace {

using collectives::Kind;

constexpr std::size_t kMostText = std::size_t{1} << 30;  // limit of all traces together
constexpr std::int64_t kLastType = 59;
constexpr std::int64_t kLargestType = 32;  // bytes

/// Sizes on x86-64, as obtained from SMPI by `tests/trace/recorded/datatypes.c`.
constexpr std::array<std::int64_t, kLastType + 1> kTypeBytes{
    8,  4,  1,  2,  8,   // 0 DOUBLE, INT, CHAR, SHORT, LONG
    4,  1,  8,  1,  1,   // 5 FLOAT, BYTE, LONG_LONG, SIGNED_CHAR, UNSIGNED_CHAR
    2,  4,  8,  8,  16,  // 10 UNSIGNED_SHORT, UNSIGNED, UNSIGNED_LONG, UNSIGNED_LONG_LONG, LONG_DOUBLE
    4,  1,  1,  2,  4,   // 15 WCHAR, C_BOOL, INT8_T, INT16_T, INT32_T
    8,  1,  2,  4,  8,   // 20 INT64_T, UINT8_T, UINT16_T, UINT32_T, UINT64_T
    8,  16, 32, 8,  8,   // 25 C_FLOAT_COMPLEX, C_DOUBLE_COMPLEX, C_LONG_DOUBLE_COMPLEX, AINT, OFFSET
    8,  16, 16, 8,  8,   // 30 FLOAT_INT, LONG_INT, DOUBLE_INT, SHORT_INT, 2INT
    8,  16, 16, 4,  4,   // 35 2FLOAT, 2DOUBLE, 2LONG, REAL, REAL4
    8,  16, 8,  16, 16,  // 40 REAL8, REAL16, COMPLEX8, COMPLEX16, COMPLEX32
    4,  2,  4,  8,  16,  // 45 INTEGER1, INTEGER2, INTEGER4, INTEGER8, INTEGER16: with SMPI's sizes
    32, 1,  8,  16, 32,  // 50 LONG_DOUBLE_INT, CXX_BOOL, CXX_FLOAT_COMPLEX, _DOUBLE_, _LONG_DOUBLE_
    0,  0,  1,  8,  8};  // 55 UB, LB, PACKED, a pointer, COUNT

// Reading lists of traces.

struct ListedFile {
    std::string name;
    SourceRange range;
};

std::vector<ListedFile> listed(const SourceFilePtr& list) {
    std::vector<ListedFile> files;
    for (std::size_t at = 0; at < list->text().size();) {
        const std::size_t end = std::min(list->text().find('\n', at), list->text().size());
        std::string_view line = list->text().substr(at, end - at);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!line.empty()) files.push_back({std::string(line), {list, at, line.size()}});
        at = end + 1;
    }
    return files;
}

/// Finds a trace next to the list or below one of its parent folders.
std::optional<std::filesystem::path> find(const std::filesystem::path& list, const std::string& name) {
    std::error_code ignored;
    const std::filesystem::path folder = std::filesystem::absolute(list, ignored).lexically_normal().parent_path();
    for (std::filesystem::path above = folder;; above = above.parent_path()) {
        if (std::filesystem::exists(above / name, ignored)) {
            return above == folder ? list.parent_path() / name : above / name;
        }
        if (above == above.parent_path()) return std::nullopt;
    }
}

/// Reads the list, then the traces that it names.
std::vector<SourceFilePtr> read_files(const std::filesystem::path& path, const SourceRange& mentioned_at) {
    std::error_code ignored;
    const std::filesystem::path list = std::filesystem::is_directory(path, ignored) ? path / kListName : path;
    if (!std::filesystem::exists(path, ignored)) {
        throw BadInput(DiagnosticKind::unreadable_file, mentioned_at, fmt::format("cannot read `{}`", path.string()),
                       "no such file or folder");
    }
    if (!std::filesystem::exists(list, ignored)) {
        throw BadInput(
            DiagnosticKind::unreadable_file, mentioned_at, fmt::format("cannot read `{}`", list.string()),
            fmt::format("expected a list of traces of any name, or a folder with one called `{}`", kListName));
    }
    std::vector<SourceFilePtr> sources{input::read_file(list, mentioned_at)};
    Diagnostics faults;
    std::size_t bytes = 0;
    for (const ListedFile& file : listed(sources.front())) {
        const std::optional<std::filesystem::path> trace = find(list, file.name);
        if (!trace) {
            faults.add(DiagnosticKind::unreadable_file, file.range, fmt::format("cannot read `{}`", file.name),
                       "expected the path of a trace from the folder of this list, or from one above it");
            continue;
        }
        faults.collect([&] { sources.push_back(input::read_file(*trace, file.range)); });
        bytes += sources.back()->text().size();
        if (bytes <= kMostText) continue;
        throw BadInput(DiagnosticKind::trace_too_large, file.range, "these traces are too large",
                       fmt::format("expected at most {} bytes in all", kMostText));
    }
    faults.raise();
    return sources;
}

// Reading the lines of a trace.

struct TraceLine {
    std::size_t offset = 0;
    std::size_t length = 0;
    std::uint32_t number = 0;  // number of the line, from 1
};

/// Passes each line of a text to `take`.
template <typename Take>
void for_each_line(std::string_view text, const Take& take) {
    std::uint32_t number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        take(TraceLine{at, end - at, ++number});
        at = end + 1;
    }
}

/// Returns the lines of each rank if a text has several, in the order of the text.
std::vector<std::vector<TraceLine>> lines_by_rank(std::string_view text) {
    std::vector<std::vector<TraceLine>> lines(1);
    for_each_line(text, [&](const TraceLine& line) {
        std::string_view word = text.substr(line.offset, line.length);
        word = word.substr(std::min(word.find_first_not_of(" \t"), word.size()));
        const auto rank = input::number_of<std::uint32_t>(word.substr(0, word.find_first_of(" \t\r"))).value_or(0);
        if (rank >= kMostRecordedRanks) return;
        if (rank >= lines.size()) lines.resize(rank + 1);
        lines[rank].push_back(line);
    });
    return lines;
}

enum class Act : std::uint8_t {
    nothing,
    init,
    finalize,
    compute,
    sleep,
    message,
    sendrecv,
    wait,
    waitall,
    waitany,
    test,
    probe,
    collective
};

/// The form of an action: the numbers of required words, of optional words, and of lists with one word per rank (0, 1
/// or 2) after the verb.
struct LineForm {
    std::string_view name;
    Act act = Act::nothing;
    std::size_t least = 0;
    std::size_t optional = 0;
    std::string_view words{};
    Call call{};
    Kind kind{};
    std::size_t by_rank = 0;
};

/// A limit on the words of actions whose words have no effect.
constexpr std::size_t kAnyNumber = 1000;
constexpr std::string_view kMessageWords = " PEER TAG COUNT [TYPE]";

constexpr LineForm collective_form(std::string_view name, Kind kind, std::size_t least, std::size_t optional,
                                   std::string_view words, std::size_t by_rank = 0) {
    return {name, Act::collective, least, optional, words, Call::collective, kind, by_rank};
}

constexpr std::array kForms{
    LineForm{"init", Act::init, 0, 1, " [1]"},
    LineForm{"finalize", Act::finalize},
    LineForm{"compute", Act::compute, 1, 0, " FLOPS"},
    LineForm{"send", Act::message, 3, 1, kMessageWords, Call::send},
    LineForm{"isend", Act::message, 3, 1, kMessageWords, Call::isend},
    LineForm{"ssend", Act::message, 3, 1, kMessageWords, Call::ssend},
    LineForm{"recv", Act::message, 3, 1, kMessageWords, Call::recv},
    LineForm{"irecv", Act::message, 3, 1, kMessageWords, Call::irecv},
    LineForm{"sendrecv", Act::sendrecv, 4, 2, " COUNT TO COUNT FROM [TYPE TYPE]"},
    LineForm{"wait", Act::wait, 3, 0, " FROM TO TAG"},
    LineForm{"waitall", Act::waitall, 0, 1, " [COUNT]"},
    LineForm{"waitany", Act::waitany, 0, 1, " [COUNT]"},
    LineForm{"sleep", Act::sleep, 1, 0, " SECONDS"},
    LineForm{"location", Act::nothing, 2, 0, " FILE LINE"},
    LineForm{"comm_size", Act::nothing, 0, kAnyNumber},
    LineForm{"comm_split", Act::nothing, 0, kAnyNumber},
    LineForm{"comm_dup", Act::nothing, 0, kAnyNumber},
    LineForm{"test", Act::test, 0, kAnyNumber},
    LineForm{"testall", Act::test, 0, kAnyNumber},
    LineForm{"testany", Act::test, 0, kAnyNumber},
    LineForm{"testsome", Act::test, 0, kAnyNumber},
    LineForm{"probe", Act::probe, 0, kAnyNumber},
    LineForm{"iprobe", Act::probe, 0, kAnyNumber},
    collective_form("barrier", Kind::barrier, 0, 0, ""),
    collective_form("bcast", Kind::bcast, 1, 2, " COUNT [ROOT [TYPE]]"),
    collective_form("reduce", Kind::reduce, 2, 2, " COUNT FLOPS [ROOT [TYPE]]"),
    collective_form("allreduce", Kind::allreduce, 2, 1, " COUNT FLOPS [TYPE]"),
    collective_form("gather", Kind::gather, 2, 3, " COUNT COUNT [ROOT [TYPE TYPE]]"),
    collective_form("gatherv", Kind::gatherv, 1, 3, " COUNT COUNT-BY-RANK... [ROOT [TYPE TYPE]]", 1),
    collective_form("allgather", Kind::allgather, 2, 2, " COUNT COUNT [TYPE TYPE]"),
    collective_form("allgatherv", Kind::allgatherv, 1, 2, " COUNT COUNT-BY-RANK... [TYPE TYPE]", 1),
    collective_form("alltoall", Kind::alltoall, 2, 2, " COUNT COUNT [TYPE TYPE]"),
    collective_form("alltoallv", Kind::alltoallv, 2, 2, " SIZE COUNT-BY-RANK... SIZE COUNT-BY-RANK... [TYPE TYPE]", 2),
    collective_form("scatter", Kind::scatter, 2, 3, " COUNT COUNT [ROOT [TYPE TYPE]]"),
    collective_form("reducescatter", Kind::reduce_scatter, 1, 1, " COUNT-BY-RANK... FLOPS [TYPE]", 1),
    collective_form("scan", Kind::scan, 2, 1, " COUNT FLOPS [TYPE]"),
    collective_form("exscan", Kind::exscan, 2, 1, " COUNT FLOPS [TYPE]"),
    collective_form("scatterv", Kind::scatterv, 1, 3, " COUNT-BY-RANK... COUNT [ROOT [TYPE TYPE]]", 1),
};

/// Actions of SimGrid that are not supported here.
constexpr std::array<std::string_view, 10> kUnread{"waitsome",   "alltoallw", "ibarrier", "ibcast",     "ireduce",
                                                   "iallreduce", "iscatter",  "igather",  "iallgather", "ialltoall"};

constexpr double kMostBytes = 9.0e15;  // whole numbers up to it are exact
constexpr double kMostFlops = 1e30;
constexpr double kMostSeconds = 1e30;  // longer than any possible virtual time
constexpr double kMostInt = std::numeric_limits<std::int32_t>::max();
constexpr std::string_view kAnyRank = "-333";  // written by SMPI for MPI_ANY_SOURCE and MPI_PROC_NULL
constexpr std::string_view kAnyTag = "-444";

struct Word {
    std::string_view text;
    std::size_t offset = 0;  // offset of the word in the line
};

std::vector<Word> split_words(std::string_view line) {
    std::vector<Word> words;
    for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
        words.push_back({line.substr(at, end - at), at});
        at = end;
    }
    return words;
}

/// Counts over all ranks, for the notes.
struct LineCounts {
    /// Number of collectives for which neither the trace nor the file states a communicator.
    std::uint64_t of_all_ranks = 0;
    std::uint64_t sizes_unknown = 0;  // actions with derived datatypes
};

/// Data that the readers of all ranks share.
struct TraceContext {
    const TraceSettings& settings;
    const NamedCommunicators& communicators;
    std::vector<std::vector<std::uint32_t>>
        numbers;  // numbers of communicators in the run, by name, then by place in the file
    RunBuilder& builder;
    Diagnostics& faults;
    LineCounts counts{};
};

/// The lines of one rank as events.
class LineReader {
public:
    LineReader(SourceFilePtr source, std::uint32_t rank, TraceContext& context)
        : source_(std::move(source)),
          rank_(rank),
          context_(context),
          builder_(context.builder),
          faults_(context.faults),
          order_(context.communicators.order_of(rank)) {
        take_communicator();
    }

    void read(const TraceLine& at) {
        line_ = source_->text().substr(at.offset, at.length);
        line_ = line_.substr(0, line_.find('#'));
        builder_.line = at.number;
        offset_ = at.offset;
        words_ = split_words(line_);
        if (words_.empty()) return;
        const std::size_t first = words_.front().offset;
        here_ = {source_, offset_ + first, words_.back().offset + words_.back().text.size() - first};
        const std::size_t faults_before = faults_.count();
        read_words();
        sound_ = sound_ && faults_.count() == faults_before;
    }

    void finish() {
        if (!sound_) return;
        if (!finalized_) {
            faults_.add(DiagnosticKind::trace_truncated, input::range_of_line(source_, std::max(builder_.line, 1U)),
                        "the trace ends before `finalize`",
                        fmt::format("expected `{} finalize` as the last action: the file may be incomplete", rank_));
        }
        if (order_ != nullptr && order_->collectives != unnamed_) {
            faults_.add(DiagnosticKind::unmatched_collectives, order_->range,
                        fmt::format("`over` states the communicators of {} collectives of rank {}, but its trace has "
                                    "{} collectives without `comm=`",
                                    order_->collectives, rank_, unnamed_),
                        "expected the same number");
        }
    }

private:
    struct OpenLine {
        RunBuilder::Handle handle = 0;
        bool sends = false;
        std::optional<std::uint32_t> peer;  // partner of the request; empty for any
        std::optional<std::int32_t> tag;    // tag of the request; empty for any
        bool grouped = false;               // true if the request belongs to the group of a waitany
    };
    struct LastTest {
        std::size_t events = 0;  // number of events before the test
        std::uint32_t line = 0;
    };

    void refuse(DiagnosticKind kind, std::string message, std::string expected) {
        faults_.add(kind, here_, std::move(message), std::move(expected));
    }
    void refuse(DiagnosticKind kind, const Word& word, std::string message, std::string expected) {
        faults_.add(kind, {source_, offset_ + word.offset, word.text.size()}, std::move(message), std::move(expected));
    }

    void read_words() {
        if (words_.size() < 2) {
            return refuse(DiagnosticKind::trace_line, "this line has no action",
                          "expected `RANK ACTION ...`, such as `0 compute 1500`");
        }
        std::string verb(words_[1].text);
        for (char& c : verb) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const auto form = std::ranges::find(kForms, verb, &LineForm::name);
        if (form == kForms.end()) return refuse_action(words_[1], verb);
        ranks_ = builder_.ranks();
        communicator_ = 0;
        names_communicator_ = size_unknown_ = false;
        element_.reset();
        const std::size_t before = faults_.count();
        if (form->act == Act::collective && !read_communicator()) return;
        // SMPI omits a receive count of 0, so that this number of words remains.
        constexpr std::size_t kGatherWithoutReceive = 6;  // rank, verb, count, root, two types
        if (form->kind == Kind::gather && words_.size() == kGatherWithoutReceive) {
            words_.insert(words_.begin() + 3, Word{"0", words_[2].offset});
        }
        const std::size_t given = words_.size() - 2;
        const std::size_t least = form->least + form->by_rank * ranks_;
        if (given < least || given > least + form->optional) {
            const std::string count =
                form->optional == 0 ? fmt::format("{}", least) : fmt::format("{} to {}", least, least + form->optional);
            return refuse(DiagnosticKind::trace_line,
                          fmt::format("{} follow `{}`", input::counted(given, "word"), form->name),
                          fmt::format("expected {}, as in `RANK {}{}`", count, form->name, form->words));
        }
        const std::int64_t owner = whole(words_.front(), 0, kMostInt);
        if (faults_.count() == before && owner != rank_) {
            return refuse(
                DiagnosticKind::wrong_trace_rank, words_.front(), fmt::format("this is an action of rank {}", owner),
                fmt::format("expected rank {}, since the list names the traces in the order of ranks", rank_));
        }
        if (finalized_) {
            return refuse(DiagnosticKind::trace_line, "this action is after `finalize`", "expected `finalize` last");
        }
        if ((form->act == Act::init) == began_) {
            return refuse(DiagnosticKind::trace_line,
                          began_ ? "this is a second `init`" : "this action is before `init`",
                          fmt::format("expected `{} init` once, as the first action", rank_));
        }
        began_ = true;
        act(*form);
        if (size_unknown_) ++context_.counts.sizes_unknown;
    }

    void refuse_action(const Word& word, std::string_view verb) {
        std::vector<std::string> names;
        for (const LineForm& each : kForms) names.emplace_back(each.name);
        const bool simgrids = std::ranges::find(kUnread, verb) != kUnread.end();
        const std::string_view near = simgrids ? std::string_view{} : input::nearest_name(verb, names);
        refuse(DiagnosticKind::unknown_action, word,
               simgrids ? fmt::format("`{}` is an action of SimGrid that warpfront cannot read", word.text)
                        : fmt::format("unknown action `{}`", word.text),
               near.empty() ? fmt::format("expected one of {}", fmt::join(names, ", "))
                            : fmt::format("did you mean `{}`?", near));
    }

    /// Removes a word `comm=NAME` from the end of the line, if there is one, and sets the communicator. Returns false
    /// after an error.
    bool read_communicator() {
        constexpr std::string_view kKey = "comm=";
        std::uint32_t name = next_communicator_;
        Word named{line_.substr(here_.offset - offset_, here_.length), here_.offset - offset_};
        if (words_.back().text.starts_with(kKey)) {
            named = {words_.back().text.substr(kKey.size()), words_.back().offset + kKey.size()};
            words_.pop_back();
            names_communicator_ = true;
            const auto number = context_.communicators.number_of(named.text);
            if (!number) {
                refuse(DiagnosticKind::unknown_communicator, named,
                       fmt::format("no communicator is called `{}`", named.text),
                       fmt::format("{}; the scenario's file `communicators` names them",
                                   input::suggestion(named.text, context_.communicators.names())));
                return false;
            }
            name = *number;
        }
        if (name == 0) return true;
        const NamedCommunicators::Named& all = context_.communicators.all()[name];
        const auto own = all.communicator_of.find(rank_);
        if (own == all.communicator_of.end()) {
            refuse(DiagnosticKind::not_a_member, named,
                   fmt::format("rank {} is in no communicator `{}`", rank_, all.name),
                   "expected a communicator that lists this rank in the file `communicators`");
            return false;
        }
        communicator_ = context_.numbers[name][own->second];
        ranks_ = static_cast<std::uint32_t>(builder_.run.communicators[communicator_].size());
        return true;
    }

    /// Assigns the next communicator of the order to a collective that names none.
    void take_communicator() {
        if (order_ == nullptr || next_run_ == order_->runs.size()) return;
        const NamedCommunicators::Run& run = order_->runs[next_run_];
        next_communicator_ = run.name;
        if (++of_run_ < run.collectives) return;
        ++next_run_;
        of_run_ = 0;
    }

    // The words of the line as values. Indices count from the word after the verb.

    bool has(std::size_t index) const { return index + 2 < words_.size(); }
    const Word& word(std::size_t index) const { return words_[index + 2]; }

    double real(const Word& word, double least, double most) {
        const std::optional<double> value = input::number_of<double>(word.text);
        if (!value || !std::isfinite(*value)) {
            refuse(DiagnosticKind::bad_number, word, fmt::format("`{}` is not a number", word.text),
                   "expected a decimal number such as `1500` or `1.5e3`");
            return least;
        }
        if (*value < least || *value > most) {
            refuse(DiagnosticKind::out_of_range, word, fmt::format("{} is out of range", word.text),
                   fmt::format("expected {:g} to {:g}", least, most));
            return least;
        }
        return *value;
    }
    std::int64_t whole(const Word& word, double least, double most) {
        const double value = real(word, least, most);
        if (value == std::floor(value)) return static_cast<std::int64_t>(value);
        refuse(DiagnosticKind::bad_number, word, fmt::format("{} is not a whole number", word.text),
               "expected a number without a fraction");
        return static_cast<std::int64_t>(least);
    }
    /// Reads a rank of the communicator and converts it to a rank of MPI_COMM_WORLD.
    Rank rank(std::size_t index) {
        if (word(index).text == kAnyRank) {
            refuse(DiagnosticKind::out_of_range, word(index), fmt::format("{} is not a rank", kAnyRank),
                   fmt::format("expected 0 to {}; messages with MPI_PROC_NULL, which SMPI writes as {}, cannot be read",
                               ranks_ - 1, kAnyRank));
            return {};
        }
        const std::int64_t number = whole(word(index), 0, kMostInt);
        if (number >= ranks_) {
            refuse(DiagnosticKind::peer_outside, word(index), fmt::format("there is no rank {}", number),
                   fmt::format("expected 0 to {}", ranks_ - 1));
        }
        return builder_.member(communicator_, number).value_or(Rank{});
    }
    std::int32_t tag(std::size_t index) {
        if (word(index).text == kAnyTag) {
            refuse(
                DiagnosticKind::out_of_range, word(index), fmt::format("{} is not a tag", kAnyTag),
                fmt::format("expected 0 to {:g}; {} is MPI_ANY_TAG, which only a receive may have", kMostInt, kAnyTag));
            return 0;
        }
        return static_cast<std::int32_t>(whole(word(index), 0, kMostInt));
    }
    /// Reads the count at `index`, whose datatype, if any, is at `type`; `least` is -1 if the count may be unknown.
    Bytes bytes(std::size_t index, std::size_t type, double least = 0) {
        const std::int64_t each = has(type) ? type_bytes(word(type)) : count_bytes_;
        if (!element_) element_ = Bytes{each};
        const std::int64_t count = whole(word(index), least, kMostBytes / static_cast<double>(kLargestType));
        const bool derived = has(type) && input::number_of<std::int64_t>(word(type).text) == kDerivedType;
        if (derived && count != 0) size_unknown_ = true;
        return {std::max<std::int64_t>(count, 0) * each};
    }
    std::int64_t type_bytes(const Word& word) {
        const std::optional<std::int64_t> type = input::number_of<std::int64_t>(word.text);
        const std::optional<Bytes> size = type ? size_of_type(*type) : std::nullopt;
        if (size) return size->count;
        refuse(DiagnosticKind::out_of_range, word, fmt::format("`{}` is not an SMPI datatype", word.text),
               fmt::format("expected 0 (MPI_DOUBLE) to {}, or {} for a derived datatype", kLastType, kDerivedType));
        return 0;
    }

    // Conversion of actions to operations.

    void act(const LineForm& form) {
        const bool between_tests = form.act == Act::test || form.act == Act::compute || form.act == Act::sleep ||
                                   form.act == Act::probe || form.act == Act::nothing;
        if (!between_tests && last_test_) tests_.push_back(*std::exchange(last_test_, std::nullopt));
        switch (form.act) {
            case Act::nothing: return;
            case Act::init: count_bytes_ = has(0) ? sizeof(double) : 1; return;
            case Act::finalize: return finalize();
            case Act::compute: return compute(real(word(0), 0, kMostFlops) / context_.settings.speed.per_second);
            case Act::sleep: return compute(real(word(0), 0, kMostSeconds));
            case Act::message: return message(form.call);
            case Act::sendrecv: return exchange();
            case Act::wait: return wait();
            case Act::waitall: return wait_for_all();
            case Act::waitany: return wait_for_any();
            case Act::test:
                last_test_ = {builder_.rank.events.size(), builder_.line};
                return builder_.left_out("tests",
                                         "SMPI does not record their requests; a request without a wait ends at the "
                                         "first `test` after the request");
            case Act::probe: return builder_.left_out("probes", std::string(kProbe));
            case Act::collective: return collective(form.kind);
        }
    }

    void compute(double seconds) {
        const auto time = from_seconds(seconds);
        if (!time) {
            return refuse(DiagnosticKind::cost_too_large, fmt::format("computing takes {:g} s", seconds),
                          fmt::format("expected at most {:g} s, at {:g} flop/s", warpfront::seconds(kLongestCost),
                                      context_.settings.speed.per_second));
        }
        if (time->ps == 0) return;
        builder_.compute(*time);
        builder_.put(builder_.event(Call::compute));
    }

    void message(Call call) {
        const bool receives = call == Call::recv || call == Call::irecv;
        Event event = builder_.event(call);
        event.any_source = receives && word(0).text == kAnyRank;
        event.any_tag = receives && word(1).text == kAnyTag;
        if (!event.any_source) event.peer = rank(0);
        if (!event.any_tag) event.tag = tag(1);
        event.bytes = bytes(2, 3, receives ? -1 : 0);
        const std::size_t left = grouped().size();
        if (call == Call::irecv && left > 0) {
            return refuse(DiagnosticKind::unwaited_request,
                          fmt::format("this `irecv` follows a `waitany`, of whose requests {} {} still open",
                                      input::counted(left, "request"), left == 1 ? "is" : "are"),
                          "expected a `waitany` for each open request, or `waitall`, before this line: the trace does "
                          "not state which of the requests are open");
        }
        if (call != Call::isend && call != Call::irecv) return builder_.put(std::move(event));
        OpenLine& open = open_.emplace_back();
        open.handle = ++begun_;
        open.sends = !receives;
        if (!event.any_source) open.peer = event.peer.index;
        if (!event.any_tag) open.tag = event.tag;
        builder_.begin(begun_, std::move(event));
    }

    void exchange() {
        Event event = builder_.event(Call::sendrecv);
        event.bytes = bytes(0, 4);
        event.peer = rank(1);
        bytes(2, 5, -1);
        event.from = rank(3);
        builder_.put(std::move(event));
    }

    void complete(const OpenLine& open) {
        const bool named = open.peer && open.tag;
        builder_.complete(open.handle,
                          Completion{0, !open.sends, {open.peer.value_or(0)}, named ? *open.tag : -1, Bytes{}});
    }

    void wait() {
        std::optional<std::uint32_t> from;
        std::optional<std::int32_t> with_tag;
        if (word(0).text != kAnyRank) from = rank(0).index;
        const std::uint32_t to = rank(1).index;
        if (word(2).text != kAnyTag) with_tag = tag(2);
        const auto found = std::ranges::find_if(open_, [&](const OpenLine& each) {
            const bool ends = each.sends ? from == rank_ && each.peer == to : to == rank_ && each.peer == from;
            return ends && each.tag == with_tag && !each.grouped;
        });
        if (found != open_.end()) {
            complete(*found);
            open_.erase(found);
            return builder_.wait();
        }
        const bool own = from == rank_ || to == rank_;
        refuse(DiagnosticKind::unknown_request,
               fmt::format("no request from {} to rank {} with {} is open",
                           from ? fmt::format("rank {}", *from) : "any source", to,
                           with_tag ? fmt::format("tag {}", *with_tag) : "any tag"),
               own ? fmt::format("expected an earlier `{}` that no other line waits for",
                                 from == rank_ ? "isend" : "irecv")
                   : fmt::format("expected a request of rank {}, whose trace this is", rank_));
    }

    void wait_for_all() {
        for (const bool grouped : {false, true}) {
            for (const OpenLine& each : open_) {
                if (each.grouped == grouped) complete(each);
            }
            builder_.wait();
        }
        open_.clear();
    }

    std::vector<RunBuilder::Handle> grouped() const {
        std::vector<RunBuilder::Handle> handles;
        for (const OpenLine& each : open_) {
            if (each.grouped) handles.push_back(each.handle);
        }
        return handles;
    }

    void wait_for_any() {
        const bool takes_any =
            std::ranges::any_of(open_, [](const OpenLine& each) { return !each.sends && (!each.peer || !each.tag); });
        if (!takes_any && grouped().empty()) {
            for (OpenLine& each : open_) each.grouped = !each.sends;
        }
        const std::vector<RunBuilder::Handle> among = grouped();
        auto next = std::ranges::find(open_, true, &OpenLine::grouped);
        if (next == open_.end()) next = std::ranges::find(open_, true, &OpenLine::sends);
        if (next == open_.end()) {
            return refuse(
                DiagnosticKind::unknown_request,
                open_.empty() ? "no request is open" : "`waitany` cannot complete the open receive from any source",
                "expected an earlier `irecv` or `isend` that no other line waits for");
        }
        complete(*next);
        open_.erase(next);
        builder_.wait(among, !among.empty());
    }

    /// Adds waits for the requests that no wait names, at the tests that may have completed these requests.
    void wait_at_tests() {
        std::map<std::size_t, std::vector<const OpenLine*>> at;  // requests that end at each test, by index of the test
        for (const OpenLine& each : open_) {
            const std::size_t begun = builder_.request(each.handle)->at;
            const auto test = std::ranges::find_if(tests_, [&](const LastTest& last) { return last.events > begun; });
            if (test != tests_.end()) at[static_cast<std::size_t>(test - tests_.begin())].push_back(&each);
        }
        const std::uint32_t line = builder_.line;
        std::vector<Event>& events = builder_.rank.events;
        std::vector<std::uint32_t>& lines = builder_.rank.lines;
        for (auto test = at.rbegin(); test != at.rend(); ++test) {
            for (const OpenLine* const each : test->second) complete(*each);
            builder_.line = tests_[test->first].line;
            builder_.wait();
            const auto place = static_cast<std::ptrdiff_t>(tests_[test->first].events);
            std::rotate(events.begin() + place, events.end() - 1, events.end());
            std::rotate(lines.begin() + place, lines.end() - 1, lines.end());
        }
        builder_.line = line;
    }

    void finalize() {
        finalized_ = true;
        wait_at_tests();
        builder_.stop();
    }

    std::vector<Bytes> shares(std::size_t first, std::size_t type) {
        std::vector<Bytes> all;
        for (std::size_t member = 0; member < ranks_; ++member) all.push_back(bytes(first + member, type));
        return all;
    }

    void collective(Kind kind) {
        using enum Kind;
        Event event = builder_.event(Call::collective);
        event.kind = kind;
        event.communicator = communicator_;
        event.peer = builder_.run.communicators[communicator_].front();
        const auto root = [&](std::size_t index) {
            if (has(index)) event.peer = rank(index);
        };
        const std::size_t ranks = ranks_;
        double flops = 0.0;
        switch (kind) {
            case barrier: break;
            case bcast:
                event.bytes = bytes(0, 2);
                root(1);
                break;
            case reduce:
            case allreduce:
            case scan:
            case exscan:
                event.bytes = bytes(0, kind == reduce ? 3 : 2);
                flops = real(word(1), 0, kMostFlops);
                if (kind == reduce) root(2);
                break;
            case gather:
            case scatter:
                event.bytes = bytes(0, 3);
                bytes(1, 4);
                root(2);
                break;
            case gatherv:
                event.bytes = bytes(0, ranks + 2);
                event.shares = shares(1, ranks + 3);
                root(ranks + 1);
                break;
            case scatterv:
                event.shares = shares(0, ranks + 2);
                bytes(ranks, ranks + 3);
                root(ranks + 1);
                break;
            case allgather:
            case alltoall:
                event.bytes = bytes(0, 2);
                bytes(1, 3);
                break;
            case allgatherv:
                event.bytes = bytes(0, ranks + 1);
                event.shares = shares(1, ranks + 2);
                break;
            case reduce_scatter:
                event.shares = shares(0, ranks + 1);
                flops = real(word(ranks), 0, kMostFlops);
                break;
            case alltoallv:
                event.shares = shares(1, 2 * ranks + 2);
                for (std::size_t member = 0; member < ranks; ++member) bytes(ranks + 2 + member, 2 * ranks + 3);
                break;
        }
        event.element = element_.value_or(Bytes{});
        event.size_unknown = size_unknown_;
        if (!names_communicator_) {
            ++unnamed_;
            take_communicator();
            if (order_ == nullptr) ++context_.counts.of_all_ranks;
        }
        builder_.put(std::move(event));
        compute(flops / context_.settings.speed.per_second);
    }

    const SourceFilePtr source_;
    const std::uint32_t rank_;
    TraceContext& context_;
    RunBuilder& builder_;
    Diagnostics& faults_;
    const NamedCommunicators::Order* const order_;
    std::size_t next_run_ = 0;             // index into the runs of the order
    std::uint64_t of_run_ = 0;             // collectives so far in the current run of the order
    std::uint64_t unnamed_ = 0;            // number of collectives for which no communicator is stated
    std::uint32_t next_communicator_ = 0;  // index of the name for the next collective without `comm=`
    std::int64_t count_bytes_ = 1;         // bytes of one element of a count without a datatype
    bool began_ = false;
    bool finalized_ = false;
    bool sound_ = true;
    std::vector<OpenLine> open_;  // open requests in the order of their beginning
    RunBuilder::Handle begun_ = 0;
    std::optional<LastTest> last_test_;  // last test of a group with only computing between its tests
    std::vector<LastTest> tests_;
    // The current line.
    std::string_view line_;
    std::size_t offset_ = 0;
    std::vector<Word> words_;
    SourceRange here_;
    std::uint32_t communicator_ = 0;
    std::uint32_t ranks_ = 1;  // number of ranks of the communicator
    bool names_communicator_ = false;
    bool size_unknown_ = false;
    std::optional<Bytes> element_;  // size of an element of the first count
};

}  // namespace

std::optional<Bytes> size_of_type(std::int64_t number) {
    if (number == kDerivedType) return Bytes{0};
    if (number < 0 || number > kLastType) return std::nullopt;
    return Bytes{kTypeBytes[static_cast<std::size_t>(number)]};
}

bool is_trace_list(const std::filesystem::path& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return std::filesystem::exists(path / kListName, ignored);
    std::ifstream file(path);
    std::string line;
    if (!std::getline(file, line) || line.size() > 4096) return false;
    if (line.ends_with('\r')) line.pop_back();
    const auto trace = line.empty() ? std::nullopt : find(path, line);
    return trace && std::filesystem::is_regular_file(*trace, ignored);
}

RecordedRun read_simgrid(const std::filesystem::path& path, const SourceRange& mentioned_at,
                         const TraceSettings& settings, const TakeRank& take) {
    std::vector<SourceFilePtr> sources = read_files(path, mentioned_at);
    const std::vector<SourceFilePtr> traces(sources.begin() + 1, sources.end());
    std::vector<std::vector<TraceLine>> lines;  // lines by rank, for a file with the traces of several ranks
    if (traces.size() == 1) lines = lines_by_rank(traces.front()->text());
    const auto ranks = static_cast<std::uint32_t>(std::max(traces.size(), lines.size()));
    if (ranks == 0) {
        throw BadInput(DiagnosticKind::trace_ranks, mentioned_at, fmt::format("`{}` lists no traces", path.string()),
                       "expected one line for each rank");
    }
    Diagnostics faults;
    RunBuilder builder(path, std::string(kTimeIndependent), mentioned_at, take);
    builder.set_ranks(ranks);
    builder.run.place = (std::filesystem::path(traces.front()->name()).parent_path() / "*").string();
    NamedCommunicators communicators(ranks);
    if (!settings.communicators.empty()) {
        sources.push_back(input::read_file(settings.communicators, settings.communicators_mentioned_at));
        communicators = NamedCommunicators(sources.back(), ranks, faults);
        faults.raise();
    }
    builder.run.sources = std::move(sources);
    TraceContext context{settings, communicators, {}, builder, faults};
    for (std::uint32_t name = 0; name < communicators.all().size(); ++name) {
        const NamedCommunicators::Named& all = communicators.all()[name];
        std::vector<std::uint32_t>& numbers = context.numbers.emplace_back();
        for (const std::vector<Rank>& each : all.communicators) {
            numbers.push_back(*builder.communicator(each, name, all.name));
        }
    }
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const SourceFilePtr& source = lines.size() > 1 ? traces.front() : traces[rank];
        builder.rank.source = source;
        LineReader reader(source, rank, context);
        if (lines.size() > 1) {
            for (const TraceLine& each : lines[rank]) reader.read(each);
        } else {
            for_each_line(source->text(), [&](const TraceLine& line) { reader.read(line); });
        }
        reader.finish();
        if (faults.empty()) {
            builder.finish_rank();
        } else {
            builder.drop_rank();
        }
    }
    faults.raise();
    std::vector<std::string>& notes = builder.run.notes;
    notes.push_back(fmt::format("traces: computing at {:g} flop/s", settings.speed.per_second));
    if (context.counts.of_all_ranks > 0) {
        notes.emplace_back(
            "traces: collectives are assumed to be over all ranks, since these traces do not contain communicators; if "
            "the code splits MPI_COMM_WORLD, the file of the key `communicators` gives them");
    }
    if (context.counts.sizes_unknown > 0) {
        notes.push_back(
            fmt::format("traces: {} actions have derived datatypes, whose sizes SMPI does not write: their "
                        "messages are empty, as in SMPI's own replay",
                        context.counts.sizes_unknown));
    }
    return builder.finish();
}

}  // namespace warpfront::trace
