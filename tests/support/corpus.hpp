// The corpus, and games out of its archives as text.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace fendex::test {

/// Path of a file or folder of the corpus; empty, with a warning, where there is no corpus.
std::string corpus_file(const std::string& name);

/// The games of an archive, one after the other, as the splitter cuts them out; until visit() says
/// false.
void for_each_game(const std::string& path,
                   const std::function<bool(std::string_view text, bool truncated)>& visit);

}  // namespace fendex::test
