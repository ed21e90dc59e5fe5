#include "ingest/pgn_input.hpp"

#include <utility>

#include "ingest/pgn_check.hpp"
#include "pgn/member_path.hpp"
#include "pgn/member_source.hpp"

namespace fendex::ingest {

PgnInput::PgnInput(std::vector<std::string> inputs, const PgnInputOptions& options)
    : inputs_(std::move(inputs)), options_(options) {
    source_options_.open_archive = std::make_shared<pgn::OpenArchive>();
}

PgnInput::PgnInput(std::unique_ptr<pgn::ByteSource> text, const std::string& name,
                   const PgnInputOptions& options)
    : inputs_{name}, options_(options), next_(1) {
    open(std::move(text), name);
    opened_->language = nullptr;  // the text can be read only once
}

void PgnInput::open(std::unique_ptr<pgn::ByteSource> text, const std::string& name) {
    Opened& opened = opened_.emplace();
    games_ = 0;
    RecognisedText recognised = require_pgn(std::move(text), name, options_.variant);
    opened.text = std::move(recognised.text);
    std::string head = pgn::split_member(name) ? std::move(recognised.head) : std::string();
    opened.language =
        std::make_shared<SourceLanguage>(name, pgn::SourceOptions(), Languages(), std::move(head));
    opened.splitter.emplace(*opened.text,
                            pgn::SplitterOptions{.batch_bytes = options_.batch_bytes});
}

std::optional<PgnInputBatch> PgnInput::next() {
    while (true) {
        if (!opened_) {
            if (next_ == inputs_.size()) return std::nullopt;
            const std::string& path = inputs_[next_++];
            open(pgn::open_source(path, source_options_), path);
        }
        PgnInputBatch out;
        out.input = next_ - 1;
        out.first_game = games_ + 1;
        out.task.annotations = options_.annotations;
        out.task.variant = options_.variant;
        out.task.language = opened_->language;
        if (opened_->splitter->next(out.task.batch)) {
            games_ += out.task.batch.games();
            return out;
        }
        if (games_ == 0) {
            throw pgn::SourceError(inputs_[out.input] + ": no game found",
                                   opened_->text->compressed_offset());
        }
        opened_.reset();
    }
}

store::StoredGame stored_game(const store::NewGames& games, const store::NewGame& game) {
    store::StoredGame out;
    out.moves = {game.facts, std::string(game.start), std::string(game.moves.of(games.moves))};
    for (const store::TagPair& tag : game.tags.of(games.tags)) {
        out.tags.emplace_back(tag.name, tag.value);
    }
    return out;
}

}  // namespace fendex::ingest
