// Recorded runs in the format of `dumpi2ascii`, made from DUMPI's traces: a folder with a text for each rank, whose
// names end with the rank's number (`dumpi-2013.09.26.10.55.53-0003.txt`). A call is
//
//   MPI_Send entering at walltime 8153.049312000, cputime 0.004400000 seconds in thread 0.
//   int count=10
//   MPI_Datatype datatype=14 (MPI_DOUBLE)
//   int dest=1
//   int tag=5
//   MPI_Comm comm=2 (MPI_COMM_WORLD)
//   MPI_Send returning at walltime 8153.049313000, cputime 0.004400000 seconds in thread 0.
//
// Other lines are skipped. `dumpi2ascii -SX` writes the calls and also lines `Datatype 28 (user-defined) has size 80`,
// which contain the sizes of types that a code makes. The sizes of an allgather, an alltoall and a gather at its root
// are taken from the receive side, since a call in place (MPI_IN_PLACE) has no size on the send side. The ranks of
// communicators follow from MPI_Comm_split and MPI_Comm_dup on all ranks.
#include "simulator/trace/formats.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "simulator/input/decimal.hpp"
#include "simulator/input/words.hpp"
#include "simulator/trace/run_builder.hpp"

namespace warpfront::trace {

namespace {

constexpr std::string_view kEntering = " entering at walltime ";
constexpr std::string_view kReturning = " returning at walltime ";
constexpr std::int64_t kWorldHandle = 2;  // MPI_COMM_WORLD
constexpr std::int64_t kSelfHandle = 3;
constexpr std::int64_t kFirstRequest = 2;
constexpr std::int64_t kAny = -1;  // MPI_ANY_SOURCE, MPI_ANY_TAG

struct DumpiField {
    std::string_view name;  // name of the field, without the length in brackets
    std::string_view value;
    std::size_t offset = 0;  // place of the value in the text
};

struct DumpiCall {
    std::string_view name;
    std::string_view entered;  // seconds as written
    std::string_view returned;
    SourceRange range;
    std::uint32_t line = 0;
    std::vector<DumpiField> fields;
};

/// The calls of one text, one after another.
class DumpiText {
public:
    explicit DumpiText(const SourceFilePtr& source) : source_(source), text_(source->text()) {}

    bool next(DumpiCall& call) {
        std::size_t start = 0;
        std::string_view line;
        do {
            if (!take_line(start, line)) return false;
        } while (line.find(kEntering) == std::string_view::npos);
        const std::size_t name = line.find(kEntering);
        call.name = line.substr(0, name);
        call.entered = time_of(line.substr(name + kEntering.size()));
        call.range = {source_, start, call.name.size()};
        call.line = line_;
        call.fields.clear();
        while (take_line(start, line)) {
            if (line.starts_with(call.name) && line.substr(call.name.size()).starts_with(kReturning)) {
                call.returned = time_of(line.substr(call.name.size() + kReturning.size()));
                return true;
            }
            if (line.find(kEntering) != std::string_view::npos) break;
            add_field(start, line, call);
        }
        throw BadInput(DiagnosticKind::trace_truncated, call.range,
                       fmt::format("the text ends before the call `{}` returns", input::escaped(call.name, 60)),
                       fmt::format("expected a line `{}{}...`: the text may be incomplete",
                                   input::escaped(call.name, 60), kReturning));
    }

private:
    bool take_line(std::size_t& start, std::string_view& line) {
        if (at_ >= text_.size()) return false;
        start = at_;
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        line = text_.substr(at_, end - at_);
        if (line.ends_with('\r')) line.remove_suffix(1);
        at_ = end + 1;
        ++line_;
        return true;
    }
    static std::string_view time_of(std::string_view rest) { return rest.substr(0, rest.find(',')); }
    /// Adds a field `TYPE name=value` or `TYPE name[N]=value`.
    static void add_field(std::size_t start, std::string_view line, DumpiCall& call) {
        const std::size_t space = line.find(' ');
        const std::size_t equals = line.find('=');
        if (equals == std::string_view::npos || space == std::string_view::npos || space > equals) return;
        std::string_view name = line.substr(space + 1, equals - space - 1);
        name = name.substr(0, name.find('['));
        call.fields.push_back({name, line.substr(equals + 1), start + equals + 1});
    }

    const SourceFilePtr source_;
    const std::string_view text_;
    std::size_t at_ = 0;
    std::uint32_t line_ = 0;
};

/// The fields of a call as values.
class DumpiFields {
public:
    explicit DumpiFields(const DumpiCall& call) : call_(call) {}

    bool has(std::string_view name) const { return find(name) != nullptr; }
    std::int64_t number(std::string_view name) const {
        const DumpiField& field = require(name);
        std::string_view digits = field.value.substr(0, field.value.find(' '));
        if (digits.starts_with('[') && digits.ends_with(']')) digits = digits.substr(1, digits.size() - 2);
        return number_in(digits, field);
    }
    /// Returns the list; empty if it is <IGNORED>.
    std::vector<std::int64_t> list(std::string_view name) const {
        const DumpiField& field = require(name);
        std::vector<std::int64_t> numbers;
        if (!field.value.starts_with('[')) return numbers;
        std::string_view rest = field.value.substr(1, field.value.find(']') - 1);
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(','), rest.size());
            std::string_view digits = rest.substr(0, end);
            while (digits.starts_with(' ')) digits.remove_prefix(1);
            numbers.push_back(number_in(digits, field));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
        return numbers;
    }
    /// Returns source, tag and bytes of each status.
    std::vector<std::array<std::int64_t, 3>> statuses(std::string_view name) const {
        std::vector<std::array<std::int64_t, 3>> all;
        const DumpiField* const field = find(name);
        if (field == nullptr) return all;
        std::string_view rest = field->value;
        for (std::size_t at = rest.find('{'); at != std::string_view::npos; at = rest.find('{')) {
            rest.remove_prefix(at + 1);
            const std::string_view status = rest.substr(0, rest.find('}'));
            all.push_back(
                {within(status, "source=", *field), within(status, "tag=", *field), within(status, "bytes=", *field)});
        }
        return all;
    }

    SourceRange range(std::string_view name) const {
        const DumpiField& field = require(name);
        return {call_.range.source, field.offset, field.value.size()};
    }

private:
    const DumpiField* find(std::string_view name) const {
        const auto found = std::ranges::find(call_.fields, name, &DumpiField::name);
        return found == call_.fields.end() ? nullptr : &*found;
    }
    const DumpiField& require(std::string_view name) const {
        if (const DumpiField* const field = find(name)) return *field;
        throw BadInput(DiagnosticKind::dumpi_syntax, call_.range,
                       fmt::format("the call `{}` has no `{}`", input::escaped(call_.name, 60), name),
                       fmt::format("expected a line such as `int {}=1` before the call returns", name));
    }
    std::int64_t number_in(std::string_view digits, const DumpiField& field) const {
        if (const auto number = input::number_of<std::int64_t>(digits)) {
            if (*number >= -kLargest && *number <= kLargest) return *number;
        }
        throw BadInput(DiagnosticKind::dumpi_syntax, {call_.range.source, field.offset, field.value.size()},
                       fmt::format("`{}` is not a number of 32 bits", input::escaped(digits, 60)),
                       fmt::format("expected a number, as in `{}=1`", field.name));
    }
    std::int64_t within(std::string_view status, std::string_view key, const DumpiField& field) const {
        const std::size_t at = status.find(key);
        if (at == std::string_view::npos) return kAny;
        const std::string_view rest = status.substr(at + key.size());
        return number_in(rest.substr(0, rest.find(',')), field);
    }

    static constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
    const DumpiCall& call_;
};

// Creation of communicators.

/// A call that creates a communicator.
struct Made {
    bool splits = false;
    std::int64_t color = 0;
    std::int64_t key = 0;
    std::int64_t handle = 0;  // handle of the new communicator
};

/// The communicators of each rank's handles.
class DumpiCommunicators {
public:
    DumpiCommunicators(const std::vector<SourceFilePtr>& sources, RunBuilder& builder) : builder_(builder) {
        for (const SourceFilePtr& source : sources) {
            std::map<std::int64_t, std::vector<Made>>& over = made_.emplace_back();
            DumpiText text(source);
            for (DumpiCall call; text.next(call);) {
                const DumpiFields fields(call);
                if (call.name == "MPI_Comm_split") {
                    over[fields.number("oldcomm")].push_back(
                        {true, fields.number("color"), fields.number("key"), fields.number("newcomm")});
                } else if (call.name == "MPI_Comm_dup") {
                    over[fields.number("oldcomm")].push_back({false, 0, 0, fields.number("newcomm")});
                }
            }
        }
        numbers_.resize(sources.size());
        std::map<Rank, std::int64_t> handles;
        for (std::uint32_t rank = 0; rank < sources.size(); ++rank) {
            handles[{rank}] = kWorldHandle;
            numbers_[rank][kWorldHandle] = 0;
        }
        ++earlier_[builder_.run.communicators[0]];
        resolve(0, handles);
    }

    std::optional<std::uint32_t> number(std::uint32_t rank, std::int64_t handle) {
        if (handle == kSelfHandle && !numbers_[rank].contains(handle)) add({{rank}}, {{{rank}, handle}});
        const auto found = numbers_[rank].find(handle);
        return found == numbers_[rank].end() ? std::nullopt : std::optional(found->second);
    }

private:
    std::uint32_t add(const std::vector<Rank>& members, const std::map<Rank, std::int64_t>& handles) {
        const std::uint32_t number = builder_.communicator(members, earlier_[members]++).value_or(0);
        for (const auto& [rank, handle] : handles) numbers_[rank.index][handle] = number;
        return number;
    }

    /// Resolves the communicators that are created over a communicator: the k-th call over it is the same on all its
    /// ranks.
    void resolve(std::uint32_t number, std::map<Rank, std::int64_t> handles) {
        std::vector<std::pair<std::uint32_t, std::map<Rank, std::int64_t>>> open{{number, std::move(handles)}};
        while (!open.empty()) {
            const auto [over, own] = std::move(open.back());
            open.pop_back();
            for (std::size_t k = 0; const auto calls = calls_over(over, own, k); ++k) {
                // The parts by colour. Within a part, ranks are ordered by key, then by their number within `over`.
                std::map<std::int64_t, std::vector<std::tuple<std::int64_t, std::size_t, Rank, std::int64_t>>> parts;
                for (std::size_t member = 0; member < calls->size(); ++member) {
                    const Made& call = (*calls)[member];
                    if (call.color < 0) continue;
                    parts[call.color].emplace_back(call.key, member, builder_.run.communicators[over][member],
                                                   call.handle);
                }
                for (auto& [color, part] : parts) {
                    std::ranges::sort(part);
                    std::vector<Rank> members;
                    std::map<Rank, std::int64_t> news;
                    for (const auto& [key, member, rank, handle] : part) {
                        members.push_back(rank);
                        news[rank] = handle;
                    }
                    const std::uint32_t made = add(members, news);
                    open.emplace_back(made, std::move(news));
                }
            }
        }
    }

    /// Returns the k-th call of each rank of `over`, if all have one.
    std::optional<std::vector<Made>> calls_over(std::uint32_t over, const std::map<Rank, std::int64_t>& own,
                                                std::size_t k) const {
        std::vector<Made> calls;
        for (const Rank rank : builder_.run.communicators[over]) {
            const auto of_rank = made_[rank.index].find(own.at(rank));
            if (of_rank == made_[rank.index].end() || of_rank->second.size() <= k) return std::nullopt;
            calls.push_back(of_rank->second[k]);
        }
        return calls;
    }

    RunBuilder& builder_;
    /// Communicators that each rank made, by handle of the old communicator.
    std::vector<std::map<std::int64_t, std::vector<Made>>> made_;
    /// Numbers of communicators in the run, for each rank by handle.
    std::vector<std::map<std::int64_t, std::uint32_t>> numbers_;
    std::map<std::vector<Rank>, std::uint32_t> earlier_;  // numbers of communicators, by members
};

// Events of a trace.

constexpr std::int64_t kNullType = 1;  // MPI_DATATYPE_NULL; 0 is an unknown type

/// Sizes of MPI's own types by DUMPI's numbers, from 2 (MPI_CHAR).
constexpr std::array<std::int64_t, 26> kTypeSizes{1,  1, 1, 1, 4, 2, 2, 4, 4,  8,  8, 4, 8,
                                                  16, 8, 8, 8, 1, 0, 0, 8, 12, 12, 6, 8, 20};

class DumpiRank {
public:
    DumpiRank(const SourceFilePtr& source, std::uint32_t number, RunBuilder& builder, DumpiCommunicators& communicators)
        : source_(source), number_(number), builder_(builder), communicators_(communicators) {}

    void read() {
        builder_.rank.source = source_;
        builder_.rank.complete = false;
        read_sizes();
        DumpiText text(source_);
        while (text.next(call_)) take();
        builder_.finish_rank();
    }

private:
    /// Reads lines `Datatype N (NAME) has size BYTES`.
    void read_sizes() {
        const std::string_view text = source_->text();
        constexpr std::string_view kType = "\nDatatype ";
        constexpr std::string_view kSize = " has size ";
        for (std::size_t at = text.find(kType); at != std::string_view::npos; at = text.find(kType, at + 1)) {
            const std::string_view line = text.substr(at + kType.size(), text.find('\n', at + 1) - at - kType.size());
            const std::size_t size = line.find(kSize);
            if (size == std::string_view::npos) continue;
            const auto number = input::number_of<std::int64_t>(line.substr(0, line.find(' ')));
            const auto bytes = input::number_of<std::int64_t>(line.substr(size + kSize.size()));
            if (number && bytes && *bytes >= 0 && *bytes <= std::numeric_limits<std::int32_t>::max()) {
                sizes_[*number] = *bytes;
            }
        }
    }

    void take() {
        builder_.line = call_.line;
        builder_.pass(time(call_.entered), time(call_.returned));
        if (call_.name == "MPI_Init" || call_.name == "MPI_Init_thread") {
            builder_.start();
        } else if (call_.name == "MPI_Finalize") {
            builder_.rank.complete = true;
            builder_.stop();
        } else if (!message() && !request() && !collective()) {
            other();
        }
    }

    /// Converts a time to the time since the first second of the text.
    Time time(std::string_view written) {
        const std::size_t point = std::min(written.find('.'), written.size());
        const auto whole = input::number_of<std::int64_t>(written.substr(0, point));
        std::string digits(written.substr(std::min(point + 1, written.size())));
        digits.resize(12, '0');
        const auto fraction = input::number_of<std::int64_t>(digits);
        if (!whole || *whole < 0 || !fraction || *fraction < 0) {
            throw BadInput(DiagnosticKind::dumpi_syntax, call_.range,
                           fmt::format("`{}` is not a time", input::escaped(written, 60)),
                           "expected seconds, as in `at walltime 8153.049312000, `");
        }
        if (!first_second_) first_second_ = *whole;
        constexpr std::int64_t kSecond = 1'000'000'000'000;
        if (*whole - *first_second_ > kHorizon.ps / kSecond - 1 || *whole < *first_second_) {
            throw BadInput(DiagnosticKind::out_of_range, call_.range,
                           fmt::format("the time `{}` is before the first time of this text, or 50 days after it",
                                       input::escaped(written, 60)),
                           "expected ascending times that span at most 50 days");
        }
        return Time{(*whole - *first_second_) * kSecond + *fraction};
    }

    std::uint32_t communicator(const DumpiFields& fields) {
        const std::int64_t handle = fields.number("comm");
        if (const auto number = communicators_.number(number_, handle)) return *number;
        throw BadInput(DiagnosticKind::unknown_communicator, fields.range("comm"),
                       fmt::format("no call states the ranks of communicator {}", handle),
                       "expected MPI_COMM_WORLD, or a communicator that all its ranks have made by MPI_Comm_split or "
                       "MPI_Comm_dup");
    }
    Rank member(std::uint32_t of, std::int64_t member, const DumpiFields& fields, std::string_view name) const {
        if (const auto rank = builder_.member(of, member)) return *rank;
        throw BadInput(DiagnosticKind::peer_outside, fields.range(name), fmt::format("there is no rank {}", member),
                       fmt::format("expected 0 to {}", builder_.run.communicators[of].size() - 1));
    }
    Bytes size(const DumpiFields& fields, std::string_view count, std::string_view type) {
        return Bytes{std::max<std::int64_t>(fields.number(count), 0) * size_of(fields, type)};
    }
    std::int64_t size_of(const DumpiFields& fields, std::string_view type) {
        const std::int64_t number = fields.number(type);
        if (number >= 0 && number <= kNullType) return 0;
        if (const auto known = sizes_.find(number); known != sizes_.end()) return known->second;
        constexpr std::int64_t kFirst = 2;
        if (number >= kFirst && number < kFirst + static_cast<std::int64_t>(kTypeSizes.size())) {
            return kTypeSizes[static_cast<std::size_t>(number - kFirst)];
        }
        builder_.refuse(std::string(call_.name),
                        "the text does not contain the size of its datatype; `dumpi2ascii -SX` writes the sizes");
        return 0;
    }
    std::vector<Bytes> shares(const DumpiFields& fields, std::string_view counts, std::string_view type,
                              std::uint32_t over) {
        std::vector<Bytes> all;
        const std::int64_t each = size_of(fields, type);
        for (const std::int64_t count : fields.list(counts)) all.push_back({std::max<std::int64_t>(count, 0) * each});
        const std::size_t members = builder_.run.communicators[over].size();
        if (all.size() == members) return all;
        throw BadInput(DiagnosticKind::dumpi_syntax, fields.range(counts),
                       fmt::format("a collective of {} has {}", input::counted(members, "rank"),
                                   input::counted(all.size(), "count")),
                       "expected a count for each rank");
    }

    /// Reads partner and tag of a message; returns false if the partner is MPI_PROC_NULL.
    bool envelope(const DumpiFields& fields, std::string_view peer, std::string_view tag, Event& event) {
        event.communicator = communicator(fields);
        const bool receives = peer == "source";
        const std::int64_t other = fields.number(peer);
        const std::int64_t own_tag = fields.number(tag);
        event.any_source = receives && other == kAny;
        event.any_tag = receives && own_tag == kAny;
        if (other < 0 && !event.any_source) return false;
        if (!event.any_source) event.peer = member(event.communicator, other, fields, peer);
        event.tag = static_cast<std::int32_t>(std::max<std::int64_t>(own_tag, 0));
        return true;
    }

    bool message() {
        struct MessageForm {
            std::string_view name;
            Call call;
            bool persistent = false;
        };
        static constexpr std::array kMessageForms{MessageForm{"MPI_Send", Call::send},
                                                  MessageForm{"MPI_Bsend", Call::send},
                                                  MessageForm{"MPI_Rsend", Call::send},
                                                  MessageForm{"MPI_Ssend", Call::ssend},
                                                  MessageForm{"MPI_Recv", Call::recv},
                                                  MessageForm{"MPI_Isend", Call::isend},
                                                  MessageForm{"MPI_Ibsend", Call::isend},
                                                  MessageForm{"MPI_Irsend", Call::isend},
                                                  MessageForm{"MPI_Issend", Call::issend},
                                                  MessageForm{"MPI_Irecv", Call::irecv},
                                                  MessageForm{"MPI_Send_init", Call::isend, true},
                                                  MessageForm{"MPI_Bsend_init", Call::isend, true},
                                                  MessageForm{"MPI_Rsend_init", Call::isend, true},
                                                  MessageForm{"MPI_Ssend_init", Call::issend, true},
                                                  MessageForm{"MPI_Recv_init", Call::irecv, true}};
        if (call_.name == "MPI_Sendrecv" || call_.name == "MPI_Sendrecv_replace") return exchange();
        const auto form = std::ranges::find(kMessageForms, call_.name, &MessageForm::name);
        if (form == kMessageForms.end()) return false;
        const DumpiFields fields(call_);
        Event event = builder_.event(form->call);
        const bool receives = form->call == Call::recv || form->call == Call::irecv;
        event.bytes = size(fields, "count", "datatype");
        const bool exists = envelope(fields, receives ? "source" : "dest", "tag", event);
        if (form->call == Call::send || form->call == Call::ssend || form->call == Call::recv) {
            if (exists) builder_.put(std::move(event));
        } else {
            const std::int64_t request = fields.number("request");
            made_.insert(request);
            builder_.begin(request, std::move(event), form->persistent, exists);
        }
        return true;
    }

    bool exchange() {
        const DumpiFields fields(call_);
        const bool replaces = call_.name == "MPI_Sendrecv_replace";
        Event sent = builder_.event(Call::send);
        sent.bytes = replaces ? size(fields, "count", "datatype") : size(fields, "sendcount", "sendtype");
        Event received = builder_.event(Call::recv);
        received.bytes = replaces ? sent.bytes : size(fields, "recvcount", "recvtype");
        const bool sends = envelope(fields, "dest", "sendtag", sent);
        const bool receives = envelope(fields, "source", "recvtag", received);
        if (sends && receives) {
            sent.call = Call::sendrecv;
            sent.from = received.peer;
            sent.from_tag = received.tag;
            sent.any_source = received.any_source;
            sent.any_tag = received.any_tag;
        }
        if (sends || receives) builder_.put(std::move(sends ? sent : received));
        return true;
    }

    bool request() {
        const std::string_view name = call_.name;
        const bool tests = name.starts_with("MPI_Test");
        if (name == "MPI_Start" || name == "MPI_Startall") {
            const DumpiFields fields(call_);
            for (const std::int64_t each : fields.list(name == "MPI_Start" ? "request" : "requests")) {
                RunBuilder::Request* const begun = known(each, fields);
                if (begun != nullptr && begun->persistent) builder_.start(*begun);
            }
            return true;
        }
        if (name == "MPI_Cancel") {
            builder_.refuse("MPI_Cancel", "the trace does not record whether the call cancels the request");
            return true;
        }
        if (name == "MPI_Request_free") {
            const DumpiFields fields(call_);
            if (!builder_.free(fields.list("request").at(0))) {
                builder_.refuse("MPI_Request_free", std::string(kFreedReceive));
            }
            return true;
        }
        if (!tests && !name.starts_with("MPI_Wait")) return false;
        if (name == "MPI_Test_cancelled") return true;
        const DumpiFields fields(call_);
        const bool one = name == "MPI_Wait" || name == "MPI_Test";
        if (fields.has("flag") && fields.number("flag") == 0) return true;
        std::vector<std::int64_t> among = fields.list(one ? "request" : "requests");
        std::vector<std::int64_t> done = among;
        if (fields.has("outcount")) {
            done.clear();
            if (fields.number("outcount") > 0) {
                for (const std::int64_t index : fields.list("indices"))
                    done.push_back(at_index(among, index, fields, "indices"));
            }
        } else if (fields.has("index")) {
            done.clear();
            const std::int64_t index = fields.number("index");
            if (index >= 0) done.push_back(at_index(among, index, fields, "index"));
        }
        const bool any = fields.has("outcount") || fields.has("index");
        wait(any ? among : std::vector<std::int64_t>{}, done, fields);
        return true;
    }
    std::int64_t at_index(const std::vector<std::int64_t>& among, std::int64_t index, const DumpiFields& fields,
                          std::string_view name) const {
        if (index >= 0 && static_cast<std::size_t>(index) < among.size()) return among[static_cast<std::size_t>(index)];
        throw BadInput(DiagnosticKind::out_of_range, fields.range(name), fmt::format("no request has index {}", index),
                       fmt::format("expected 0 to {}", static_cast<std::int64_t>(among.size()) - 1));
    }
    /// Returns a request; null if the request has ended. Throws BadInput if no call has made the request.
    RunBuilder::Request* known(std::int64_t request, const DumpiFields& fields) {
        if (made_.contains(request)) return builder_.request(request);
        throw BadInput(DiagnosticKind::unknown_request, fields.range(fields.has("request") ? "request" : "requests"),
                       fmt::format("no call has made request {}", request),
                       "expected a request that an earlier call has made");
    }

    void wait(const std::vector<std::int64_t>& among, const std::vector<std::int64_t>& done,
              const DumpiFields& fields) {
        const auto statuses = fields.statuses(fields.has("statuses") ? "statuses" : "status");
        for (std::size_t at = 0; at < done.size(); ++at) {
            if (done[at] < kFirstRequest) continue;  // MPI_REQUEST_NULL
            Completion taken;
            const RunBuilder::Request* const request = known(done[at], fields);
            if (request != nullptr && at < statuses.size()) {
                const auto& [source, tag, bytes] = statuses[at];
                taken.source = builder_.member(request->event.communicator, source).value_or(Rank{});
                taken.tag = static_cast<std::int32_t>(tag);
                taken.bytes = {std::max<std::int64_t>(bytes, 0)};
            }
            builder_.complete(done[at], taken);
        }
        builder_.wait(among, !among.empty());
    }

    bool collective() {
        using enum collectives::Kind;
        std::string name(call_.name.substr(std::min<std::size_t>(call_.name.size(), 4)));
        for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        const std::optional<collectives::Kind> kind = collectives::kind_named(name);
        if (!kind || !call_.name.starts_with("MPI_")) return false;
        const DumpiFields fields(call_);
        Event event = builder_.event(Call::collective);
        event.kind = *kind;
        const std::uint32_t over = event.communicator = communicator(fields);
        bool is_root = false;
        if (fields.has("root")) {
            event.peer = member(over, fields.number("root"), fields, "root");
            is_root = event.peer.index == number_;
        }
        switch (*kind) {
            case barrier: break;
            case bcast:
            case reduce:
            case allreduce:
            case scan:
            case exscan: event.bytes = size(fields, "count", "datatype"); break;
            case gather:
                event.bytes = is_root ? size(fields, "recvcount", "recvtype") : size(fields, "sendcount", "sendtype");
                break;
            case gatherv: event.bytes = size(fields, "sendcount", "sendtype"); break;
            case allgather:
            case alltoall: event.bytes = size(fields, "recvcount", "recvtype"); break;
            case scatter:
                event.bytes = is_root ? size(fields, "sendcount", "sendtype") : size(fields, "recvcount", "recvtype");
                break;
            case scatterv:
                if (is_root) event.shares = shares(fields, "sendcounts", "sendtype", over);
                break;
            case allgatherv: event.shares = shares(fields, "recvcounts", "recvtype", over); break;
            case alltoallv:
                event.shares = fields.number("sendtype") == kNullType
                                   ? shares(fields, "recvcounts", "recvtype", over)  // MPI_IN_PLACE
                                   : shares(fields, "sendcounts", "sendtype", over);
                break;
            case reduce_scatter: event.shares = shares(fields, "recvcounts", "datatype", over); break;
        }
        builder_.put(std::move(event));
        return true;
    }

    /// Handles calls without messages, and calls that are refused.
    void other() {
        const std::string_view name = call_.name;
        static constexpr std::array<std::string_view, 12> kRefused{
            "MPI_Put",          "MPI_Get",         "MPI_Accumulate", "MPI_Win_fence", "MPI_Alltoallw",
            "MPI_Win_complete", "MPI_Win_wait",    "MPI_Comm_spawn", "MPI_Win_lock",  "MPI_Comm_spawn_multiple",
            "MPI_Comm_accept",  "MPI_Comm_connect"};
        if (std::ranges::find(kRefused, name) != kRefused.end()) {
            builder_.refuse(std::string(name), "it cannot be replayed");
        } else if (name == "MPI_Probe" || name == "MPI_Iprobe") {
            builder_.left_out(std::string(name), std::string(kProbe));
        } else if (name.starts_with("MPI_File_")) {
            builder_.left_out("calls of MPI_File", std::string(kFiles));
        } else if (name.starts_with("MPI_Comm_split") || name.starts_with("MPI_Comm_dup") || name == "MPI_Comm_free") {
            builder_.left_out("calls that make or free communicators", std::string(kNoMessages));
        }
    }

    const SourceFilePtr& source_;
    const std::uint32_t number_;
    RunBuilder& builder_;
    DumpiCommunicators& communicators_;
    DumpiCall call_;
    std::map<std::int64_t, std::int64_t> sizes_;
    std::set<std::int64_t> made_;  // requests that calls have made so far
    std::optional<std::int64_t> first_second_;
};

/// Returns true if a text begins like the output of dumpi2ascii: with the version or with a call.
bool is_dumpi(const std::filesystem::path& file) {
    std::ifstream text(file);
    std::string line;
    for (int k = 0; k < 10 && std::getline(text, line) && line.size() < 1000; ++k) {
        if (line.starts_with("MPI_") && line.find(kEntering) != std::string::npos) return true;
    }
    return false;
}

/// Returns the number at the end of a file's name, before its extension.
std::optional<std::uint32_t> number_at_end(const std::filesystem::path& file) {
    std::string name = file.filename().string();
    const std::size_t digits = name.find_last_of('-');
    if (digits == std::string::npos) return std::nullopt;
    name = name.substr(digits + 1);
    return input::number_of<std::uint32_t>(name.substr(0, name.find('.')));
}

}  // namespace

std::vector<std::filesystem::path> dumpi_texts(const std::filesystem::path& folder) {
    std::map<std::uint32_t, std::filesystem::path> by_rank;
    std::error_code ignored;
    for (const auto& each : std::filesystem::directory_iterator(folder, ignored)) {
        if (!each.is_regular_file(ignored)) continue;
        const auto rank = number_at_end(each.path());
        if (rank && is_dumpi(each.path())) by_rank[*rank] = each.path();
    }
    std::vector<std::filesystem::path> texts;
    for (const auto& [rank, path] : by_rank) {
        if (rank != texts.size()) break;
        texts.push_back(path);
    }
    return texts;
}

RecordedRun read_dumpi(const std::filesystem::path& folder, const std::vector<SourceFilePtr>& sources,
                       const SourceRange& mentioned_at, const TakeRank& take) {
    RunBuilder builder(folder, "dumpi", mentioned_at, take);
    builder.run.sources = sources;
    builder.set_ranks(static_cast<std::uint32_t>(sources.size()));
    DumpiCommunicators communicators(sources, builder);
    for (std::uint32_t rank = 0; rank < sources.size(); ++rank) {
        DumpiRank(sources[rank], rank, builder, communicators).read();
    }
    return builder.finish();
}

}  // namespace warpfront::trace
