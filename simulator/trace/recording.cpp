// The folder written by `warpfront record`: a file of records for each rank (recording_format.h), recording.yaml with
// the command and the parameters, sites.txt with the places of calls in the code.
#include "simulator/trace/formats.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <zlib.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/words.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/trace/recording_format.h"
#include "simulator/trace/run_builder.hpp"

namespace warpfront::trace {

namespace {

constexpr std::uint64_t kMostEventCost = 1'000'000'000'000;  // limit of the cost of recording an event, in picoseconds
constexpr std::size_t kChunk = std::size_t{1} << 16;         // bytes read at a time

using Header = warpfront_recording_header;

std::filesystem::path rank_file(const std::filesystem::path& folder, std::uint32_t rank) {
    return folder / fmt::format("rank-{}.events", rank);
}

struct Head {
    unsigned call = 0;
    std::uint32_t site = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// The records of one rank, one after another; at most one record of the file is in memory.
class RecordFile {
public:
    RecordFile(std::filesystem::path path, std::uint32_t rank, const SourceRange& mentioned_at)
        : path_(std::move(path)), file_(path_, std::ios::binary) {
        if (!file_) {
            throw BadInput(DiagnosticKind::unreadable_file, mentioned_at,
                           fmt::format("cannot read `{}`", path_.string()),
                           "expected the file of a rank, as `warpfront record` writes it");
        }
        file_.read(reinterpret_cast<char*>(&header_), sizeof header_);
        if (file_.gcount() != sizeof header_ ||
            std::strncmp(header_.magic, WARPFRONT_RECORDING_MAGIC, sizeof header_.magic) != 0) {
            refuse("it does not begin with the mark of a recording");
        }
        if (header_.rank != rank) refuse(fmt::format("it is the file of rank {}", header_.rank));
        if (rank >= header_.ranks || header_.ranks > kMostRecordedRanks) {
            refuse(fmt::format("the number of ranks in its header is {}", header_.ranks));
        }
        if (!(header_.ns_per_tick > 0.0 && header_.ns_per_tick <= 1e9)) refuse("the rate of its clock is not valid");
        if (header_.compressed != 0 && inflateInit(&stream_) != Z_OK) throw std::bad_alloc();
    }
    RecordFile(const RecordFile&) = delete;
    RecordFile& operator=(const RecordFile&) = delete;
    ~RecordFile() {
        if (header_.compressed != 0) inflateEnd(&stream_);
    }

    const Header& header() const { return header_; }

    /// Advances; returns false at the end.
    bool next() {
        start_ = passed_;
        if (passed_ == header_.words) return false;
        constexpr std::size_t kHead = 3;
        std::array<std::int64_t, kHead> first{};
        if (header_.words - passed_ < kHead) refuse("its last record is incomplete");
        read_words(first.data(), kHead);
        const auto word = static_cast<std::uint64_t>(first[0]);
        head_ = {static_cast<unsigned>(word & 0xFF), static_cast<std::uint32_t>(word >> 32), first[1], first[2]};
        const std::size_t length = (word >> 8) & 0xFFFFFF;
        if (header_.words - passed_ < length) refuse("its last record is incomplete");
        payload_.resize(std::min(length, kChunk));
        for (std::size_t at = 0; at < length; at = payload_.size()) {
            payload_.resize(std::min(length, at + kChunk));
            read_words(payload_.data() + at, payload_.size() - at);
        }
        at_ = 0;
        return true;
    }

    // The current record.
    const Head& head() const { return head_; }
    std::int64_t word() {
        if (at_ == payload_.size()) refuse("a record is shorter than its call requires");
        return payload_[at_++];
    }
    bool at_end_of_record() const { return at_ == payload_.size(); }
    std::vector<std::int64_t> list() {
        const std::int64_t length = word();
        if (length < 0 || static_cast<std::uint64_t>(length) > payload_.size() - at_) {
            refuse("a list is longer than its record");
        }
        const auto begin = payload_.begin() + static_cast<std::ptrdiff_t>(at_);
        at_ += static_cast<std::size_t>(length);
        return {begin, begin + length};
    }
    std::string text() {
        const std::int64_t length = word();
        if (length < 0 || static_cast<std::uint64_t>(length) > 8 * (payload_.size() - at_)) {
            refuse("a text is longer than its record");
        }
        return {reinterpret_cast<const char*>(payload_.data() + at_), static_cast<std::size_t>(length)};
    }
    Bytes bytes() { return size_of(word()); }
    Bytes size_of(std::int64_t count) const {
        if (count < 0 || count > kMostMessage) refuse(fmt::format("the size of a message is {} bytes", count));
        return {count};
    }

    [[noreturn]] void refuse(const std::string& what) const {
        const std::string where =
            passed_ == 0 ? "" : fmt::format(", in the record at byte {} of its records", 8 * start_);
        throw BadInput(DiagnosticKind::bad_recording, {}, fmt::format("`{}`: {}{}", path_.string(), what, where),
                       "expected an unchanged file of `warpfront record`; record the run again");
    }

private:
    void read_words(std::int64_t* to, std::size_t count) {
        auto* const bytes = reinterpret_cast<char*>(to);
        const std::size_t size = count * sizeof *to;
        if (header_.compressed != 0) {
            inflate_to(bytes, size);
        } else {
            file_.read(bytes, static_cast<std::streamsize>(size));
            if (static_cast<std::size_t>(file_.gcount()) != size) refuse("it ends before its last record");
        }
        passed_ += count;
    }

    void inflate_to(char* to, std::size_t size) {
        stream_.next_out = reinterpret_cast<Bytef*>(to);
        stream_.avail_out = static_cast<uInt>(size);
        while (stream_.avail_out > 0) {
            if (stream_.avail_in == 0) {
                file_.read(reinterpret_cast<char*>(chunk_.data()), static_cast<std::streamsize>(chunk_.size()));
                stream_.next_in = chunk_.data();
                stream_.avail_in = static_cast<uInt>(file_.gcount());
            }
            const int status = inflate(&stream_, Z_NO_FLUSH);
            if (status == Z_OK || (status == Z_STREAM_END && stream_.avail_out == 0)) continue;
            refuse(status == Z_STREAM_END || status == Z_BUF_ERROR ? "it ends before its last record"
                                                                   : "its records cannot be decompressed");
        }
    }

    const std::filesystem::path path_;
    std::ifstream file_;
    Header header_{};
    z_stream stream_{};
    std::vector<Bytef> chunk_ = std::vector<Bytef>(kChunk);
    std::uint64_t passed_ = 0;  // number of words read so far
    std::uint64_t start_ = 0;   // place of the current record
    Head head_;
    std::vector<std::int64_t> payload_;
    std::size_t at_ = 0;
};

/// The form of a call's record: the names of its words (recording_format.h).
struct CallForm {
    std::string_view name;
    std::string_view payload;
};
constexpr std::array kCallForms{
#define CALL(name, payload) CallForm{#name, payload},
    WARPFRONT_RECORDED_CALLS(CALL)
#undef CALL
};

/// Returns the kind of a collective that is recorded under this name.
collectives::Kind kind_of_call(std::string_view name) {
    return collectives::kind_named(name == "reduce_scatter_block" ? "reduce_scatter" : name)
        .value_or(collectives::Kind::barrier);
}

bool is_collective_call(std::int64_t call) {
    return call >= WARPFRONT_RECORDED_barrier && call <= WARPFRONT_RECORDED_exscan;
}

/// The places of calls in the code. Places that sites.txt resolves have a file and a line, others have an address.
class Places {
public:
    explicit Places(const std::filesystem::path& folder, std::vector<RecordedSite>& sites) : sites_(sites) {
        std::ifstream file(folder / "sites.txt");
        for (std::string line; std::getline(file, line);) {
            std::istringstream words(line);
            std::array<std::string, 5> word;
            for (std::string& each : word) std::getline(words, each, '\t');
            RecordedSite site;
            if (word[2] != "??") {
                site.file = word[2];
                site.line = static_cast<unsigned>(std::strtoul(word[3].c_str(), nullptr, 10));
            }
            site.function = word[4] == "??" ? "" : word[4];
            resolved_[{word[0], std::strtoull(word[1].c_str(), nullptr, 16)}] = site;
        }
    }
    std::uint32_t number(const std::string& module, std::uint64_t address) {
        const auto [known, is_new] = numbers_.try_emplace({module, address}, static_cast<std::uint32_t>(sites_.size()));
        if (!is_new) return known->second;
        const auto found = resolved_.find({module, address});
        RecordedSite site = found == resolved_.end() ? RecordedSite{} : found->second;
        if (site.file.empty()) {
            site.function += fmt::format("+{:#x}", address);  // calls at two addresses are different places
        }
        sites_.push_back(site);
        return known->second;
    }

private:
    std::vector<RecordedSite>& sites_;
    std::map<std::pair<std::string, std::uint64_t>, RecordedSite> resolved_;
    std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> numbers_;
};

/// The phases of the run with consecutive numbers; the numbers in calls of MPI_Pcontrol are arbitrary.
class Phases {
public:
    explicit Phases(std::vector<std::string>& names) : names_(names) {}
    std::uint32_t number(std::int64_t own) {
        const auto [known, is_new] = numbers_.try_emplace(own, static_cast<std::uint32_t>(names_.size()));
        if (is_new) names_.push_back(fmt::format("phase{}", own));
        return known->second;
    }
    void name(std::int64_t own, std::string name) { names_[number(own)] = std::move(name); }

private:
    std::vector<std::string>& names_;
    std::map<std::int64_t, std::uint32_t> numbers_{{0, 0}};
};

/// The records of one rank as events.
class RankReader {
public:
    RankReader(RecordFile& file, RunBuilder& builder, Places& places, Phases& phases)
        : file_(file), builder_(builder), places_(places), phases_(phases) {}

    void read() {
        while (file_.next()) take(file_.head());
        RecordedRank& rank = builder_.rank;
        rank.complete = file_.header().state == WARPFRONT_FINALIZED;
        rank.lost = file_.header().lost;
        rank.event_cost = Time{static_cast<std::int64_t>(std::min(file_.header().event_ps, kMostEventCost))};
        builder_.finish_rank();
    }

private:
    Time time(std::int64_t ticks) const {
        const double picoseconds = static_cast<double>(ticks) * file_.header().ns_per_tick * 1000.0 + 0.5;
        if (!(picoseconds >= 0.0 && picoseconds < static_cast<double>(kHorizon.ps))) {
            file_.refuse(fmt::format("the time of a call is {} ticks", ticks));
        }
        return Time{static_cast<std::int64_t>(picoseconds)};
    }
    Rank world_rank(std::uint32_t communicator, std::int64_t member) const {
        if (const auto rank = builder_.member(communicator, member)) return *rank;
        file_.refuse(fmt::format("the partner is rank {}, but its communicator has {} ranks", member,
                                 builder_.run.communicators[communicator].size()));
    }
    std::uint32_t communicator(std::int64_t number) const {
        const auto found = own_communicators_.find(number);
        if (found == own_communicators_.end()) file_.refuse(fmt::format("communicator {} is not defined", number));
        return found->second;
    }
    std::uint32_t site(std::uint32_t own) const {
        const auto found = own_sites_.find(own);
        return found == own_sites_.end() ? 0 : found->second;
    }

    /// Reads the words `comm peer tag bytes` of a message; returns false if the partner is MPI_PROC_NULL.
    bool message(Event& event) {
        event.communicator = communicator(file_.word());
        const std::int64_t peer = file_.word();
        const std::int64_t tag = file_.word();
        event.bytes = file_.bytes();
        if (peer == WARPFRONT_NO_PEER) return false;
        event.any_source = peer == WARPFRONT_ANY_SOURCE;
        event.any_tag = tag == WARPFRONT_ANY_TAG;
        event.tag = event.any_tag ? 0 : tag_of(tag);
        if (!event.any_source) event.peer = world_rank(event.communicator, peer);
        return true;
    }
    std::int32_t tag_of(std::int64_t tag) const {
        if (tag < 0 || tag > std::numeric_limits<std::int32_t>::max()) {
            file_.refuse(fmt::format("the tag of a message is {}", tag));
        }
        return static_cast<std::int32_t>(tag);
    }
    /// Reads the words `source got_tag got_bytes`; returns nothing if there was no message.
    std::optional<Completion> taken(std::uint32_t communicator) {
        const std::int64_t source = file_.word();
        const std::int64_t tag = file_.word();
        const Bytes bytes = file_.bytes();
        if (source < 0) return std::nullopt;
        return Completion{0, true, world_rank(communicator, source), tag_of(tag), bytes};
    }

    void blocking(Call call) {
        Event event = builder_.event(call);
        if (!message(event)) return;
        if (call == Call::recv) {
            if (const auto got = taken(event.communicator)) {
                event.peer = got->source;
                event.tag = got->tag;
                event.bytes = got->bytes;
            }
        }
        builder_.put(std::move(event));
    }

    void begun(Call call, bool persistent) {
        Event event = builder_.event(call);
        const bool exists = message(event);
        builder_.begin(file_.word(), std::move(event), persistent, exists);
    }

    void start() {
        for (const std::int64_t handle : file_.list()) {
            if (RunBuilder::Request* const request = builder_.request(handle)) {
                builder_.start(*request);
            } else {
                builder_.refuse("MPI_Start", "the call that made its request is not recorded", builder_.site);
            }
        }
    }

    void completed(bool counted, bool among) {
        if (counted) file_.word();
        std::vector<std::int64_t> waited;
        if (among) waited = file_.list();
        for (std::int64_t left = file_.word(); left > 0; --left) {
            const std::int64_t handle = file_.word();
            const RunBuilder::Request* const request = builder_.request(handle);
            builder_.complete(handle, taken(request == nullptr ? 0 : request->event.communicator));
        }
        builder_.wait(waited, among, counted);
    }

    void exchange() {
        Event event = builder_.event(Call::sendrecv);
        const bool sends = message(event);
        const std::int64_t from = file_.word();
        const std::int64_t from_tag = file_.word();
        file_.word();
        const Completion got = taken(event.communicator).value_or(Completion{});
        if (from == WARPFRONT_NO_PEER) {
            event.call = Call::send;
            if (sends) builder_.put(std::move(event));
            return;
        }
        event.any_source = from == WARPFRONT_ANY_SOURCE;
        event.any_tag = from_tag == WARPFRONT_ANY_TAG;
        if (sends) {
            event.from = got.source;
            event.from_tag = got.tag;
        } else {
            event.call = Call::recv;
            event.peer = got.source;
            event.tag = got.tag;
            event.bytes = got.bytes;
        }
        builder_.put(std::move(event));
    }

    void collective(const Head& head) {
        const CallForm& form = kCallForms[head.call];
        const auto has = [&form](std::string_view word) { return form.payload.find(word) != std::string_view::npos; };
        Event event = builder_.event(Call::collective);
        event.kind = kind_of_call(form.name);
        event.communicator = communicator(file_.word());
        if (has("root")) event.peer = world_rank(event.communicator, file_.word());
        if (has("bytes")) event.bytes = file_.bytes();
        if (has("shares")) read_shares(event);
        // Alltoallv needs only the sent sizes: other ranks send what this rank receives.
        builder_.put(std::move(event));
    }
    void read_shares(Event& event) {
        for (const std::int64_t each : file_.list()) event.shares.push_back(file_.size_of(each));
        const std::size_t members = builder_.run.communicators[event.communicator].size();
        if (!event.shares.empty() && event.shares.size() != members) {
            file_.refuse(fmt::format("a collective of {} has {}", input::counted(members, "rank"),
                                     input::counted(event.shares.size(), "share")));
        }
    }

    void begun_collective() {
        const std::int64_t call = file_.word();
        if (!is_collective_call(call)) {
            file_.refuse(
                fmt::format("a nonblocking collective has the call number {}, which is not a collective", call));
        }
        const CallForm& form = kCallForms[static_cast<std::size_t>(call)];
        Event event = builder_.event(Call::begin_collective);
        event.kind = kind_of_call(form.name);
        event.communicator = communicator(file_.word());
        const std::int64_t root = file_.word();
        if (root >= 0) event.peer = world_rank(event.communicator, root);
        event.bytes = file_.bytes();
        const std::int64_t request = file_.word();
        if (form.payload.find("shares") != std::string_view::npos) {
            if (file_.at_end_of_record()) {
                return builder_.refuse(fmt::format("MPI_I{}", form.name),
                                       "the sizes of the call by rank are not recorded", builder_.site);
            }
            read_shares(event);
        }
        builder_.begin(request, std::move(event));
    }

    void take(const Head& head) {
        builder_.site = site(head.site);
        const bool defines = head.call >= WARPFRONT_RECORDED_define_comm || head.call == WARPFRONT_RECORDED_phase;
        if (!defines) builder_.pass(time(head.begin), time(head.end), std::exchange(busy_, std::nullopt));
        switch (head.call) {
            case WARPFRONT_RECORDED_send:
            case WARPFRONT_RECORDED_bsend:
            case WARPFRONT_RECORDED_rsend: return blocking(Call::send);
            case WARPFRONT_RECORDED_ssend: return blocking(Call::ssend);
            case WARPFRONT_RECORDED_recv: return blocking(Call::recv);
            case WARPFRONT_RECORDED_sendrecv: return exchange();
            case WARPFRONT_RECORDED_isend:
            case WARPFRONT_RECORDED_ibsend:
            case WARPFRONT_RECORDED_irsend: return begun(Call::isend, false);
            case WARPFRONT_RECORDED_issend: return begun(Call::issend, false);
            case WARPFRONT_RECORDED_irecv: return begun(Call::irecv, false);
            case WARPFRONT_RECORDED_send_init: return begun(Call::isend, true);
            case WARPFRONT_RECORDED_ssend_init: return begun(Call::issend, true);
            case WARPFRONT_RECORDED_recv_init: return begun(Call::irecv, true);
            case WARPFRONT_RECORDED_start: return start();
            case WARPFRONT_RECORDED_request_free:
                if (builder_.free(file_.word())) return;
                return builder_.refuse("MPI_Request_free", std::string(kFreedReceive), builder_.site);
            case WARPFRONT_RECORDED_cancel: return builder_.cancel(file_.word());
            case WARPFRONT_RECORDED_wait:
            case WARPFRONT_RECORDED_waitall: return completed(false, false);
            case WARPFRONT_RECORDED_waitany:
            case WARPFRONT_RECORDED_waitsome: return completed(false, true);
            case WARPFRONT_RECORDED_test:
            case WARPFRONT_RECORDED_testall: return completed(true, false);
            case WARPFRONT_RECORDED_testany:
            case WARPFRONT_RECORDED_testsome: return completed(true, true);
            case WARPFRONT_RECORDED_probe:
            case WARPFRONT_RECORDED_iprobe:
                return builder_.left_out(head.call == WARPFRONT_RECORDED_probe ? "MPI_Probe" : "MPI_Iprobe",
                                         std::string(kProbe));
            case WARPFRONT_RECORDED_begun_collective: return begun_collective();
            case WARPFRONT_RECORDED_comm_create:
            case WARPFRONT_RECORDED_comm_free:
                return builder_.left_out("calls that make or free communicators", std::string(kNoMessages));
            case WARPFRONT_RECORDED_unknown: return unknown(file_.text());
            case WARPFRONT_RECORDED_phase: builder_.phase = phases_.number(file_.word()); return;
            case WARPFRONT_RECORDED_finalize: return builder_.stop();
            case WARPFRONT_RECORDED_define_comm: return define_communicator();
            case WARPFRONT_RECORDED_define_site: return define_site();
            case WARPFRONT_RECORDED_define_module: {
                const std::int64_t number = file_.word();
                modules_[number] = file_.text();
                return;
            }
            case WARPFRONT_RECORDED_define_phase: {
                const std::int64_t number = file_.word();
                if (number == 0) file_.refuse("phase 0 has a name, but 0 stands for no phase");
                phases_.name(number, file_.text());
                return;
            }
            case WARPFRONT_RECORDED_define_library: builder_.run.mpi = file_.text(); return;
            case WARPFRONT_RECORDED_computing: return read_busy(file_.word());
            case WARPFRONT_RECORDED_define_node: return read_node();
            default:
                if (is_collective_call(head.call)) return collective(head);
                file_.refuse(fmt::format("the call number {} of a record is unknown", head.call));
        }
    }
    void read_busy(std::int64_t nanoseconds) {
        constexpr std::int64_t kPicoseconds = 1000;
        if (nanoseconds < 0 || nanoseconds >= kHorizon.ps / kPicoseconds) {
            file_.refuse(fmt::format("the CPU time before a call is {} ns", nanoseconds));
        }
        busy_ = Time{nanoseconds * kPicoseconds};
    }
    void read_node() {
        const auto count = [this](std::int64_t word) {
            if (word < 1 || word > std::int64_t{kMostRecordedRanks})
                file_.refuse(fmt::format("the number of ranks or cores of a node is {}", word));
            return static_cast<std::uint32_t>(word);
        };
        const std::uint32_t ranks = count(file_.word());
        const std::uint32_t cores = count(file_.word());
        builder_.run.has_cpu_time = file_.word() != 0;
        Crowding& most = builder_.run.crowding;
        if (std::uint64_t{ranks} * most.cores >= std::uint64_t{most.ranks} * cores) most = {ranks, cores};
    }
    void unknown(const std::string& call) {
        if (call.starts_with("MPI_File_")) return builder_.left_out("calls of MPI_File", std::string(kFiles));
        builder_.refuse(call, "the tracer records only the name of this call", builder_.site);
    }
    void define_communicator() {
        const std::int64_t number = file_.word();
        std::vector<Rank> members;
        for (const std::int64_t each : file_.list()) {
            members.push_back(Rank{static_cast<std::uint32_t>(
                std::min<std::uint64_t>(static_cast<std::uint64_t>(each), std::numeric_limits<std::uint32_t>::max()))});
        }
        const auto known = builder_.communicator(members, made_[members]++);
        if (!known || (number == 0) != (*known == 0)) {
            file_.refuse(fmt::format("the members of communicator {} are not valid", number));
        }
        own_communicators_[number] = *known;
    }
    void define_site() {
        const auto number = static_cast<std::uint32_t>(file_.word());
        const auto address = static_cast<std::uint64_t>(file_.word());
        own_sites_[number] = places_.number(modules_[file_.word()], address);
    }

    RecordFile& file_;
    RunBuilder& builder_;
    Places& places_;
    Phases& phases_;
    std::map<std::int64_t, std::uint32_t> own_communicators_;
    std::map<std::vector<Rank>, std::uint32_t> made_;
    std::map<std::int64_t, std::string> modules_;
    std::map<std::uint32_t, std::uint32_t> own_sites_;
    std::optional<Time> busy_;  // CPU time before the current record
};

/// Reads recording.yaml, if `record` has written one.
void read_description(const std::filesystem::path& folder, RecordedRun& run) {
    const std::filesystem::path path = folder / "recording.yaml";
    if (!std::filesystem::exists(path)) return;
    run.sources.push_back(input::read_file(path, {}));
    Diagnostics faults;
    const YamlNode root = input::parse_yaml(run.sources.back(), faults);
    MappingReader keys(root, "a recording", faults);
    if (const YamlNode* const command = keys.take("command")) {
        for (const YamlNode& word : command->items) run.command.push_back(word.scalar);
    }
    if (const YamlNode* const parameters = keys.take("parameters")) {
        for (const YamlNode::Entry& each : parameters->entries) run.parameters[each.key] = each.value.scalar;
    }
    if (const YamlNode* const host = keys.take("host")) run.host = host->scalar;
    if (const YamlNode* const status = keys.take("status")) run.status = status->scalar;
    for (const char* const key : {"ranks", "mpi", "compiler"})
        keys.take(key);  // these keys are not needed, since the ranks' files contain the values
    keys.finish();
    faults.raise();
}

}  // namespace

bool is_recording(const std::filesystem::path& folder) {
    std::error_code ignored;
    return std::filesystem::exists(rank_file(folder, 0), ignored);
}

std::vector<std::pair<std::string, std::uint64_t>> sites_of_recording(const std::filesystem::path& folder) {
    std::set<std::pair<std::string, std::uint64_t>> sites;
    for (std::uint32_t rank = 0; std::filesystem::exists(rank_file(folder, rank)); ++rank) {
        RecordFile file(rank_file(folder, rank), rank, {});
        std::map<std::int64_t, std::string> modules;
        while (file.next()) {
            if (file.head().call == WARPFRONT_RECORDED_define_module) {
                const std::int64_t number = file.word();
                modules[number] = file.text();
            } else if (file.head().call == WARPFRONT_RECORDED_define_site) {
                file.word();
                const auto address = static_cast<std::uint64_t>(file.word());
                sites.insert({modules[file.word()], address});
            }
        }
    }
    return {sites.begin(), sites.end()};
}

std::string mpi_of_recording(const std::filesystem::path& folder) {
    if (!is_recording(folder)) return {};
    RecordFile file(rank_file(folder, 0), 0, {});
    while (file.next()) {
        if (file.head().call == WARPFRONT_RECORDED_define_library) return file.text();
    }
    return {};
}

RecordedRun read_recording(const std::filesystem::path& folder, const SourceRange& mentioned_at, const TakeRank& take) {
    RunBuilder builder(folder, "recording", mentioned_at, take);
    builder.run.has_sites = true;
    read_description(folder, builder.run);
    Places places(folder, builder.run.sites);
    Phases phases(builder.run.phases);
    for (std::uint32_t rank = 0; rank == 0 || rank < builder.ranks(); ++rank) {
        RecordFile file(rank_file(folder, rank), rank, mentioned_at);
        if (rank == 0) builder.set_ranks(file.header().ranks);
        if (file.header().ranks != builder.ranks()) {
            file.refuse(fmt::format("it belongs to a run of {} ranks, and the file of rank 0 to a run of {} ranks",
                                    file.header().ranks, builder.ranks()));
        }
        RankReader(file, builder, places, phases).read();
    }
    return builder.finish();
}

}  // namespace warpfront::trace
