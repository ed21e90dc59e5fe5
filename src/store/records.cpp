#include "store/records.hpp"

namespace fendex::store {

std::string plies_text(const std::vector<std::uint32_t>& plies) {
    std::string out;
    for (const std::uint32_t ply : plies) {
        out += out.empty() ? '[' : ',';
        out += std::to_string(ply);
    }
    return out + ']';
}

Occurrences::Occurrences(const std::vector<Repetition>& repetitions) {
    for (const Repetition& each : repetitions) {
        std::uint32_t n = 1;
        for (const std::uint32_t ply : each.plies) {
            if (n > 1) later_.emplace(ply, n);
            ++n;
        }
    }
}

}  // namespace fendex::store
