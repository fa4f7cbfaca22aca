// OTF2 archives as recorded runs, written by EZTrace and Score-P for MPI codes.
//
//   ranks          the members of the group of MPI's locations, in order; other threads are not read
//   calls          regions whose names begin with MPI_, with the messages and collectives within them; messages
//                  outside such regions are calls by themselves
//   computing      the time between regions of MPI, from the end of MPI_Init
//   receives       an archive has the source at the end of a receive, so receives from any source take the recorded one
//   collectives    Score-P records the size of all shares together, EZTrace that of one share. An archive does not have
//                  the shares of each rank: they are assumed to be equal
//
// Refused are a posted receive whose end is not in the archive (EZTrace never records it), a collective over ranks that
// the archive does not define, and one-sided communication.
#include "simulator/trace/formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdarg>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <otf2/otf2.h>

#include "simulator/trace/run_builder.hpp"

namespace warpfront::trace {

namespace {

OTF2_ErrorCode say_nothing_of_faults(void*, const char*, std::uint64_t, const char*, OTF2_ErrorCode code, const char*,
                                     va_list) {
    return code;
}

struct CloseArchive {
    void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};

/// The definitions of the archive for all locations.
struct Definitions {
    std::uint64_t ticks_per_second = 1'000'000'000;
    std::map<OTF2_StringRef, std::string> strings;
    std::map<OTF2_RegionRef, OTF2_StringRef> regions;
    std::vector<OTF2_LocationRef> ranks;
    std::vector<OTF2_LocationRef> locations;
    std::map<OTF2_GroupRef, std::vector<std::uint64_t>> groups;  // ranks of each group
    std::set<OTF2_GroupRef> self;
    std::map<OTF2_CommRef, OTF2_GroupRef> communicators;

    std::string_view name_of(OTF2_RegionRef region) const {
        const auto found = regions.find(region);
        if (found == regions.end()) return {};
        const auto name = strings.find(found->second);
        return name == strings.end() ? std::string_view{} : std::string_view(name->second);
    }
    /// Returns true for archives of EZTrace, which states other sizes of collectives than Score-P.
    bool is_of_eztrace() const {
        return std::ranges::any_of(strings, [](const auto& each) { return each.second == "EZTrace finalize"; });
    }
};

Definitions& definitions_in(void* user) { return *static_cast<Definitions*>(user); }

struct Share {
    collectives::Kind kind;
    enum class Size { none, sent, received, sent_to_each, received_from_each } size;
};

/// Returns the collective of an operation of the archive, and the size of the archive from which a share follows.
std::optional<Share> share_of(OTF2_CollectiveOp operation) {
    using enum collectives::Kind;
    using enum Share::Size;
    static const std::map<OTF2_CollectiveOp, Share> kAll{
        {OTF2_COLLECTIVE_OP_BARRIER, {barrier, none}},
        {OTF2_COLLECTIVE_OP_BCAST, {bcast, received}},
        {OTF2_COLLECTIVE_OP_GATHER, {gather, sent}},
        {OTF2_COLLECTIVE_OP_GATHERV, {gatherv, sent}},
        {OTF2_COLLECTIVE_OP_SCATTER, {scatter, received}},
        {OTF2_COLLECTIVE_OP_SCATTERV, {scatterv, sent_to_each}},
        {OTF2_COLLECTIVE_OP_ALLGATHER, {allgather, sent}},
        {OTF2_COLLECTIVE_OP_ALLGATHERV, {allgatherv, received_from_each}},
        {OTF2_COLLECTIVE_OP_ALLTOALL, {alltoall, sent_to_each}},
        {OTF2_COLLECTIVE_OP_ALLTOALLV, {alltoallv, sent_to_each}},
        {OTF2_COLLECTIVE_OP_ALLTOALLW, {alltoallv, sent_to_each}},
        {OTF2_COLLECTIVE_OP_ALLREDUCE, {allreduce, sent}},
        {OTF2_COLLECTIVE_OP_REDUCE, {reduce, sent}},
        {OTF2_COLLECTIVE_OP_REDUCE_SCATTER, {reduce_scatter, received}},
        {OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK, {reduce_scatter, received}},
        {OTF2_COLLECTIVE_OP_SCAN, {scan, sent}},
        {OTF2_COLLECTIVE_OP_EXSCAN, {exscan, sent}}};
    const auto found = kAll.find(operation);
    return found == kAll.end() ? std::nullopt : std::optional(found->second);
}

/// Communicators of the archive with a number in the run.
struct KnownCommunicators {
    std::map<std::pair<OTF2_CommRef, std::uint32_t>, std::uint32_t> numbers;
    std::map<std::vector<Rank>, std::uint32_t> made;  // numbers of communicators, by members
};

/// Intervals of a location between MEASUREMENT_OFF and MEASUREMENT_ON.
struct Unmeasured {
    std::uint64_t intervals = 0;  // intervals with an end
    std::uint64_t endless = 0;    // intervals without an end, at the end of the events
    Time time;                    // sum of the intervals with an end
};

/// A reader that converts the events of one location to events of the run.
class LocationReader {
public:
    LocationReader(const std::filesystem::path& path, const Definitions& definitions, RunBuilder& builder,
                   KnownCommunicators& communicators, std::uint32_t number)
        : path_(path),
          definitions_(definitions),
          builder_(builder),
          communicators_(communicators),
          number_(number),
          one_share_(definitions.is_of_eztrace()) {}

    void finish() {
        for (const auto& [handle, request] : builder_.requests()) {
            if (request.current != 0 && request.receives()) {
                builder_.refuse("MPI_Irecv",
                                "the archive does not contain the end of the receive, which states its source");
            }
        }
        builder_.stop();
        if (off_since_) ++unmeasured_.endless;
        builder_.finish_rank();
    }

    void enter(OTF2_TimeStamp time, OTF2_RegionRef region) {
        const std::string_view name = definitions_.name_of(region);
        if (!name.starts_with("MPI_")) return;
        if (depth_++ > 0) return;
        has_calls = true;
        call_ = name;
        has_events_ = false;
        begin_ = at(time);
        builder_.pass(begin_, begin_);
        if (call_ == "MPI_Finalize") builder_.stop();
    }

    void leave(OTF2_TimeStamp time, OTF2_RegionRef region) {
        if (depth_ == 0 || !definitions_.name_of(region).starts_with("MPI_")) return;
        if (--depth_ > 0) return;
        builder_.pass(begin_, at(time));
        if (call_.starts_with("MPI_Init")) {
            builder_.start();
            unmeasured_ = {};
        }
        builder_.wait();
        put_exchange();
        if (!has_events_) without_events();
        call_ = {};
    }

    void send(OTF2_TimeStamp time, std::uint32_t to, OTF2_CommRef communicator, std::uint32_t tag,
              std::uint64_t bytes) {
        Event event = message(time, call_ == "MPI_Ssend" ? Call::ssend : Call::send, to, communicator, tag, bytes);
        if (call_.starts_with("MPI_Sendrecv")) {
            sent_ = std::move(event);
        } else {
            builder_.put(std::move(event));
        }
    }
    void receive(OTF2_TimeStamp time, std::uint32_t from, OTF2_CommRef communicator, std::uint32_t tag,
                 std::uint64_t bytes) {
        Event event = message(time, Call::recv, from, communicator, tag, bytes);
        if (call_.starts_with("MPI_Sendrecv")) {
            received_ = std::move(event);
        } else {
            builder_.put(std::move(event));
        }
    }
    void begin_send(OTF2_TimeStamp time, std::uint32_t to, OTF2_CommRef communicator, std::uint32_t tag,
                    std::uint64_t bytes, std::uint64_t request) {
        Event event = message(time, call_ == "MPI_Issend" ? Call::issend : Call::isend, to, communicator, tag, bytes);
        builder_.begin(handle_of(request), std::move(event));
    }
    void begin(OTF2_TimeStamp time, std::uint64_t request, Call call) {
        builder_.begin(handle_of(request), event_at(time, call));
    }
    void end_send(OTF2_TimeStamp time, std::uint64_t request) { complete(time, request, std::nullopt); }
    void end_receive(OTF2_TimeStamp time, std::uint32_t from, OTF2_CommRef communicator, std::uint32_t tag,
                     std::uint64_t bytes, std::uint64_t request) {
        const Event taken = message(time, Call::irecv, from, communicator, tag, bytes);
        if (Event* const posted = begun_by(request)) {
            posted->communicator = taken.communicator;
            posted->peer = taken.peer;
            posted->tag = taken.tag;
            posted->bytes = taken.bytes;
        }
        complete(time, request, Completion{0, true, taken.peer, taken.tag, taken.bytes});
    }

    void collective(OTF2_TimeStamp time, OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                    std::uint64_t sent, std::uint64_t received) {
        if (auto event = collective_event(time, operation, communicator, root, sent, received)) {
            builder_.put(std::move(*event));
        }
    }
    void end_collective(OTF2_TimeStamp time, OTF2_CollectiveOp operation, OTF2_CommRef communicator, std::uint32_t root,
                        std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
        const auto known = collective_event(time, operation, communicator, root, sent, received);
        Event* const event = begun_by(request);
        if (event == nullptr || !known) return;
        event->kind = known->kind;
        event->communicator = known->communicator;
        event->peer = known->peer;
        event->bytes = known->bytes;
        complete(time, request, std::nullopt);
    }
    /// Leaves out the time in which the library wrote its buffer.
    void flush(OTF2_TimeStamp begin, OTF2_TimeStamp until) {
        builder_.pass(depth_ > 0 ? begin_ : at(begin), at(until));
    }
    void measurement_off(OTF2_TimeStamp time) {
        if (off_since_) return;
        off_since_ = at(time);
        if (depth_ == 0) builder_.pass(*off_since_, *off_since_);
    }
    void measurement_on(OTF2_TimeStamp time) {
        if (!off_since_) return;
        const Time since = *std::exchange(off_since_, std::nullopt);
        builder_.pass(depth_ > 0 ? begin_ : since, at(time));
        unmeasured_.intervals += 1;
        unmeasured_.time += std::max(at(time) - since, Time{});
    }
    /// Returns the intervals without measurement since MPI_Init.
    const Unmeasured& unmeasured() const { return unmeasured_; }
    void one_sided() {
        has_events_ = true;
        builder_.refuse(call_.empty() ? "one-sided communication" : std::string(call_),
                        "one-sided communication cannot be replayed");
    }

    bool has_calls = false;

private:
    static RunBuilder::Handle handle_of(std::uint64_t request) { return static_cast<RunBuilder::Handle>(request); }

    [[noreturn]] void refuse(const std::string& what) const {
        throw BadInput(
            DiagnosticKind::bad_recording, {},
            fmt::format("`{}`: rank {}, call {}: {}", path_.string(), number_, builder_.rank.events.size() + 1, what));
    }

    /// Converts a time to the time since the first event of the location.
    Time at(OTF2_TimeStamp time) {
        if (!origin_) origin_ = time;
        const double ticks = time < *origin_ ? 0.0 : static_cast<double>(time - *origin_);
        const double picoseconds = ticks / static_cast<double>(definitions_.ticks_per_second) * 1e12;
        if (!(picoseconds < static_cast<double>(kHorizon.ps))) refuse("its time is out of range");
        return Time{static_cast<std::int64_t>(std::round(picoseconds))};
    }
    Event event_at(OTF2_TimeStamp time, Call call) {
        has_events_ = has_calls = true;
        builder_.pass(depth_ > 0 ? begin_ : at(time), at(time));
        return builder_.event(call);
    }

    std::uint32_t communicator(OTF2_CommRef reference) {
        const auto comm = definitions_.communicators.find(reference);
        if (comm == definitions_.communicators.end()) refuse(fmt::format("communicator {} is not defined", reference));
        // A communicator of a single rank is different on each rank.
        const bool self = definitions_.self.contains(comm->second);
        const std::pair key(reference, self ? number_ : 0);
        const auto known = communicators_.numbers.find(key);
        if (known != communicators_.numbers.end()) return known->second;
        std::vector<Rank> members;
        if (self) members.push_back({number_});
        if (const auto group = definitions_.groups.find(comm->second); !self && group != definitions_.groups.end()) {
            for (const std::uint64_t each : group->second) {
                members.push_back({static_cast<std::uint32_t>(std::min<std::uint64_t>(each, kMostRecordedRanks))});
            }
        }
        const auto number = builder_.communicator(members, communicators_.made[members]++);
        if (!number) refuse(fmt::format("communicator {} contains ranks that the archive does not define", reference));
        return communicators_.numbers[key] = *number;
    }
    Rank member(std::uint32_t of, std::uint32_t number) const {
        if (const auto rank = builder_.member(of, number)) return *rank;
        refuse(fmt::format("the partner is rank {}, but its communicator has {} ranks", number,
                           builder_.run.communicators[of].size()));
    }
    Bytes size(std::uint64_t bytes) const {
        if (bytes > static_cast<std::uint64_t>(kMostMessage)) {
            refuse(fmt::format("the size of a message is {} bytes", bytes));
        }
        return {static_cast<std::int64_t>(bytes)};
    }
    Event message(OTF2_TimeStamp time, Call call, std::uint32_t peer, OTF2_CommRef over, std::uint32_t tag,
                  std::uint64_t bytes) {
        Event event = event_at(time, call);
        event.communicator = communicator(over);
        event.peer = member(event.communicator, peer);
        event.tag = static_cast<std::int32_t>(tag & 0x7FFF'FFFFU);
        event.bytes = size(bytes);
        return event;
    }

    /// Returns the event; nothing for a collective without data, such as MPI_Win_create.
    std::optional<Event> collective_event(OTF2_TimeStamp time, OTF2_CollectiveOp operation, OTF2_CommRef over,
                                          std::uint32_t root, std::uint64_t sent, std::uint64_t received) {
        Event event = event_at(time, Call::collective);
        const auto share = share_of(operation);
        if (!share) {
            builder_.left_out("calls that make or free handles", std::string(kNoMessages));
            return std::nullopt;
        }
        event.kind = share->kind;
        event.communicator = communicator(over);
        const auto members = static_cast<std::uint64_t>(builder_.run.communicators[event.communicator].size());
        if (root == OTF2_COLLECTIVE_ROOT_SELF) {
            event.peer = {number_};
        } else if (root != OTF2_COLLECTIVE_ROOT_NONE) {
            event.peer = member(event.communicator, root);
        }
        // A root sends or receives the shares of all ranks.
        const bool is_root = root != OTF2_COLLECTIVE_ROOT_NONE && event.peer.index == number_;
        const std::uint64_t all = one_share_ ? 1 : members;
        std::uint64_t bytes = 0;
        switch (share->size) {
            case Share::Size::none: break;
            case Share::Size::sent: bytes = sent; break;
            case Share::Size::received: bytes = received; break;
            case Share::Size::sent_to_each:
                bytes = share->kind == collectives::Kind::scatterv && !is_root ? 0 : sent / all;
                break;
            case Share::Size::received_from_each: bytes = received / all; break;
        }
        event.bytes = size(bytes);
        return event;
    }

    /// Returns the event that began an open request; null if there is none.
    Event* begun_by(std::uint64_t request) {
        const RunBuilder::Request* const open = builder_.request(handle_of(request));
        return open == nullptr || open->current == 0 ? nullptr : &builder_.rank.events[open->at];
    }
    void complete(OTF2_TimeStamp time, std::uint64_t request, const std::optional<Completion>& taken) {
        event_at(time, Call::wait);
        builder_.complete(handle_of(request), taken);
        if (depth_ == 0) builder_.wait();
    }
    void put_exchange() {
        if (sent_ && received_) {
            Event event = std::move(*sent_);
            event.call = Call::sendrecv;
            event.from = received_->peer;
            event.from_tag = received_->tag;
            if (event.communicator != received_->communicator)
                refuse("the call sends in one communicator and receives in another");
            builder_.put(std::move(event));
        } else if (sent_ || received_) {
            builder_.put(std::move(sent_ ? *sent_ : *received_));
        }
        sent_.reset();
        received_.reset();
    }

    /// Handles a call without further events in the archive: if it sends or receives, it is to or from MPI_PROC_NULL.
    void without_events() {
        static constexpr std::array<std::string_view, 12> kMessages{
            "MPI_Send",   "MPI_Ssend",  "MPI_Bsend",  "MPI_Rsend", "MPI_Recv",     "MPI_Isend",
            "MPI_Issend", "MPI_Ibsend", "MPI_Irsend", "MPI_Irecv", "MPI_Sendrecv", "MPI_Sendrecv_replace"};
        if (std::ranges::find(kMessages, call_) == kMessages.end()) return;
        if (one_share_ && call_.starts_with("MPI_Sendrecv")) {
            return builder_.refuse(std::string(call_), "EZTrace does not record the messages of this call");
        }
        builder_.left_out(std::string(call_), "the archive has no message of the call, as for MPI_PROC_NULL");
    }

    const std::filesystem::path& path_;
    const Definitions& definitions_;
    RunBuilder& builder_;
    KnownCommunicators& communicators_;
    const std::uint32_t number_;
    const bool one_share_;
    std::optional<OTF2_TimeStamp> origin_;
    Time begin_;  // begin of the current call
    std::string_view call_;
    unsigned depth_ = 0;  // nesting of regions of MPI
    bool has_events_ = false;
    std::optional<Event> sent_;  // send of a sendrecv; `received_` is set with it
    std::optional<Event> received_;
    std::optional<Time> off_since_;  // begin of the interval in which measurement is off
    Unmeasured unmeasured_;
};

/// A reader of events, and the exception that it threw when the library called it. The exception is stored, since
/// exceptions must not pass through functions of C.
struct GuardedReader {
    LocationReader* reader;
    std::exception_ptr thrown;
};

template <class Act>
OTF2_CallbackCode guarded(void* user, const Act& act) {
    GuardedReader& guarded_reader = *static_cast<GuardedReader*>(user);
    try {
        act(*guarded_reader.reader);
        return OTF2_CALLBACK_SUCCESS;
    } catch (...) {
        guarded_reader.thrown = std::current_exception();
        return OTF2_CALLBACK_INTERRUPT;
    }
}

class Archive {
public:
    Archive(const std::filesystem::path& anchor, const SourceRange& mentioned_at)
        : path_(anchor), mentioned_at_(mentioned_at) {
        OTF2_Error_RegisterCallback(say_nothing_of_faults, nullptr);
        reader_.reset(OTF2_Reader_Open(anchor.c_str()));
        if (!reader_) refuse("the library of OTF2 cannot open it");
        require(OTF2_Reader_SetSerialCollectiveCallbacks(reader_.get()));
        read_definitions();
    }

    RecordedRun read(const TakeRank& take) {
        RunBuilder builder(path_, "OTF2", mentioned_at_, take);
        std::vector<OTF2_LocationRef>& ranks = definitions_.ranks;
        if (ranks.empty()) ranks = definitions_.locations;
        if (ranks.empty() || ranks.size() > kMostRecordedRanks) refuse(fmt::format("it has {} ranks", ranks.size()));
        builder.set_ranks(static_cast<std::uint32_t>(ranks.size()));
        for (const OTF2_LocationRef location : ranks) require(OTF2_Reader_SelectLocation(reader_.get(), location));
        const bool has_local = OTF2_Reader_OpenDefFiles(reader_.get()) == OTF2_SUCCESS;
        require(OTF2_Reader_OpenEvtFiles(reader_.get()));
        KnownCommunicators communicators;
        Unmeasured unmeasured;  // sums over all ranks; the time is that of the rank with the longest intervals
        bool has_calls = false;
        for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
            if (has_local) read_mappings(ranks[rank]);
            LocationReader reader(path_, definitions_, builder, communicators, rank);
            read_events(ranks[rank], reader);
            reader.finish();
            has_calls = has_calls || reader.has_calls;
            unmeasured.intervals += reader.unmeasured().intervals;
            unmeasured.endless += reader.unmeasured().endless;
            unmeasured.time = std::max(unmeasured.time, reader.unmeasured().time);
        }
        if (!has_calls) refuse("it contains no calls of MPI");
        if (unmeasured.intervals > 0) {
            builder.left_out(
                "intervals in which measurement was off (MEASUREMENT_OFF)",
                fmt::format("up to {:.6g} s on one rank; the archive does not contain what the rank executed then",
                            seconds(unmeasured.time)),
                unmeasured.intervals);
        }
        if (unmeasured.endless > 0) {
            builder.left_out("the end of the run on a rank whose measurement was still off (MEASUREMENT_OFF)",
                             "the archive contains neither the length of this part nor what the rank executed then",
                             unmeasured.endless);
        }
        return builder.finish();
    }

private:
    [[noreturn]] void refuse(const std::string& what) const {
        throw BadInput(DiagnosticKind::bad_recording, mentioned_at_, fmt::format("`{}`: {}", path_.string(), what),
                       "expected an OTF2 archive of a run of MPI");
    }
    void require(OTF2_ErrorCode code) const {
        if (code != OTF2_SUCCESS) refuse(OTF2_Error_GetDescription(code));
    }

    void read_definitions() {
        OTF2_GlobalDefReader* const reader = OTF2_Reader_GetGlobalDefReader(reader_.get());
        if (reader == nullptr) refuse("its definitions cannot be read");
        OTF2_GlobalDefReaderCallbacks* const callbacks = OTF2_GlobalDefReaderCallbacks_New();
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(
            callbacks, [](void* user, std::uint64_t resolution, std::uint64_t, std::uint64_t, std::uint64_t) {
                definitions_in(user).ticks_per_second = std::max<std::uint64_t>(resolution, 1);
                return OTF2_CALLBACK_SUCCESS;
            });
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks,
                                                        [](void* user, OTF2_StringRef self, const char* text) {
                                                            definitions_in(user).strings[self] = text;
                                                            return OTF2_CALLBACK_SUCCESS;
                                                        });
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(
            callbacks,
            [](void* user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef, OTF2_RegionRole,
               OTF2_Paradigm, OTF2_RegionFlag, OTF2_StringRef, std::uint32_t, std::uint32_t) {
                definitions_in(user).regions[self] = name;
                return OTF2_CALLBACK_SUCCESS;
            });
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(
            callbacks, [](void* user, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType type, std::uint64_t,
                          OTF2_LocationGroupRef) {
                if (type == OTF2_LOCATION_TYPE_CPU_THREAD) definitions_in(user).locations.push_back(self);
                return OTF2_CALLBACK_SUCCESS;
            });
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(
            callbacks, [](void* user, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                          OTF2_GroupFlag, std::uint32_t count, const std::uint64_t* members) {
                Definitions& definitions = definitions_in(user);
                if (paradigm != OTF2_PARADIGM_MPI) return OTF2_CALLBACK_SUCCESS;
                if (type == OTF2_GROUP_TYPE_COMM_LOCATIONS) definitions.ranks.assign(members, members + count);
                if (type == OTF2_GROUP_TYPE_COMM_GROUP) definitions.groups[self].assign(members, members + count);
                if (type == OTF2_GROUP_TYPE_COMM_SELF) definitions.self.insert(self);
                return OTF2_CALLBACK_SUCCESS;
            });
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, [](void* user, OTF2_CommRef self, OTF2_StringRef,
                                                                    OTF2_GroupRef group, OTF2_CommRef, OTF2_CommFlag) {
            definitions_in(user).communicators[self] = group;
            return OTF2_CALLBACK_SUCCESS;
        });
        require(OTF2_Reader_RegisterGlobalDefCallbacks(reader_.get(), reader, callbacks, &definitions_));
        OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
        std::uint64_t count = 0;
        require(OTF2_Reader_ReadAllGlobalDefinitions(reader_.get(), reader, &count));
    }

    /// Reads the mapping from the location's local identifiers to global ones; not every archive has it.
    void read_mappings(OTF2_LocationRef location) {
        OTF2_DefReader* const reader = OTF2_Reader_GetDefReader(reader_.get(), location);
        if (reader == nullptr) return;
        std::uint64_t count = 0;
        require(OTF2_Reader_ReadAllLocalDefinitions(reader_.get(), reader, &count));
        require(OTF2_Reader_CloseDefReader(reader_.get(), reader));
    }

    void read_events(OTF2_LocationRef location, LocationReader& to) {
        OTF2_EvtReader* const reader = OTF2_Reader_GetEvtReader(reader_.get(), location);
        if (reader == nullptr) refuse(fmt::format("the events of location {} cannot be read", location));
        const std::unique_ptr<OTF2_EvtReaderCallbacks, decltype(&OTF2_EvtReaderCallbacks_Delete)> owned(
            OTF2_EvtReaderCallbacks_New(), &OTF2_EvtReaderCallbacks_Delete);
        set(owned.get());
        GuardedReader guarded_reader{&to, nullptr};
        require(OTF2_Reader_RegisterEvtCallbacks(reader_.get(), reader, owned.get(), &guarded_reader));
        std::uint64_t count = 0;
        const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(reader_.get(), reader, &count);
        if (guarded_reader.thrown) std::rethrow_exception(guarded_reader.thrown);
        require(code);
        require(OTF2_Reader_CloseEvtReader(reader_.get(), reader));
    }

    static void set(OTF2_EvtReaderCallbacks* callbacks) {
        using Attributes = OTF2_AttributeList*;
        using Location = OTF2_LocationRef;
        using Stamp = OTF2_TimeStamp;
        using Number = std::uint64_t;
        OTF2_EvtReaderCallbacks_SetEnterCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, OTF2_RegionRef region) {
                return guarded(user, [&](LocationReader& to) { to.enter(time, region); });
            });
        OTF2_EvtReaderCallbacks_SetLeaveCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, OTF2_RegionRef region) {
                return guarded(user, [&](LocationReader& to) { to.leave(time, region); });
            });
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, std::uint32_t peer, OTF2_CommRef over,
                          std::uint32_t tag, Number bytes) {
                return guarded(user, [&](LocationReader& to) { to.send(time, peer, over, tag, bytes); });
            });
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, std::uint32_t peer, OTF2_CommRef over,
                          std::uint32_t tag, Number bytes) {
                return guarded(user, [&](LocationReader& to) { to.receive(time, peer, over, tag, bytes); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, std::uint32_t peer, OTF2_CommRef over,
                          std::uint32_t tag, Number bytes, Number request) {
                return guarded(user, [&](LocationReader& to) { to.begin_send(time, peer, over, tag, bytes, request); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, Number request) {
                return guarded(user, [&](LocationReader& to) { to.end_send(time, request); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, Number request) {
                return guarded(user, [&](LocationReader& to) { to.begin(time, request, Call::irecv); });
            });
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, [](Location, Stamp time, Number, void* user, Attributes,
                                                                  std::uint32_t peer, OTF2_CommRef over,
                                                                  std::uint32_t tag, Number bytes, Number request) {
            return guarded(user, [&](LocationReader& to) { to.end_receive(time, peer, over, tag, bytes, request); });
        });
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, OTF2_CollectiveOp operation,
                          OTF2_CommRef over, std::uint32_t root, Number sent, Number received) {
                return guarded(user,
                               [&](LocationReader& to) { to.collective(time, operation, over, root, sent, received); });
            });
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, Number request) {
                return guarded(user, [&](LocationReader& to) { to.begin(time, request, Call::begin_collective); });
            });
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, OTF2_CollectiveOp operation,
                          OTF2_CommRef over, std::uint32_t root, Number sent, Number received, Number request) {
                return guarded(user, [&](LocationReader& to) {
                    to.end_collective(time, operation, over, root, sent, received, request);
                });
            });
        OTF2_EvtReaderCallbacks_SetBufferFlushCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, Stamp until) {
                return guarded(user, [&](LocationReader& to) { to.flush(time, until); });
            });
        OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(
            callbacks, [](Location, Stamp time, Number, void* user, Attributes, OTF2_MeasurementMode mode) {
                return guarded(user, [&](LocationReader& to) {
                    mode == OTF2_MEASUREMENT_OFF ? to.measurement_off(time) : to.measurement_on(time);
                });
            });
        OTF2_EvtReaderCallbacks_SetRmaPutCallback(
            callbacks, [](Location, Stamp, Number, void* user, Attributes, OTF2_RmaWinRef, std::uint32_t, Number,
                          Number) { return guarded(user, [](LocationReader& to) { to.one_sided(); }); });
        OTF2_EvtReaderCallbacks_SetRmaGetCallback(
            callbacks, [](Location, Stamp, Number, void* user, Attributes, OTF2_RmaWinRef, std::uint32_t, Number,
                          Number) { return guarded(user, [](LocationReader& to) { to.one_sided(); }); });
    }

    const std::filesystem::path& path_;
    const SourceRange& mentioned_at_;
    std::unique_ptr<OTF2_Reader, CloseArchive> reader_;
    Definitions definitions_;
};

}  // namespace

RecordedRun read_otf2(const std::filesystem::path& anchor, const SourceRange& mentioned_at, const TakeRank& take) {
    return Archive(anchor, mentioned_at).read(take);
}

}  // namespace warpfront::trace
