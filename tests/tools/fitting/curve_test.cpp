// A curve as pieces of straight lines: their number, their ends, the effects of noise and outliers.
#include "tools/from_code/fitting/curve.hpp"

#include "tests/approx.hpp"
#include "tests/tools/fitting/synthetic.hpp"

using namespace warpfront::tools;

namespace {

const std::vector<KnownRow> kBends{{.up_to = 4096, .o_send = 1e-6, .L = 1e-6, .G = 1e-9},
                                   {.up_to = 65536, .o_send = 3e-6, .L = 2e-6, .G = 0.5e-9},
                                   {.o_send = 12e-6, .L = 8e-6, .G = 0.25e-9}};

std::vector<CurvePoint> curve_of(const std::string& text) {
    std::vector<CurvePoint> points;
    for (const TimedMessage& each : table(text).messages) {
        points.push_back({static_cast<double>(each.bytes), each.seconds});
    }
    return points;
}

}  // namespace

TEST_CASE("exact times give the rows back") {
    const std::vector<CurvePoint> points = curve_of(ping_pongs(kBends, {}));
    const FittedCurve curve = fit_curve(points);
    REQUIRE(curve.pieces.size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
        CHECK(curve.pieces[k].line.intercept == approx(kBends[k].half_trip(0)).epsilon(1e-5));
        CHECK(curve.pieces[k].line.slope == approx(kBends[k].G).epsilon(1e-5));
        CHECK(curve.pieces[k].deviation < 1e-6);
    }
    CHECK(points[curve.pieces[0].end - 1].bytes == 4096.0);
    CHECK(points[curve.pieces[1].end - 1].bytes == 65536.0);
    CHECK(curve.by_count.size() == kMostPieces);
    CHECK(std::accumulate(curve.outliers.begin(), curve.outliers.end(), 0) == 0);
}

TEST_CASE("neither term is below zero") {
    std::vector<CurvePoint> falling, steep;
    for (double bytes = 1.0; bytes < 100.0; bytes += 9.0) {
        falling.push_back({bytes, 1e-6 - bytes * 1e-9});
        steep.push_back({bytes, bytes * bytes * 1e-9});
    }
    for (const Piece& piece : fit_curve(falling).pieces) CHECK(piece.line.slope == 0.0);
    for (const Piece& piece : fit_curve(steep).pieces) CHECK(piece.line.intercept == 0.0);
}

TEST_CASE("a piece begins at one of the breaks, if there are any") {
    std::vector<CurvePoint> points;
    for (double bytes = 1.0; bytes <= 20.0; bytes += 1.0) points.push_back({bytes, 1e-6 + bytes * 1e-9});
    const std::vector<std::size_t> breaks{7, 8};
    const FittedCurve curve = fit_curve(points, breaks);
    REQUIRE(curve.pieces.size() == 2);
    CHECK((curve.pieces[1].first == 7 || curve.pieces[1].first == 8));
    CHECK(fit_curve(points).pieces.size() == 1);
}

TEST_CASE("a wrong time here and there is left out, and changes no piece") {
    std::vector<CurvePoint> points = curve_of(ping_pongs(kBends, {.noise = 0.01}));
    const FittedCurve clean = fit_curve(points);
    for (const std::size_t wrong : {5U, 40U, 70U}) points[wrong].seconds *= 1.7;
    const FittedCurve curve = fit_curve(points);
    REQUIRE(curve.pieces.size() == clean.pieces.size());
    for (const std::size_t wrong : {5U, 40U, 70U}) CHECK(curve.outliers[wrong]);
    for (std::size_t k = 0; k < curve.pieces.size(); ++k) {
        CHECK(curve.pieces[k].first == clean.pieces[k].first);
        CHECK(curve.pieces[k].line.slope == approx(clean.pieces[k].line.slope).epsilon(0.02));
    }
}

TEST_CASE("a line through times of calls: a constant where bytes hardly matter") {
    CHECK(fit_line(std::vector<CurvePoint>{{8.0, 1e-6}}).at(100.0) == approx(1e-6));
    const Line flat = fit_line(std::vector<CurvePoint>{{1.0, 1e-6}, {2.0, 1.0001e-6}, {3.0, 1e-6}, {4.0, 1.0001e-6}});
    CHECK(flat.slope == 0.0);
    const Line line =
        fit_line(std::vector<CurvePoint>{{0.0, 1e-6}, {10.0, 2e-6}, {20.0, 3e-6}, {30.0, 9e-6}, {40.0, 5e-6}});
    CHECK(line.slope == approx(1e-7));
}
