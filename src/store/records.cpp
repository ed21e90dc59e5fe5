#include "store/records.hpp"

namespace fendex::store {

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
