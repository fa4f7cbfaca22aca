// The construction of programs and machines from sketches.
#include "simulator/units/random.hpp"
#include "tests/engine/fixtures.hpp"
#include "tests/properties/sketches.hpp"

namespace warpfront::test {

namespace {

constexpr std::int64_t kBytes = 100;  // sizes are counted in these

/// The neighbours of a rank, up to four.
struct Neighbours {
    Neighbours(RankGrid grid, Rank rank) : stride(static_cast<std::int32_t>(grid.columns)) {
        west = grid.column(rank) > 1 ? -1 : 0;
        east = grid.column(rank) < grid.columns ? 1 : 0;
        north = grid.row(rank) > 1 ? -stride : 0;
        south = grid.row(rank) < grid.rows ? stride : 0;
    }
    std::int32_t stride;
    std::int32_t west = 0, east = 0, north = 0, south = 0;  // 0: none
};

class Writer {
public:
    Writer(const Case& each, Rank rank)
        : each_(each),
          next_to_(each.code.grid, rank),
          column_(each.code.grid.column(rank)),
          row_(each.code.grid.row(rank)),
          unevenness_((3 * column_ + 5 * row_) % 7) {}

    program::RankClass write() {
        if (each_.code.lead > 0) code_.work(each_.code.lead);
        for (const Phase& phase : each_.code.phases) {
            code_.loop(phase.iterations);
            for (const Step& step : phase.steps) write(step);
            code_.iteration().end();
        }
        return code_.build();
    }

private:
    void write(const Step& step) {
        switch (step.kind) {
            case Step::sweep: sweep(step); break;
            case Step::halo: halo(step); break;
            case Step::shift: shift(step); break;
            case Step::allreduce: code_.allreduce(step.y * kBytes); break;
            case Step::work: work(step); break;
        }
    }

    void work(const Step& step) { code_.work((step.units + step.skew * std::int64_t{unevenness_}) * each_.unit); }

    void sweep(const Step& step) {
        const bool east = (step.start & 1U) != 0;
        const bool south = (step.start & 2U) != 0;
        const std::int32_t from_x = east ? next_to_.east : next_to_.west;
        const std::int32_t from_y = south ? next_to_.south : next_to_.north;
        const std::int32_t to_x = east ? next_to_.west : next_to_.east;
        const std::int32_t to_y = south ? next_to_.north : next_to_.south;
        code_.loop(step.tiles);
        for (const std::int32_t from : {from_x, from_y}) {
            if (from != 0) step.posts_early ? code_.post(from) : code_.recv(from);
        }
        for (const std::int32_t from : {from_x, from_y}) {
            if (from != 0 && step.posts_early) code_.await(from);
        }
        work(step);
        if (to_x != 0) code_.send(to_x, step.x * kBytes);
        if (to_y != 0) code_.send(to_y, step.y * kBytes);
        code_.end();
    }

    void halo(const Step& step) {
        const auto [stride, west, east, north, south] = next_to_;
        const std::array neighbours{west, east, north, south};
        for (const std::int32_t next : neighbours) {
            if (next != 0) code_.post(next, 1);
        }
        for (const std::int32_t next : neighbours) {
            if (next != 0) code_.send(next, (next == west || next == east ? step.x : step.y) * kBytes, 1);
        }
        work(step);
        for (const std::int32_t next : neighbours) {
            if (next != 0) code_.await(next, 1);
        }
    }

    void shift(const Step& step) {
        const bool southwards = (step.start & 1U) != 0;
        const bool in_pairs = (step.start & 2U) != 0;
        const std::uint32_t position = southwards ? row_ : column_;
        std::int32_t from = southwards ? next_to_.north : next_to_.west;
        std::int32_t to = southwards ? next_to_.south : next_to_.east;
        if (in_pairs) (position % 2 == 0 ? to : from) = 0;
        if (from != 0 && step.posts_early) code_.post(from, 2);
        if (to != 0) code_.send(to, step.x * kBytes, 2);
        work(step);
        if (from == 0) return;
        step.posts_early ? code_.await(from, 2) : code_.recv(from, 2);
    }

    const Case& each_;
    Neighbours next_to_;
    std::uint32_t column_;
    std::uint32_t row_;
    std::uint32_t unevenness_;
    ClassBuilder code_;
};

std::uint32_t nodes_of(const Case& each) { return machine::cut(each.code.grid, each.hardware.patch).nodes(); }

/// Returns a random order of the hosts, of which the first are used.
template <typename Number>
std::vector<Number> shuffled(std::uint32_t count, std::uint32_t seed) {
    std::vector<Number> order(count);
    for (std::uint32_t k = 0; k < count; ++k) order[k] = {k};
    if (seed == 0) return order;
    Random random({seed}, Purpose::placement, 0, 0);
    for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    return order;
}

class Builder {
public:
    explicit Builder(const Case& each) : each_(each), sketch_(each.hardware) {}

    machine::Machine build() const {
        machine::Machine machine;
        machine.name = "random";
        machine.hosts = hosts();
        machine.cores = sketch_.cores;
        machine.parts.front().count = sketch_.chips;
        for (std::size_t locality = 0; locality < kLocalities; ++locality) {
            machine.profiles[locality] = {row(sketch_.rows[locality][0]), row(sketch_.rows[locality][1])};
            machine.profiles[locality][0].up_to = Bytes{sketch_.small * kBytes};
            for (machine::ProfileRow& row : machine.profiles[locality]) {
                row.packet = packet();
                row.eager = eager(sketch_.eager[locality]);
            }
        }
        if (sketch_.bus) machine.bus = machine::Bus{time((*sketch_.bus)[0]), gap((*sketch_.bus)[1]), sketch_.buses};
        if (sketch_.processes_messages) machine.processing = machine::MessageProcessing{sketch_.buses};
        if (sketch_.nic) {
            const auto [injection, ejection, g] = *sketch_.nic;
            machine.nic = machine::Nic{gap(injection), gap(ejection), sketch_.nics, time(g)};
        }
        if (sketch_.links) machine.links = links();
        machine.routes = routes();
        machine.placement = machine::cut(each_.code.grid, sketch_.patch);
        machine.placement.host_of = shuffled<Host>(machine.hosts, sketch_.shuffle);
        machine.placement.host_of.resize(machine.placement.nodes());
        machine.placement.cores = shuffled<std::uint32_t>(machine.cores, sketch_.core_shuffle);
        machine.placement.cores.resize(sketch_.patch.ranks());
        return machine;
    }

private:
    Time time(int units) const { return {units * each_.unit}; }
    /// Returns the gap with which a hundred bytes take `units` units.
    Gap gap(int units) const { return {static_cast<double>(units * each_.unit) * 1e-12 / static_cast<double>(kBytes)}; }
    std::uint32_t hosts() const { return nodes_of(each_) + sketch_.spare_hosts; }
    machine::Packet packet() const {
        machine::Packet packet{.overhead = time(sketch_.overhead), .full = time(sketch_.full)};
        if (sketch_.packet > 0) packet.size = Bytes{sketch_.packet * kBytes};
        if (sketch_.buffers > 0) packet.buffers = Bytes{sketch_.buffers * kBytes};
        return packet;
    }

    machine::Links links() const {
        machine::Links links{sketch_.parallel, sketch_.choice};
        if (sketch_.arbitration) {
            const auto [pairs, overhead] = *sketch_.arbitration;
            links.arbitration = machine::Arbitration{static_cast<std::uint32_t>(pairs), time(overhead)};
        }
        return links;
    }

    std::optional<machine::EagerSends> eager(const std::optional<Eager>& sketch) const {
        if (!sketch) return std::nullopt;
        machine::EagerSends eager{std::nullopt, time(sketch->o_unexpected), gap(sketch->G_unexpected)};
        if (sketch->limit >= 0) eager.limit = Bytes{sketch->limit * kBytes};
        return eager;
    }

    machine::ProfileRow row(const Row& row) const {
        return {.up_to = {},
                .protocol = row.rendezvous ? machine::Protocol::rendezvous : machine::Protocol::eager,
                .o_send = time(row.o_send),
                .o_recv = time(row.o_recv),
                .o_request = time(row.o_request),
                .o_ack = time(row.o_ack),
                .L = time(row.L),
                .G = gap(row.G),
                .G_recv = gap(row.G_recv),
                .G_send = gap(row.G_send),
                .packet = {},
                .receiver_hold = row.receives_before_bus ? machine::ReceiverHold::after_overhead
                                                         : machine::ReceiverHold::before_overhead,
                .processing = row.processing < 0 ? std::nullopt : std::optional(time(row.processing)),
                .holds_bus = row.holds_bus,
                .holds_nic = row.holds_nic,
                .holds_links = row.holds_links};
    }

    machine::Routes routes() const {
        machine::Routes routes;
        routes.links_in_L = sketch_.links_in_L;
        routes.routing = sketch_.routing;
        switch (sketch_.network) {
            case Hardware::ring: routes.zone = torus({hosts()}); break;
            case Hardware::torus2: routes.zone = torus({3, (hosts() + 2) / 3}); break;
            case Hardware::torus3: routes.zone = torus({2, 2, (hosts() + 3) / 4}); break;
            case Hardware::star: routes.zone = star(); break;
            case Hardware::table: routes.zone = table(); break;
        }
        return routes;
    }

    machine::TorusRoutes torus(std::vector<std::uint32_t> dimensions) const {
        return {std::move(dimensions), time(sketch_.hop), gap(sketch_.links.value_or(0)), sketch_.duplex};
    }

    machine::StarRoutes star() const {
        const std::uint32_t crossed = sketch_.limited ? 5 : 2;
        machine::StarRoutes star{crossed,
                                 time(sketch_.hop),
                                 time(sketch_.hop) * (sketch_.limited ? 3 : 0),
                                 hosts(),
                                 gap(sketch_.links.value_or(0)),
                                 sketch_.duplex,
                                 {},
                                 {}};
        if (sketch_.limited && sketch_.links) {
            star.limiter = gap(sketch_.limiter);
            star.backbone = gap(sketch_.backbone);
        }
        return star;
    }

    /// Returns up to three neighbours of a few links, by pair of hosts; any two routes may cross anywhere.
    machine::TableRoutes table() const {
        constexpr std::uint32_t kLinks = 7;
        machine::TableRoutes table;
        for (std::uint32_t link = 0; link < kLinks; ++link) {
            table.gaps.push_back(gap(sketch_.links.value_or(0) * static_cast<int>(1 + link % 3)));
            table.latencies.push_back(time(sketch_.hop) * (1 + link % 2));
        }
        for (std::uint32_t from = 0; from < hosts(); ++from) {
            for (std::uint32_t to = 0; to < hosts(); ++to) {
                if (from == to) continue;
                Random random({sketch_.shuffle}, Purpose::placement, from, to);
                const auto links = static_cast<std::uint32_t>(random.below(4));
                const std::uint64_t start = random.below(kLinks);
                machine::TableRoutes::Entry route{.latency = {}, .links = links, .first = table.crossed.size()};
                for (std::uint64_t k = 0; k < links; ++k) {
                    const machine::LinkId link{static_cast<std::uint32_t>((start + k) % kLinks)};
                    table.crossed.push_back(link);
                    route.latency += table.latencies[link.index];
                }
                table.add({from}, {to}, route);
            }
        }
        return table;
    }

    const Case& each_;
    const Hardware& sketch_;
};

}  // namespace

program::Program program_of(const Case& each) {
    std::int64_t iterations = 0;
    for (const Phase& phase : each.code.phases) iterations += phase.iterations;
    program::Program program = spmd(each.code.grid, iterations, [&](Rank rank) { return Writer(each, rank).write(); });
    program.sites.resize(1000);
    return program;
}

machine::Machine machine_of(const Case& each) { return Builder(each).build(); }

}  // namespace warpfront::test
