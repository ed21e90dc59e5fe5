#include "store/sqlite/repair/repair_annotations.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "codec/annotation.hpp"

namespace fendex::store {

RepairAnnotations::State RepairAnnotations::keep(GameId game) {
    if (is_readable(game)) {
        // A doubtful dictionary is reported once, because it may affect all annotations.
        const bool has_one = !stream_.empty();
        return has_one && std::exchange(dictionary_is_unverified_, false) ? State::kUnverified
                                                                          : State::kIntact;
    }
    seal_blob("annotation", "game_id", Sealed::kAnnotation, as_signed(game));
    if (is_readable(game)) return State::kUnverified;
    connection_.run("DELETE FROM annotation WHERE game_id = " + std::to_string(game));
    stream_.clear();
    return State::kLost;
}

bool RepairAnnotations::cut(GameId game, std::uint32_t plies) {
    if (moves_ <= plies) return false;
    stream_ = codec::cut_annotation(stream_, plies);
    if (stream_.empty()) {
        connection_.run("DELETE FROM annotation WHERE game_id = " + std::to_string(game));
        return true;
    }
    codec::TextPacker packer{std::string_view()};
    std::string packed;
    pack_annotation(game, stream_, 0, packer, packed);
    Statement update(connection_, "UPDATE annotation SET data = ?2 WHERE game_id = ?1");
    update.run(as_signed(game), Blob{packed});
    return true;
}

/// Reads the game's annotation. Returns whether it can be read, or the game has none.
bool RepairAnnotations::is_readable(GameId game) {
    stream_.clear();
    moves_ = 0;
    try {
        if (!reader_.read(game, stream_)) return true;
        const std::optional<std::size_t> moves = codec::moves_of_annotation(stream_);
        moves_ = moves.value_or(0);
        return moves.has_value();
    } catch (const DamageError&) {
        return false;
    }
}

/// Writes the checksum of a row's current bytes, unless it is right already.
void RepairAnnotations::seal_blob(const char* table, const char* key, Sealed what,
                                  std::int64_t id) {
    const std::string where = std::string(" WHERE ") + key + " = ?1";
    std::string bytes;
    {
        Statement select(connection_, std::string("SELECT data FROM ") + table + where);
        select.bind(1, id);
        if (!select.step()) return;
        bytes = select.blob(0);
    }
    if (base::unseal(bytes, row_seed(what, id))) return;
    bytes.resize(bytes.size() - std::min(bytes.size(), base::kSealBytes));
    base::seal(bytes, row_seed(what, id));
    Statement update(connection_, std::string("UPDATE ") + table + " SET data = ?2" + where);
    update.run(id, Blob{bytes});
}

void RepairAnnotations::seal_dictionaries() {
    std::vector<std::int64_t> doubtful;
    std::vector<std::int64_t> useless;
    Statement select(connection_, "SELECT id, data FROM dictionary");
    while (select.step()) {
        const std::int64_t id = select.integer(0);
        std::string_view bytes = select.blob(1);
        if (base::unseal(bytes, row_seed(Sealed::kDictionary, id))) continue;
        bytes.remove_suffix(std::min(bytes.size(), base::kSealBytes));
        (codec::TextUnpacker(bytes).is_usable() ? doubtful : useless).push_back(id);
    }
    for (const std::int64_t id : doubtful) seal_blob("dictionary", "id", Sealed::kDictionary, id);
    for (const std::int64_t id : useless) {
        connection_.run("DELETE FROM dictionary WHERE id = " + std::to_string(id));
    }
    dictionary_is_unverified_ = !doubtful.empty();
}

}  // namespace fendex::store
