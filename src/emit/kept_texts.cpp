#include "emit/kept_texts.hpp"

namespace fendex::emit {

std::optional<std::string> KeptTexts::of(store::StoreReader& reader, store::GameId game) {
    std::call_once(listed_, [&] {
        reader.for_each_error([&](const store::StoredError& each) {
            if (each.game) errors_.emplace(*each.game, each.id);
            return true;
        });
    });
    const auto error = errors_.find(game);
    return error != errors_.end() ? reader.broken_game(error->second) : std::nullopt;
}

}  // namespace fendex::emit
