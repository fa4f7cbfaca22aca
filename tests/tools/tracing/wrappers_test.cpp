// Wrappers from declarations, and what they record.
#include "tools/from_code/tracing/wrappers.hpp"
#include "tests/preamble.hpp"

using namespace warpfront::tracing;

namespace {

bool text_has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("declarations of an mpi.h are read with the names, arrays and line breaks of each library") {
    const std::vector<Prototype> found = prototypes(
        "typedef int MPI_Fint; extern int MPI_Send(const void *buf, int count,\n MPI_Datatype type, int dest, int tag, "
        "MPI_Comm comm) ;\n int  MPI_Waitall(int n, MPI_Request array_of_requests[], MPI_Status *) "
        "__attribute__((weak));\nint MPI_Finalize(void); int PMPI_Send(int);");
    REQUIRE(found.size() == 3);
    CHECK(found[0].name == "MPI_Send");
    REQUIRE(found[0].parameters.size() == 6);
    CHECK(found[0].parameters[0].type == "const void *");
    CHECK(found[0].parameters[2].type == "MPI_Datatype");
    CHECK(found[1].parameters[1].type == "MPI_Request []");
    CHECK(found[1].parameters[2].type == "MPI_Status *");
    CHECK(found[2].parameters.empty());
}

TEST_CASE("a send has a wrapper in C, one in Fortran and one in Fortran 2008, with partner, tag and bytes") {
    const std::string text =
        wrappers(prototypes("int MPI_Send(const void *b, int n, MPI_Datatype t, int d, int g, MPI_Comm c);"));
    CHECK(text_has(text, "int MPI_Send(const void * a0, int a1, MPI_Datatype a2, int a3, int a4, MPI_Comm a5) {"));
    CHECK(text_has(text, "wf_send(call, a5, a3, a4, wf_bytes(a1, a2));"));
    CHECK(text_has(text,
                   "void mpi_send_(void* a0, void* a1, void* a2, void* a3, void* a4, void* a5, MPI_Fint* ierror) {"));
    CHECK(text_has(text, "PMPI_Comm_f2c(*(const MPI_Fint*)a5)"));
    CHECK(text_has(text, "void mpi_send_f08_("));
}

TEST_CASE("a call that communicates and has no row records its name; one that does not has no wrapper") {
    const std::string text =
        wrappers(prototypes("int MPI_Put(const void *a, int b, MPI_Win w); int MPI_Type_size(int t, int "
                            "*s); int MPI_Win_get_name(int w, char *n); int MPI_Send_c(int n); int "
                            "MPI_Bcast_init(int n); int MPI_Get_accumulate(int n); int MPI_Get_count(int n);"));
    CHECK(text_has(text, "wf_unknown(call, \"MPI_Put\");"));
    CHECK(text_has(text, "wf_unknown(call, \"MPI_Send_c\");"));
    CHECK(text_has(text, "wf_unknown(call, \"MPI_Bcast_init\");"));
    CHECK(text_has(text, "wf_unknown(call, \"MPI_Get_accumulate\");"));
    CHECK(!text_has(text, "int MPI_Get_count"));
    CHECK(!text_has(text, "MPI_Type_size"));
    CHECK(!text_has(text, "MPI_Win_get_name"));
}
