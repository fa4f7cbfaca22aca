// A run written as a recording is read back unchanged.
#include "simulator/trace/write_recording.hpp"
#include "simulator/trace/read_run.hpp"
#include "tests/scratch.hpp"

using trace::Call;
using trace::Event;

namespace {

Event event_of(Call call, Rank peer, std::int32_t tag, std::int64_t bytes) {
    Event event;
    event.call = call;
    event.peer = peer;
    event.tag = tag;
    event.bytes = {bytes};
    event.work = Time{5'000};
    return event;
}

Event collective(collectives::Kind kind, std::int64_t bytes, std::vector<Bytes> shares = {}) {
    Event event = event_of(Call::collective, {}, 0, bytes);
    event.kind = kind;
    event.shares = std::move(shares);
    return event;
}

/// Returns two ranks with one more communicator, which contains them in reverse order.
trace::RecordedRun every_kind_of_call() {
    trace::RecordedRun run;
    run.communicators = {{Rank{0}, Rank{1}}, {Rank{1}, Rank{0}}};
    run.ranks.resize(2);
    using enum collectives::Kind;
    for (std::uint32_t own = 0; own < 2; ++own) {
        const Rank other{1 - own};
        std::vector<Event>& events = run.ranks[own].events;
        for (const Call call : {Call::send, Call::ssend}) {
            Event message = event_of(own == 0 ? call : Call::recv, other, 3, 80);
            message.any_source = own == 1;
            message.communicator = 1;
            events.push_back(message);
        }
        Event exchange = event_of(Call::sendrecv, other, 4, 16);
        exchange.from = other;
        exchange.from_tag = 4;
        events.push_back(exchange);
        std::uint32_t request = 0;
        for (const Call call : {Call::irecv, Call::isend, Call::irecv, Call::issend}) {
            Event begun = event_of(call, other, call == Call::isend || request == 0 ? 6 : 7, 24);
            begun.request = ++request;
            events.push_back(begun);
        }
        Event some = event_of(Call::wait_any, {}, 0, 0);
        some.among = {1, 2};
        some.completed = {{1, true, other, 6, {24}}};
        events.push_back(some);
        Event all = event_of(Call::wait, {}, 0, 0);
        all.completed = {{2, false, {}, 0, {}}, {3, true, other, 7, {24}}, {4, false, {}, 0, {}}};
        events.push_back(all);
        for (const collectives::Kind kind :
             {barrier, bcast, reduce, allreduce, gather, scatter, allgather, alltoall, reduce_scatter, scan, exscan}) {
            events.push_back(collective(kind, kind == barrier ? 0 : 48));
        }
        for (const collectives::Kind kind : {gatherv, scatterv, allgatherv}) {
            events.push_back(collective(kind, 8, {{8}, {16}}));
        }
        for (const collectives::Kind kind : {alltoallv, reduce_scatter}) {
            events.push_back(collective(kind, 0, {{8}, {16}}));
        }
        Event begun = event_of(Call::begin_collective, {}, 0, 32);
        begun.kind = allreduce;
        begun.request = 9;
        events.push_back(begun);
        Event end = event_of(Call::wait, {}, 0, 0);
        end.completed = {{9, false, {}, 0, {}}};
        events.push_back(end);
        run.ranks[own].work_after = Time{7'000};
    }
    return run;
}

}  // namespace

TEST_CASE("a run with every kind of call is read as it was written") {
    const test::Scratch scratch;
    const trace::RecordedRun written = every_kind_of_call();
    std::vector<trace::EventRange> all;
    for (const trace::RecordedRank& rank : written.ranks) all.push_back({0, rank.events.size()});
    trace::write_recording(written, all, scratch.folder() / "run");
    const trace::RecordedRun read = trace::read_recorded_run(scratch.folder() / "run", {});
    CHECK(read.communicators == written.communicators);
    REQUIRE(read.ranks.size() == 2);
    for (std::size_t rank = 0; rank < 2; ++rank) {
        CHECK(read.ranks[rank].complete);
        CHECK(read.ranks[rank].work_after == Time{7'000});
        const std::vector<Event>& a = written.ranks[rank].events;
        const std::vector<Event>& b = read.ranks[rank].events;
        REQUIRE(a.size() == b.size());
        for (std::size_t at = 0; at < a.size(); ++at) {
            CAPTURE(at);
            CHECK(a[at].call == b[at].call);
            CHECK(a[at].kind == b[at].kind);
            CHECK(a[at].any_source == b[at].any_source);
            CHECK(a[at].peer == b[at].peer);
            CHECK(a[at].from == b[at].from);
            CHECK(a[at].tag == b[at].tag);
            CHECK(a[at].bytes == b[at].bytes);
            CHECK(a[at].communicator == b[at].communicator);
            CHECK(a[at].shares == b[at].shares);
            CHECK(a[at].work == b[at].work);
            REQUIRE(a[at].completed.size() == b[at].completed.size());
            for (std::size_t each = 0; each < a[at].completed.size(); ++each) {
                CHECK(a[at].completed[each].received == b[at].completed[each].received);
                CHECK(a[at].completed[each].source == b[at].completed[each].source);
            }
        }
    }
}

TEST_CASE("a part of a run is a recording of its own") {
    const test::Scratch scratch;
    const trace::RecordedRun written = every_kind_of_call();
    trace::write_recording(written, {{0, 2}, {0, 2}}, scratch.folder() / "part");
    const trace::RecordedRun read = trace::read_recorded_run(scratch.folder() / "part", {});
    CHECK(read.ranks[0].events.size() == 2);
    CHECK(read.ranks[1].events.back().call == Call::recv);
}
