// The corpus: archives and positions from public collections, beside the repository on the machines
// that have it. A cut of it, under the same names, is in tests/data/corpus and always there. And
// games out of archives as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace fendex::test {

/// Folder of the whole corpus; it need not be there.
std::string whole_corpus();

/// Folder of the cut.
std::string corpus_cut();

bool have_corpus();

/// True if there is no corpus: the test is marked as skipped (see skip.hpp) and has to return.
bool skip_without_corpus();

/// Path of a file or folder of the corpus; empty if there is no corpus.
std::string corpus_file(const std::string& name);

/// The files in a folder and its subfolders, sorted by path.
std::vector<std::string> files_below(const std::string& folder);

/// The games of an archive, one after the other, as the splitter cuts them out; until visit() says
/// false.
void for_each_game(const std::string& path,
                   const std::function<bool(std::string_view text, bool truncated)>& visit);

/// The first games of an archive as one text, a blank line after each.
std::string first_games(const std::string& path, unsigned games);

}  // namespace fendex::test
