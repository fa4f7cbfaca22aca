// Tables of benchmarks: formats recognised by their text, units, faults.
#include "tools/from_code/fitting/tables.hpp"

#include "tests/faults.hpp"
#include "tests/tools/experiments.hpp"
#include "tests/tools/fitting/synthetic.hpp"

namespace {

const std::string kOsuTable =
    "# OSU MPI Latency Test v5.6.3\n# Size          Latency (us)\n0                       1.06\n1                      "
    " 1.07\n2                       1.05\n4096                    4.99\n";

const std::string kImbTable =
    "#    Intel(R) MPI Benchmarks 2021\n\n#---------\n# Benchmarking PingPong \n# #processes = 2 \n#---------\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n"
    "            0         1000         0.25         0.00\n            1         1000         0.26         3.85\n"
    "         1024         1000         0.51      2007.84\n\n#---------\n# Benchmarking PingPing \n#---------\n"
    "       #bytes #repetitions      t[usec]   Mbytes/sec\n            0         1000         9.99         0.00\n";

std::string said_of_table(const std::string& text) {
    return summary_of(faults_of([&] { table(text); }));
}

Kinds kinds_in(const std::string& text) {
    return kinds_of(faults_of([&] { table(text); }));
}

/// Formats "kind bytes pairs seconds" of a row.
std::string message_text(const BenchmarkTable& read, std::size_t number) {
    const TimedMessage& each = read.messages.at(number);
    return fmt::format("{} {} {} {:.6g}", static_cast<int>(each.kind), each.bytes, each.pairs, each.seconds);
}

}  // namespace

TEST_CASE("the table of benchmark.c has kinds, pairs and the threshold") {
    const BenchmarkTable read = table(
        "# Open MPI v4.1.4, 2 ranks\nkind,bytes,pairs,seconds\npingpong,1,1,1e-6\nisend,1,1,1e-7\n"
        "pingpong,2,1,1.1e-6\nrecv,1,1,2e-7\nthreshold,4040,1,3e-6\nstream,8,4,5e-7\n");
    CHECK(read.format == "benchmark.c");
    REQUIRE(read.messages.size() == 5);
    CHECK(message_text(read, 0) == "0 1 1 1e-06");
    CHECK(message_text(read, 1) == "2 1 1 1e-07");
    CHECK(message_text(read, 4) == "4 8 4 5e-07");
    CHECK(read.threshold == 4040);
    CHECK(read.of_kind(Timed::pingpong).size() == 2);
}

TEST_CASE("NetPIPE: times are those of the rate, which has more digits") {
    const BenchmarkTable read = table("       1 10.154725   0.00000075\n       2 48.250041   0.00000032\n");
    CHECK(read.format == "NetPIPE");
    CHECK(message_text(read, 0) == "0 1 1 7.51315e-07");
    CHECK(message_text(read, 1) == "0 2 1 3.16244e-07");
}

TEST_CASE("OSU: latencies in us, and bandwidths of one pair or of several as a message of a stream") {
    CHECK(table(kOsuTable).format == "OSU");
    CHECK(message_text(table(kOsuTable), 0) == "0 0 1 1.06e-06");
    CHECK(message_text(table(kOsuTable), 3) == "0 4096 1 4.99e-06");
    const BenchmarkTable rate =
        table("# OSU MPI Bandwidth Test v5.6.3\n# Size      Bandwidth (MB/s)\n1          2.50\n1024    2048.00\n");
    CHECK(message_text(rate, 1) == "4 1024 1 5e-07");
    const BenchmarkTable several = table(
        "# OSU MPI Multiple Bandwidth / Message Rate Test v5.6.3\n# [ pairs: 4 ] [ window size: 64 ]\n"
        "# Size                  MB/s        Messages/s\n1                       8.00        8000000.00\n"
        "1024                 8192.00        8000000.00\n");
    CHECK(message_text(several, 1) == "4 1024 4 5e-07");
}

TEST_CASE("OSU: builds for GPUs, the columns of -f and --validation, and other tests that have the words of these") {
    const std::string device = "# Send Buffer on DEVICE (D) and Receive Buffer on DEVICE (D)\n";
    CHECK(message_text(table("# OSU MPI-CUDA Latency Test v5.7\n" + device +
                             "# Size          Latency (us)\n0   1.10\n1   5.47\n"),
                       1) == "0 1 1 5.47e-06");
    CHECK(message_text(table("# OSU MPI-ROCM Bandwidth Test v7.2\n" + device +
                             "# Size      Bandwidth (MB/s)\n# Datatype: MPI_CHAR.\n1024   2048.00\n"),
                       0) == "4 1024 1 5e-07");
    CHECK(message_text(table("# OSU MPI Latency Test v7.4\n# Datatype: MPI_CHAR.\n# Size       Avg Latency(us)   "
                             "Min Latency(us)   Max Latency(us)  Iterations\n8   1.71   1.60   2.90   10000\n"),
                       0) == "0 8 1 1.71e-06");
    CHECK(message_text(table("# OSU MPI-CUDA Bandwidth Test v7.5\n# Size      Bandwidth (MB/s)        Validation\n"
                             "1024   2048.00   Pass\n"),
                       0) == "4 1024 1 5e-07");
    CHECK(said_of_table("# OSU MPI Latency Test v7.4\n# Size   Avg Latency(us)   Min Latency(us)   Max Latency(us)  "
                        "Iterations\n8   1.71\n") ==
          "t.csv:3:1 ragged_row [8   1.71] the row has 2 columns | expected 5 columns in a table of OSU");
    for (const char* other : {"Bi-Directional Bandwidth Test", "Multi Latency Test", "Allreduce Latency Test"}) {
        CHECK(
            holds(said_of_table(fmt::format("# OSU MPI-CUDA {} v7.5\n# Size      Bandwidth (MB/s)\n1  0.18\n", other)),
                  "this test of OSU is not supported"));
    }
}

TEST_CASE("IMB: the rows of PingPong, not those of other tests in the same file") {
    const BenchmarkTable read = table(kImbTable);
    CHECK(read.format == "IMB");
    REQUIRE(read.messages.size() == 3);
    CHECK(message_text(read, 0) == "0 0 1 2.5e-07");
    CHECK(message_text(read, 2) == "0 1024 1 5.1e-07");
    CHECK(table("# Benchmarking PingPong\n,\n").messages.empty());
    // Earlier versions count 2^20 bytes.
    CHECK(table("# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n1048576 640 100.00 10000.00\n")
              .messages.size() == 1);
}

TEST_CASE("text that is no table is refused, with what is known") {
    CHECK(said_of_table("hello\n").starts_with(
        "t.csv:1:1 unknown_table [hello] `t.csv` is not a table of a known benchmark"));
    CHECK(kinds_in("") == Kinds{input::DiagnosticKind::unknown_table});
    CHECK(said_of_table("kind,bytes,seconds\npingpong,1,1e-6\n") ==
          "t.csv:1:1 unknown_table [kind,bytes,seconds] the heading has unknown columns | expected "
          "`kind,bytes,pairs,seconds`");
    CHECK(holds(said_of_table("# OSU MPI Broadcast Test\n# Size\n1 2\n"), "unknown_table [# OSU MPI Broadcast Test]"));
}

TEST_CASE("every fault of a table is reported where it stands") {
    const std::string head = "kind,bytes,pairs,seconds\n";
    CHECK(said_of_table(head + "pingpong,1,1\n") ==
          "t.csv:2:1 ragged_row [pingpong,1,1] the row has 3 columns | expected 4 columns in a table of benchmark.c");
    CHECK(said_of_table(head + "pingpong,x,1,1e-6\npingpong,2,1,y\n") ==
          "t.csv:2:10 bad_number [x] `x` is not a size | expected a whole number\n"
          "t.csv:3:14 bad_number [y] `y` is not a time | expected a number");
    CHECK(said_of_table(head + "pingpong,1,1,0\n") ==
          "t.csv:2:14 out_of_range [0] the time is 0 | expected more than 0");
    CHECK(said_of_table(head + "pingpong,1,0,1e-6\n") ==
          "t.csv:2:12 out_of_range [0] the number of pairs is 0 | expected 1 to 1,000,000");
    CHECK(said_of_table(head + "pinpong,1,1,1e-6\n") ==
          "t.csv:2:1 bad_choice [pinpong] no kind of row is called `pinpong` | did you mean `pingpong`?");
    CHECK(kinds_in(head + "recv,8,1,1e-6\nrecv,4,1,1e-6\n") == Kinds{input::DiagnosticKind::table_order});
    CHECK(said_of_table(head + "pingpong,8,1,1e-6\nisend,1,1,1e-6\npingpong,8,1,1e-6\n") ==
          "t.csv:4:14 table_order [1e-6] 8 B follows 8 B | expected ascending sizes of each kind");
}

TEST_CASE("mixed units are noticed by headings, by columns that contradict each other, and by jumps") {
    CHECK(said_of_table("# OSU MPI Latency Test v7\n# Size       Latency (ns)\n1 1060\n") ==
          "t.csv:2:1 table_units [# Size       Latency (ns)] the heading lacks the unit of this test | expected `us`");
    CHECK(said_of_table("# Benchmarking PingPong\n#bytes #repetitions t[sec] Mbytes/sec\n1 1000 0.26 3.85\n") ==
          "t.csv:2:1 table_units [#bytes #repetitions t[sec] Mbytes/sec] the heading lacks the unit of time | expected "
          "`t[usec]`");
    CHECK(kinds_in("1 10.154725 0.75\n") == Kinds{input::DiagnosticKind::table_units});
    CHECK(said_of_table("1 10.154725 0.75\n") ==
          "t.csv:1:13 table_units [0.75] 0.75 s contradict the other columns | expected about 7.513e-07 s, with "
          "the same units in all rows");
    CHECK(said_of_table("# Benchmarking PingPong\n#bytes #repetitions t[usec] Mbytes/sec\n1024 1000 0.51 2.01\n") ==
          "t.csv:3:16 table_units [2.01] 2.01 Mbytes/sec contradict the other columns | expected about 2008 "
          "Mbytes/sec, with the same units in all rows");
    CHECK(said_of_table("kind,bytes,pairs,seconds\npingpong,1,1,1.06\npingpong,2,1,1.06e-6\n") ==
          "t.csv:3:14 table_units [1.06e-6] the time of 1.06e-06 s for 2 B follows 1.06 s for 1 B | expected the same "
          "unit for all times");
}
