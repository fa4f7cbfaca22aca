#include "psl/syntax/keywords.hpp"

#include <algorithm>
#include <array>

namespace warpfront::psl {

std::span<const Keyword> keywords() {
    using Form = Statement::Form;
    using Collective = collectives::Kind;
    static constexpr auto kKeywords = std::to_array<Keyword>({
        {"application"},
        {"subtask"},
        {"template"},
        {"function"},
        {"hardware"},
        {"import"},
        {"param"},
        {"require", Form::require, {.application = true}},
        {"let", Form::let, {.application = true, .costs = true}},
        {"var", Form::variable},
        {"iteration"},
        {"closed_form"},
        {"compute", Form::compute},
        {"analytic", Form::analytic},
        {"trace", Form::trace},
        {"send", Form::send},
        {"recv", Form::recv},
        {"isend", Form::isend},
        {"irecv", Form::irecv},
        {"ssend", Form::ssend},
        {"sendrecv", Form::sendrecv},
        {"wait", Form::wait},
        {"waitall", Form::waitall},
        {"waitany", Form::waitany},
        {"barrier", Form::collective, {}, Collective::barrier},
        {"broadcast", Form::collective, {}, Collective::bcast, "from"},
        {"reduce", Form::collective, {}, Collective::reduce, "to"},
        {"allreduce", Form::collective, {}, Collective::allreduce},
        {"gather", Form::collective, {}, Collective::gather, "to"},
        {"allgather", Form::collective, {}, Collective::allgather},
        {"scatter", Form::collective, {}, Collective::scatter, "from"},
        {"alltoall", Form::collective, {}, Collective::alltoall},
        {"reduce_scatter", Form::collective, {}, Collective::reduce_scatter},
        {"scan", Form::collective, {}, Collective::scan},
        {"over"},
        {"if", Form::branch, {.costs = true}},
        {"then"},
        {"else"},
        {"for", Form::for_each},
        {"in"},
        {"repeat", Form::repeat},
        {"while", Form::while_loop},
        {"phase", Form::phase},
        {"to"},
        {"from"},
        {"tag"},
        {"at"},
        {"any"},
        {"and"},
        {"or"},
        {"not"},
        {"true"},
        {"false"},
    });
    return kKeywords;
}

const Keyword* find_keyword(std::string_view word) {
    const auto all = keywords();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Keyword& each) { return each.word == word; });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace warpfront::psl
