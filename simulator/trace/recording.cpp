#include "simulator/trace/recording.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <tuple>

#include <fmt/format.h>
#include <zlib.h>

#include "simulator/input/read_file.hpp"
#include "simulator/input/yaml.hpp"
#include "simulator/trace/recording_format.h"

namespace warpfront::trace {

namespace {

using input::BadInput;
using input::DiagnosticKind;

constexpr std::uint64_t kMostWords = std::uint64_t{1} << 30;  // of one rank: 8 GiB

using Header = warpfront_recording_header;

struct RawRank {
    Header header{};
    std::vector<std::int64_t> words;
};

[[noreturn]] void refuse(const std::filesystem::path& path, std::string what, std::string expected = {}) {
    throw BadInput(DiagnosticKind::bad_recording, {}, fmt::format("`{}`: {}", path.string(), what),
                   std::move(expected));
}

std::filesystem::path rank_file(const std::filesystem::path& folder, std::uint32_t rank) {
    return folder / fmt::format("rank-{}.events", rank);
}

RawRank read_raw(const std::filesystem::path& path, std::uint32_t rank, const input::SourceRange& mentioned_at) {
    std::ifstream file(path, std::ios::binary);
    RawRank raw;
    if (!file) {
        throw BadInput(DiagnosticKind::unreadable_file, mentioned_at, fmt::format("cannot read `{}`", path.string()),
                       "expected the file of a rank, as `warpfront record` writes it");
    }
    file.read(reinterpret_cast<char*>(&raw.header), sizeof raw.header);
    if (file.gcount() != sizeof raw.header ||
        std::strncmp(raw.header.magic, WARPFRONT_RECORDING_MAGIC, sizeof raw.header.magic) != 0) {
        refuse(path, "it does not begin as a recording does", "expected a file that the tracer has written");
    }
    if (raw.header.rank != rank) refuse(path, fmt::format("it is of rank {}", raw.header.rank));
    if (raw.header.words > kMostWords) refuse(path, fmt::format("it says that it holds {} words", raw.header.words));
    const std::string body((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const std::size_t wanted = 8 * raw.header.words;
    if (raw.header.compressed == 0) {
        if (body.size() < wanted) refuse(path, "it ends before its last record");
        raw.words.resize(raw.header.words);
        std::memcpy(raw.words.data(), body.data(), wanted);
        return raw;
    }
    raw.words.resize(raw.header.words);
    uLongf size = wanted;
    const int status = uncompress(reinterpret_cast<Bytef*>(raw.words.data()), &size,
                                  reinterpret_cast<const Bytef*>(body.data()), body.size());
    if (status != Z_OK || size != wanted) refuse(path, "its records cannot be decompressed");
    return raw;
}

/// Goes through the words of a record.
class Payload {
public:
    Payload(const std::filesystem::path& path, const std::int64_t* begin, const std::int64_t* end)
        : path_(path), at_(begin), end_(end) {}
    std::int64_t next() {
        if (at_ == end_) refuse(path_, "a record is shorter than its call asks");
        return *at_++;
    }
    std::vector<std::int64_t> list() {
        const std::int64_t length = next();
        if (length < 0 || length > end_ - at_) refuse(path_, "a list is longer than its record");
        std::vector<std::int64_t> result(at_, at_ + length);
        at_ += length;
        return result;
    }
    std::string text() {
        const std::int64_t length = next();
        if (length < 0 || (length + 7) / 8 > end_ - at_) refuse(path_, "a text is longer than its record");
        return {reinterpret_cast<const char*>(at_), static_cast<std::size_t>(length)};
    }

private:
    const std::filesystem::path& path_;
    const std::int64_t* at_;
    const std::int64_t* end_;
};

struct Head {
    unsigned call = 0;
    std::uint32_t site = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

/// Calls visit(head, payload) for every record.
template <class Visit>
void for_each_record(const std::filesystem::path& path, const RawRank& raw, Visit visit) {
    for (std::size_t at = 0; at < raw.words.size();) {
        const auto head = static_cast<std::uint64_t>(raw.words[at]);
        const std::size_t length = (head >> 8) & 0xFFFFFF;
        if (at + 3 + length > raw.words.size()) refuse(path, "its last record is cut");
        const std::int64_t* const begin = raw.words.data() + at + 3;
        visit(Head{static_cast<unsigned>(head & 0xFF), static_cast<std::uint32_t>(head >> 32), raw.words[at + 1],
                   raw.words[at + 2]},
              Payload(path, begin, begin + length));
        at += 3 + length;
    }
}

// Names of all ranks.

/// Communicators of all ranks by members and by how many with these members were made before.
class CommunicatorNumbers {
public:
    std::uint32_t number(const std::vector<Rank>& members, std::uint32_t earlier) {
        const auto [known, is_new] = numbers_.try_emplace({members, earlier}, static_cast<std::uint32_t>(all.size()));
        if (is_new) all.push_back(members);
        return known->second;
    }
    std::vector<std::vector<Rank>> all;

private:
    std::map<std::pair<std::vector<Rank>, std::uint32_t>, std::uint32_t> numbers_;
};

/// Places in the code, as sites.txt resolves them; others by module and address.
class Places {
public:
    explicit Places(const std::filesystem::path& folder, std::vector<RecordedSite>& sites) : sites_(sites) {
        sites_.push_back({});
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
            // Still a place of its own: calls of two addresses are not one.
            site.function += fmt::format("+{:#x}", address);
        }
        sites_.push_back(site);
        return known->second;
    }

private:
    std::vector<RecordedSite>& sites_;
    std::map<std::pair<std::string, std::uint64_t>, RecordedSite> resolved_;
    std::map<std::pair<std::string, std::uint64_t>, std::uint32_t> numbers_;
};

/// What is left out of all ranks, by call.
using Counts = std::map<std::tuple<std::string, std::string, bool>, std::uint64_t>;

/// The records of one rank as events.
class RankReader {
public:
    RankReader(const std::filesystem::path& path, const RawRank& raw, CommunicatorNumbers& communicators,
               Places& places, std::map<std::uint32_t, std::string>& phases, Counts& counts)
        : path_(path), raw_(raw), communicators_(communicators), places_(places), phases_(phases), counts_(counts) {}

    RecordedRank read() {
        for_each_record(path_, raw_, [this](const Head& head, Payload payload) { take(head, payload); });
        result_.complete = raw_.header.state == WARPFRONT_FINALIZED;
        result_.lost = raw_.header.lost;
        result_.event_cost = Time{static_cast<std::int64_t>(raw_.header.event_ps)};
        return std::move(result_);
    }

private:
    struct Begun {
        std::uint32_t communicator = 0;
        bool receives = false;
        bool persistent = false;
        bool exists = true;  // not to or from MPI_PROC_NULL
        Event event;         // of a persistent one
        std::uint32_t current = 0;
    };

    Time time(std::int64_t ticks) const {
        return Time{static_cast<std::int64_t>(static_cast<double>(ticks) * raw_.header.ns_per_tick * 1000.0 + 0.5)};
    }
    Rank world_rank(std::uint32_t communicator, std::int64_t member) const {
        const std::vector<Rank>& members = communicators_.all[communicator];
        if (member < 0 || static_cast<std::size_t>(member) >= members.size()) {
            refuse(path_, fmt::format("a partner {} of a communicator of {} ranks", member, members.size()));
        }
        return members[static_cast<std::size_t>(member)];
    }
    std::uint32_t communicator(std::int64_t number) const {
        const auto found = own_communicators_.find(number);
        if (found == own_communicators_.end()) refuse(path_, fmt::format("communicator {} is not defined", number));
        return found->second;
    }
    void left_out(std::string call, std::string why, bool refused = false) {
        ++counts_[{std::move(call), std::move(why), refused}];
    }

    Event event_of(const Head& head, Call call) const {
        Event event;
        event.call = call;
        event.site = site(head.site);
        event.phase = phase_;
        event.begin = time(head.begin);
        event.end = time(head.end);
        return event;
    }
    std::uint32_t site(std::uint32_t own) const {
        const auto found = own_sites_.find(own);
        return found == own_sites_.end() ? 0 : found->second;
    }
    /// An MPI call has ended, whether it becomes an event or not: what follows is computing.
    void passed(const Head& head) {
        pending_ += std::max(time(head.begin) - last_end_, Time{});
        last_end_ = time(head.end);
    }
    void put(Event event) {
        event.work = std::exchange(pending_, Time{});
        result_.events.push_back(std::move(event));
    }

    /// comm peer tag bytes of a message; false where the partner is MPI_PROC_NULL.
    bool message(Payload& payload, Event& event) {
        event.communicator = communicator(payload.next());
        const std::int64_t peer = payload.next();
        const std::int64_t tag = payload.next();
        event.bytes = Bytes{payload.next()};
        if (peer == WARPFRONT_NO_PEER) return false;
        event.any_source = peer == WARPFRONT_ANY_SOURCE;
        event.any_tag = tag == WARPFRONT_ANY_TAG;
        event.tag = static_cast<std::int32_t>(event.any_tag ? 0 : tag);
        if (!event.any_source) event.peer = world_rank(event.communicator, peer);
        return true;
    }
    void received(Payload& payload, Event& event) {
        const std::int64_t source = payload.next();
        const std::int64_t tag = payload.next();
        event.bytes = Bytes{payload.next()};
        if (source < 0) return;
        event.peer = world_rank(event.communicator, source);
        event.tag = static_cast<std::int32_t>(tag);
    }

    void blocking(const Head& head, Payload& payload, Call call) {
        Event event = event_of(head, call);
        if (!message(payload, event)) return;
        if (call == Call::recv) received(payload, event);
        put(std::move(event));
    }

    void begun(const Head& head, Payload& payload, Call call, bool persistent) {
        Event event = event_of(head, call);
        const bool exists = message(payload, event);
        const auto request = static_cast<std::uint32_t>(payload.next());
        event.request = ++requests_;
        requests_of_[request] = {event.communicator, call == Call::irecv, persistent, exists, event, event.request};
        if (exists && !persistent) put(std::move(event));
    }

    void start(const Head& head, Payload& payload) {
        for (const std::int64_t request : payload.list()) {
            const auto found = requests_of_.find(static_cast<std::uint32_t>(request));
            if (found == requests_of_.end()) {
                left_out("MPI_Start", "its request was made by a call that is not recorded", true);
                continue;
            }
            Begun& begun = found->second;
            begun.current = ++requests_;
            if (!begun.exists) continue;
            Event event = begun.event;
            const Event here = event_of(head, event.call);
            event.site = here.site;
            event.phase = here.phase;
            event.begin = here.begin;
            event.end = here.end;
            event.request = begun.current;
            put(std::move(event));
        }
    }

    void completed(const Head& head, Payload& payload, bool counted, bool among) {
        Event event = event_of(head, among ? Call::wait_any : Call::wait);
        if (counted) payload.next();
        std::vector<std::int64_t> waited;
        if (among) waited = payload.list();
        const std::int64_t done = payload.next();
        for (std::int64_t at = 0; at < done; ++at) {
            const auto request = static_cast<std::uint32_t>(payload.next());
            const std::int64_t source = payload.next();
            const std::int64_t tag = payload.next();
            const Bytes bytes{payload.next()};
            const auto found = requests_of_.find(request);
            if (found == requests_of_.end()) continue;
            Begun& begun = found->second;
            if (begun.exists) {
                Completion completion{begun.current, begun.receives, {}, static_cast<std::int32_t>(tag), bytes};
                if (source >= 0) completion.source = world_rank(begun.communicator, source);
                event.completed.push_back(completion);
            }
        }
        for (const std::int64_t request : waited) {
            const auto found = requests_of_.find(static_cast<std::uint32_t>(request));
            if (found != requests_of_.end() && found->second.exists) event.among.push_back(found->second.current);
        }
        for (const Completion& each : event.completed) finish(each.request);
        if (event.completed.empty()) return;
        if (among && event.among.size() == event.completed.size()) {
            event.call = Call::wait;
            event.among.clear();
        }
        put(std::move(event));
    }
    void finish(std::uint32_t current) {
        for (auto at = requests_of_.begin(); at != requests_of_.end(); ++at) {
            if (at->second.current != current) continue;
            if (!at->second.persistent) requests_of_.erase(at);
            return;
        }
    }

    void exchange(const Head& head, Payload& payload) {
        Event event = event_of(head, Call::sendrecv);
        const bool sends = message(payload, event);
        const std::int64_t from = payload.next();
        const std::int64_t from_tag = payload.next();
        payload.next();
        const std::int64_t source = payload.next();
        const std::int64_t tag = payload.next();
        const Bytes bytes{payload.next()};
        if (from == WARPFRONT_NO_PEER) {
            event.call = Call::send;
            if (sends) put(std::move(event));
            return;
        }
        const Rank other = source >= 0 ? world_rank(event.communicator, source) : Rank{};
        event.any_source = from == WARPFRONT_ANY_SOURCE;
        event.any_tag = from_tag == WARPFRONT_ANY_TAG;
        if (sends) {
            event.from = other;
            event.from_tag = static_cast<std::int32_t>(tag);
        } else {
            event.call = Call::recv;
            event.peer = other;
            event.tag = static_cast<std::int32_t>(tag);
            event.bytes = bytes;
        }
        put(std::move(event));
    }

    void collective(const Head& head, Payload& payload, collectives::Kind kind, bool rooted, bool sized,
                    bool shares = false, bool twice = false) {
        Event event = event_of(head, Call::collective);
        event.kind = kind;
        event.communicator = communicator(payload.next());
        if (rooted) event.peer = world_rank(event.communicator, payload.next());
        if (sized) event.bytes = Bytes{payload.next()};
        if (shares) {
            for (const std::int64_t each : payload.list()) event.shares.push_back(Bytes{each});
        }
        if (twice) payload.list();  // received: what others send
        put(std::move(event));
    }

    void take(const Head& head, Payload& payload) {
        using enum collectives::Kind;
        const bool defines = head.call >= WARPFRONT_RECORDED_define_comm || head.call == WARPFRONT_RECORDED_phase;
        if (!defines) passed(head);
        switch (head.call) {
            case WARPFRONT_RECORDED_send:
            case WARPFRONT_RECORDED_bsend:
            case WARPFRONT_RECORDED_rsend: return blocking(head, payload, Call::send);
            case WARPFRONT_RECORDED_ssend: return blocking(head, payload, Call::ssend);
            case WARPFRONT_RECORDED_recv: return blocking(head, payload, Call::recv);
            case WARPFRONT_RECORDED_sendrecv: return exchange(head, payload);
            case WARPFRONT_RECORDED_isend:
            case WARPFRONT_RECORDED_ibsend:
            case WARPFRONT_RECORDED_irsend: return begun(head, payload, Call::isend, false);
            case WARPFRONT_RECORDED_issend: return begun(head, payload, Call::issend, false);
            case WARPFRONT_RECORDED_irecv: return begun(head, payload, Call::irecv, false);
            case WARPFRONT_RECORDED_send_init: return begun(head, payload, Call::isend, true);
            case WARPFRONT_RECORDED_ssend_init: return begun(head, payload, Call::issend, true);
            case WARPFRONT_RECORDED_recv_init: return begun(head, payload, Call::irecv, true);
            case WARPFRONT_RECORDED_start: return start(head, payload);
            case WARPFRONT_RECORDED_request_free:
                return left_out("MPI_Request_free", "a request is never waited for", is_open(payload.next()));
            case WARPFRONT_RECORDED_cancel: return left_out("MPI_Cancel", "whether it cancels is not recorded", true);
            case WARPFRONT_RECORDED_wait:
            case WARPFRONT_RECORDED_waitall: return completed(head, payload, false, false);
            case WARPFRONT_RECORDED_waitany:
            case WARPFRONT_RECORDED_waitsome: return completed(head, payload, false, true);
            case WARPFRONT_RECORDED_test:
            case WARPFRONT_RECORDED_testall: return tested(head, payload, false);
            case WARPFRONT_RECORDED_testany:
            case WARPFRONT_RECORDED_testsome: return tested(head, payload, true);
            case WARPFRONT_RECORDED_probe:
            case WARPFRONT_RECORDED_iprobe:
                return left_out(head.call == WARPFRONT_RECORDED_probe ? "MPI_Probe" : "MPI_Iprobe",
                                "the receive behind it waits as long");
            case WARPFRONT_RECORDED_barrier: return collective(head, payload, barrier, false, false);
            case WARPFRONT_RECORDED_bcast: return collective(head, payload, bcast, true, true);
            case WARPFRONT_RECORDED_reduce: return collective(head, payload, reduce, true, true);
            case WARPFRONT_RECORDED_allreduce: return collective(head, payload, allreduce, false, true);
            case WARPFRONT_RECORDED_gather: return collective(head, payload, gather, true, true);
            case WARPFRONT_RECORDED_scatter: return collective(head, payload, scatter, true, true);
            case WARPFRONT_RECORDED_allgather: return collective(head, payload, allgather, false, true);
            case WARPFRONT_RECORDED_alltoall: return collective(head, payload, alltoall, false, true);
            case WARPFRONT_RECORDED_gatherv: return collective(head, payload, gatherv, true, true, true);
            case WARPFRONT_RECORDED_allgatherv: return collective(head, payload, allgatherv, false, true, true);
            case WARPFRONT_RECORDED_alltoallv: return collective(head, payload, alltoallv, false, false, true, true);
            case WARPFRONT_RECORDED_reduce_scatter:
                return collective(head, payload, reduce_scatter, false, false, true);
            case WARPFRONT_RECORDED_reduce_scatter_block: return collective(head, payload, reduce_scatter, false, true);
            case WARPFRONT_RECORDED_scan: return collective(head, payload, scan, false, true);
            case WARPFRONT_RECORDED_exscan: return left_out("MPI_Exscan", "not read yet", true);
            case WARPFRONT_RECORDED_scatterv: return left_out("MPI_Scatterv", "not read yet", true);
            case WARPFRONT_RECORDED_begun_collective:
                return left_out("a collective that is begun", "not read yet", true);
            case WARPFRONT_RECORDED_comm_create:
            case WARPFRONT_RECORDED_comm_free:
                return left_out("calls that make or free communicators", "they take no messages here");
            case WARPFRONT_RECORDED_unknown: return left_out(payload.text(), "the tracer has no form for it", true);
            case WARPFRONT_RECORDED_phase: return enter_phase(payload.next());
            case WARPFRONT_RECORDED_finalize: result_.work_after = std::exchange(pending_, Time{}); return;
            case WARPFRONT_RECORDED_define_comm: return define_communicator(payload);
            case WARPFRONT_RECORDED_define_site: return define_site(payload);
            case WARPFRONT_RECORDED_define_module: {
                const std::int64_t number = payload.next();
                modules_[number] = payload.text();
                return;
            }
            case WARPFRONT_RECORDED_define_phase: {
                const std::int64_t number = payload.next();
                phases_[static_cast<std::uint32_t>(number)] = payload.text();
                return;
            }
            default: refuse(path_, fmt::format("a record of an unknown call, number {}", head.call));
        }
    }
    bool is_open(std::int64_t request) const {
        const auto found = requests_of_.find(static_cast<std::uint32_t>(request));
        return found != requests_of_.end() && !found->second.persistent;
    }
    void tested(const Head& head, Payload& payload, bool among) { completed(head, payload, true, among); }
    void enter_phase(std::int64_t number) {
        phase_ = static_cast<std::uint32_t>(number);
        if (phase_ != 0) phases_.try_emplace(phase_, fmt::format("phase{}", phase_));
    }
    void define_communicator(Payload& payload) {
        const std::int64_t number = payload.next();
        std::vector<Rank> members;
        for (const std::int64_t each : payload.list()) members.push_back(Rank{static_cast<std::uint32_t>(each)});
        own_communicators_[number] = communicators_.number(members, made_[members]++);
    }
    void define_site(Payload& payload) {
        const auto number = static_cast<std::uint32_t>(payload.next());
        const auto address = static_cast<std::uint64_t>(payload.next());
        own_sites_[number] = places_.number(modules_[payload.next()], address);
    }

    const std::filesystem::path& path_;
    const RawRank& raw_;
    CommunicatorNumbers& communicators_;
    Places& places_;
    std::map<std::uint32_t, std::string>& phases_;
    Counts& counts_;
    std::map<std::int64_t, std::uint32_t> own_communicators_;
    std::map<std::vector<Rank>, std::uint32_t> made_;
    std::map<std::int64_t, std::string> modules_;
    std::map<std::uint32_t, std::uint32_t> own_sites_;
    std::map<std::uint32_t, Begun> requests_of_;
    std::uint32_t requests_ = 0;
    std::uint32_t phase_ = 0;
    Time last_end_;
    Time pending_;
    RecordedRank result_;
};

/// recording.yaml, where `record` has written one.
void read_description(const std::filesystem::path& folder, RecordedRun& run) {
    const std::filesystem::path path = folder / "recording.yaml";
    if (!std::filesystem::exists(path)) return;
    run.sources.push_back(input::read_file(path, {}));
    input::Diagnostics faults;
    const input::YamlNode root = input::parse_yaml(run.sources.back(), faults);
    input::MappingReader keys(root, "a recording", faults);
    if (const input::YamlNode* const command = keys.take("command")) {
        for (const input::YamlNode& word : command->items) run.command.push_back(word.scalar);
    }
    if (const input::YamlNode* const parameters = keys.take("parameters")) {
        for (const input::YamlNode::Entry& each : parameters->entries) run.parameters[each.key] = each.value.scalar;
    }
    for (const char* const key : {"ranks", "status", "compiler"}) keys.take(key);
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
        const std::filesystem::path path = rank_file(folder, rank);
        const RawRank raw = read_raw(path, rank, {});
        std::map<std::int64_t, std::string> modules;
        for_each_record(path, raw, [&](const Head& head, Payload payload) {
            const std::int64_t number =
                head.call == WARPFRONT_RECORDED_define_module || head.call == WARPFRONT_RECORDED_define_site
                    ? payload.next()
                    : 0;
            if (head.call == WARPFRONT_RECORDED_define_module) modules[number] = payload.text();
            if (head.call != WARPFRONT_RECORDED_define_site) return;
            const auto address = static_cast<std::uint64_t>(payload.next());
            sites.insert({modules[payload.next()], address});
        });
    }
    return {sites.begin(), sites.end()};
}

RecordedRun read_recording(const std::filesystem::path& folder, const input::SourceRange& mentioned_at) {
    RecordedRun run;
    run.name = folder.string();
    run.format = "recording";
    read_description(folder, run);
    CommunicatorNumbers communicators;
    Places places(folder, run.sites);
    std::map<std::uint32_t, std::string> phases{{0, ""}};
    Counts counts;
    std::uint32_t ranks = 1;
    for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const std::filesystem::path path = rank_file(folder, rank);
        const RawRank raw = read_raw(path, rank, mentioned_at);
        ranks = raw.header.ranks;
        run.ranks.push_back(RankReader(path, raw, communicators, places, phases, counts).read());
    }
    run.communicators = std::move(communicators.all);
    // Phases are numbered as they come in MPI_Pcontrol; here one after another.
    std::map<std::uint32_t, std::uint32_t> numbers;
    for (const auto& [number, name] : phases) {
        numbers[number] = static_cast<std::uint32_t>(run.phases.size());
        run.phases.push_back(name);
    }
    for (RecordedRank& rank : run.ranks) {
        for (Event& event : rank.events) event.phase = numbers.at(event.phase);
    }
    for (const auto& [what, times] : counts) {
        run.unread.push_back({std::get<0>(what), times, std::get<1>(what), std::get<2>(what)});
    }
    return run;
}

bool is_recorded_run(const std::filesystem::path& path) { return is_recording(path); }

RecordedRun read_recorded_run(const std::filesystem::path& path, const input::SourceRange& mentioned_at) {
    if (is_recording(path)) return read_recording(path, mentioned_at);
    throw BadInput(DiagnosticKind::unreadable_file, mentioned_at, fmt::format("`{}` is no recorded run", path.string()),
                   "expected a folder that `warpfront record` has written");
}

}  // namespace warpfront::trace
