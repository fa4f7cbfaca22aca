// The layer `network: {like: smpi}` beside `smpirun -replay` of SimGrid 3.32: ping-pongs of blocking messages. The
// times of smpirun are those that it printed, in whole microseconds.
#include "tests/end_to_end/program.hpp"

namespace {

/// Rank 0 sends `bytes` to rank 1, and back if it is a ping-pong; the platform has the given body.
class Replay {
public:
    Replay(const std::string& body, std::int64_t bytes, bool back = true, const std::string& like = "{like: smpi}",
           const std::string& hosts = "0\n1\n") {
        scratch_.file("p.xml", platform_xml(body));
        scratch_.file("m.yaml", "name: m\nplatform: p.xml\nsize: exact\nlinks: {enabled: on}\nlayers:\n  network: " +
                                    like + "\n");
        const std::string size = fmt::format(" {} 6\n", bytes);
        scratch_.file("r0", "0 init\n0 send 1 0" + size + (back ? "0 recv 1 0" + size : "") + "0 finalize\n");
        scratch_.file("r1", "1 init\n1 recv 0 0" + size + (back ? "1 send 0 0" + size : "") + "1 finalize\n");
        scratch_.file("l.txt", "r0\nr1\n");
        scratch_.file("s.yaml",
                      "trace: l.txt\nplatform: m.yaml\nranks: {columns: 2, rows: 1}\nnode: {columns: 1, rows: "
                      "1}\nplacement: {file: hosts}\n");
        scratch_.file("hosts", hosts);
    }

    double seconds() const {
        return json_of("run " + quoted(scratch_.folder() / "s.yaml") + " --quiet").at("time_s").get<double>();
    }
    std::string described() const { return invoke("check --platform " + quoted(scratch_.folder() / "m.yaml")).out; }

private:
    Scratch scratch_;
};

/// Returns true if the time equals the one that smpirun printed.
bool is_printed(double seconds, double printed) { return std::abs(seconds - printed) < 0.501e-6; }

/// Four hosts behind a switch, 100 us apart, 125 MB/s each way, with a calibration.
const std::string kCluster =
    "<config>\n"
    "<prop id=\"smpi/os\" value=\"0:8e-06:7e-10;1420:1.4e-05:2.9e-10\"/>\n"
    "<prop id=\"smpi/ois\" value=\"0:8e-06:7e-10;1420:1.4e-05:2.9e-10\"/>\n"
    "<prop id=\"smpi/or\" value=\"0:7.3e-06:8e-10\"/>\n"
    "<prop id=\"smpi/async-small-thresh\" value=\"65536\"/>\n"
    "</config>\n"
    "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-3\" speed=\"1Gf\" bw=\"125MBps\" lat=\"50us\"/>\n";

}  // namespace

TEST_CASE("ping-pongs take as long as by smpirun, whatever their size") {
    // Below 5,761 and above 9,360 B, where the bandwidth factor is above 1, so that SMPI is faster than the link.
    const std::vector<std::pair<std::int64_t, double>> printed{
        {0, 0.000434},       {1, 0.000434},     {241, 0.000439},   {242, 0.000434},    {716, 0.000458},
        {1000, 0.000471},    {1410, 0.000492},  {1411, 0.000394},  {1420, 0.000395},   {1421, 0.000406},
        {3468, 0.000464},    {3469, 0.000498},  {5760, 0.000551},  {9361, 0.000837},   {20000, 0.001243},
        {65456, 0.002384},   {65535, 0.003629}, {65536, 0.003444}, {100000, 0.004030}, {1000000, 0.019338},
        {10000000, 0.172416}};
    for (const auto& [bytes, seconds] : printed) {
        CAPTURE(bytes);
        CHECK(is_printed(Replay(kCluster, bytes).seconds(), seconds));
    }
}

TEST_CASE("one message over a link that both directions share, by SMPI's own factors") {
    const std::string body =
        "<config>\n<prop id=\"smpi/os\" value=\"0:8e-06:7e-10;1420:1.4e-05:2.9e-10\"/>\n</config>\n"
        "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf,0.5Gf\" pstate=\"1\"/><host id=\"b\" "
        "speed=\"1Gf\"/>\n"
        "<link id=\"l\" bandwidth=\"1MBps\" latency=\"10ms\"/><route src=\"a\" dst=\"b\"><link_ctn "
        "id=\"l\"/></route></zone>\n";
    // 11.6436 * 10 ms + 1,000,016 B at 1 MB/s / 1.05 * 0.940694: smpirun printed 1.232651
    const double smpi = Replay(body, 1'000'000, false).seconds();
    CHECK(smpi == approx(0.116436 + 1.05 * 1.000016 / 0.940694).epsilon(1e-9));
    CHECK(is_printed(smpi, 1.232651));
}

TEST_CASE("if hosts are several links apart, the factor applies to the latency of all") {
    // A ring of nine: n0 and n4 are four links of 5 us apart
    const std::string ring =
        "<config><prop id=\"smpi/lat-factor\" value=\"0:3\"/><prop id=\"smpi/bw-factor\" value=\"0:0.5\"/></config>\n"
        "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-8\" speed=\"1Gf\" bw=\"100MBps\" lat=\"5us\" "
        "topology=\"TORUS\" topo_parameters=\"9\"/>\n";
    for (const auto& [bytes, printed] : std::vector<std::pair<std::int64_t, double>>{
             {100, 0.000125}, {10000, 0.000521}, {65536, 0.002742}, {1000000, 0.040121}}) {
        CAPTURE(bytes);
        const double seconds = Replay(ring, bytes, true, "{like: smpi}", "0\n4\n").seconds();
        const double one_way = 3 * 4 * 5e-6 + static_cast<double>(bytes + 16) / 50e6;
        CHECK(seconds == approx(2 * one_way).epsilon(1e-9));
        CHECK(is_printed(seconds, printed));
    }
}

TEST_CASE("`check --platform` prints the rows, which as rows of the file take as long") {
    const std::string text = Replay(kCluster, 1000).described();
    const std::size_t from = text.find("- {up_to: 241B");
    REQUIRE(from != std::string::npos);
    REQUIRE(holds(text,
                  "costs           as SMPI's: links_in_L: 65536, layers: network:\n- {up_to: 241B, protocol: eager, "
                  "o_send: 8us, G_send: 0.7ns/B, o_recv: 7.3us, G_recv: 0.8ns/B, L: "));
    std::string rows;
    for (const std::string& line : lines_of(text.substr(from))) {
        if (line.starts_with("- {")) rows += "\n    " + line;
    }
    CHECK(Replay(kCluster, 1000, true, rows + "\nlinks_in_L: 65536").seconds() ==
          approx(Replay(kCluster, 1000).seconds()).epsilon(1e-8));
}
