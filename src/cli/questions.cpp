#include "cli/questions.hpp"

#include <charconv>
#include <iostream>

#include "chess/fen.hpp"
#include "ingest/game_replay.hpp"
#include "pgn/reader.hpp"

namespace fendex::cli {

FenRecords::FenRecords(std::vector<std::string> words, const std::optional<std::string>& file) {
    for (std::string& word : join_fens(words)) given_.push_back(std::move(word));
    if (!file) return;
    if (*file == "-") {
        file_name_ = "standard input";
        lines_ = &std::cin;
        return;
    }
    file_name_ = *file;
    file_.open(*file);
    if (!file_) throw UsageError("cannot open '" + *file + "'");
    lines_ = &file_;
}

std::optional<FenRecord> FenRecords::next() {
    if (!given_.empty()) {
        FenRecord record{std::move(given_.front()), {}};
        given_.pop_front();
        return record;
    }
    std::string text;
    while (lines_ != nullptr && std::getline(*lines_, text)) {
        ++line_;
        if (text.ends_with('\r')) text.pop_back();
        if (line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
        if (text.find_first_not_of(" \t") == std::string::npos || text[0] == '#') continue;
        return FenRecord{std::move(text), file_name_ + ":" + std::to_string(line_)};
    }
    if (lines_ != nullptr && lines_->bad()) throw UsageError("cannot read '" + file_name_ + "'");
    return std::nullopt;
}

std::vector<std::string> join_fens(const std::vector<std::string>& words) {
    std::vector<std::string> fens;
    for (const std::string& word : words) {
        const bool has_ranks = word.find('/') != std::string::npos ||
                               word.find("%2F") != std::string::npos ||
                               word.find("%2f") != std::string::npos;
        if (has_ranks || fens.empty()) {
            fens.push_back(word);
        } else {
            fens.back() += ' ' + word;
        }
    }
    return fens;
}

chess::Position position_of(const std::string& fen) {
    const chess::FenResult result = chess::parse_fen(fen);
    if (!result.position) {
        throw UsageError("'" + fen + "': " + std::string(result.error.field) + ": " +
                         result.error.reason);
    }
    return *result.position;
}

chess::Position position_after(const chess::Position& start, const std::string& option,
                               const std::string& moves) {
    std::vector<store::TagPair> tags;
    std::deque<std::string> owned;
    ingest::GameReplay replay;
    replay.start(tags, owned);
    replay.tag("FEN", owned.emplace_back(chess::to_fen(start)));
    pgn::read_game(moves, false, replay);
    replay.finish();
    if (!replay.problems().empty()) {
        const ingest::GameReplay::Problem& problem = replay.problems().front();
        throw UsageError(option + ", after ply " + std::to_string(problem.ply) + ": " +
                         problem.reason + (problem.text.empty() ? "" : ": '" + problem.text + "'"));
    }
    chess::Position position = replay.start_position();
    for (const chess::Move move : replay.moves()) position.play(move);
    return position;
}

Option match_option() {
    return choice("match", {"exact", "board", "mirrored"},
                  "what counts as the position: it alone, its board whoever is to move and may "
                  "castle, or it with colours exchanged as well");
}

std::uint64_t parse_key(const std::string& text) {
    const std::size_t skip = text.starts_with("0x") ? 2 : 0;
    const char* begin = text.data() + skip;
    const char* end = text.data() + text.size();
    std::uint64_t key = 0;
    const auto [stop, error] = std::from_chars(begin, end, key, 16);
    if (end - begin != 16 || error != std::errc{} || stop != end) {
        throw UsageError("--key takes 16 hex digits, not '" + text + "'");
    }
    return key;
}

}  // namespace fendex::cli
